"""Against the computer: it replies by itself, also after a restart, and never holds up a server."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from fastapi.testclient import TestClient

from digitduel import errors
from digitduel.position import Move, Position
from digitduel.ruleset import find_ruleset
from digitduel.solver import Budget, Lookahead
from digitduel.teach import Report
from digitduel.web import evaluations
from digitduel.web.app import create_app
from digitduel.web.computer import Computer
from digitduel.web.errors import TooManyError
from digitduel.web.models import Action, MoveRequest
from digitduel.web.turns import Visitor
from digitduel.web.workers import Answer, TooSlowError, Worker
from tests.web.helpers import PATIENCE, Player, create, here, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx2 as httpx

    from digitduel.ruleset import Ruleset
    from digitduel.solver import Evaluator
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.settings import Settings

OPEN = {"target": 101}
ANN = Visitor("192.0.2.1", "ann")


def awaited(player: Player, ply: int) -> dict[str, Any]:
    """The state once the game has come so far."""
    deadline = time.monotonic() + 30
    while (state := player.state())["ply"] < ply and not state["over"]:
        assert time.monotonic() < deadline, "the computer does not reply"
        time.sleep(0.02)
    return state


@pytest.mark.parametrize("opponent", ["level:1", "level:8", "careful"])
def test_the_computer_replies(client: httpx.Client, opponent: str) -> None:
    ann, invite = create(client, opponent=opponent, rules=OPEN)
    assert invite is None
    answer = ann.move("5").json()
    assert (answer["ply"], answer["seat"]) == (1, 2)
    state = awaited(ann, 2)
    assert (state["seat"], state["version"]) == (1, answer["version"] + 1)


def test_the_computer_starts_and_a_rematch_swaps(client: httpx.Client) -> None:
    ann, _ = create(client, opponent="level:1", rules=OPEN, first=2)
    assert awaited(ann, 1)["moves"]
    ann.post("resign")
    assert ann.post("rematch").json()["seat"] == 1


def test_takeback_takes_both_moves(client: httpx.Client) -> None:
    ann, _ = create(client, opponent="careful", rules=OPEN, first=2)
    first = awaited(ann, 1)["moves"]
    assert ann.post("undo").status_code == 409  # nothing of one's own yet
    own = next(digit for digit in "123" if digit not in first)
    ann.move(own, ply=1)
    awaited(ann, 3)
    assert ann.post("undo").json()["moves"] == first


def test_an_answer_given_at_once_is_replied_to(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, sweep=10 * PATIENCE))) as client:
        service = client.app.state.service  # type: ignore[attr-defined]
        ann, _ = create(client, opponent="careful", rules={"target": 10**9 + 7, "uses": None})

        def answer(duel: HostedDuel) -> None:
            """Ann moves before the computer has put its own move aside."""
            if duel.ply == 2:
                service.act("move", ann.id, ann.token, MoveRequest(move="5", ply=2))

        service.observers.append(answer)
        ann.move("5", ply=0)
        assert awaited(ann, 4)["ply"] == 4


def test_the_same_seed_gives_the_same_move() -> None:
    position = Position(find_ruleset("pool").replace(target=101))
    moves = [evaluations.choose("random", "seed/1/0", position) for _ in range(3)]
    assert len(set(moves)) == 1


def test_a_reply_that_was_due_is_made_after_a_restart(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        service = client.app.state.service  # type: ignore[attr-defined]
        service.observers.pop()  # the server is lost before the computer has seen the move
        ann, _ = create(client, opponent="careful", rules=OPEN, first=2)
        time.sleep(0.1)
        assert ann.state()["ply"] == 0
    with TestClient(create_app(settings)) as client:
        assert awaited(Player(client, ann.id), 1)["ply"] == 1


def test_a_player_that_takes_too_long_is_stood_in_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = evaluations.Evaluations(replace(settings, answer_seconds=0.2))
    try:
        position = Position(find_ruleset("pool").replace(target=12))
        monkeypatch.setattr(desk._replies, "ask", slow)
        assert desk.reply(ANN, "level:8", "seed", position) in position.legal_moves
        monkeypatch.setattr(desk._answers, "ask", slow)
        with pytest.raises(errors.TooLargeError, match="too long to work out"):
            desk.solve(ANN, position.ruleset, [])
    finally:
        desk.close()


def slow(*_: Any) -> None:
    raise TooSlowError


def test_a_whole_class_may_ask_at_once(client: httpx.Client) -> None:
    def asked(target: int) -> int:
        body = {"game": "pool", "rules": {"target": target}}
        return client.post("/api/solve", json=body).status_code

    assert asked(299) == 200  # the solver is up
    with ThreadPoolExecutor(30) as pupils:
        assert set(pupils.map(asked, range(300, 330))) == {200}


def test_solve_says_what_the_command_says(client: httpx.Client) -> None:
    body = {"game": "pool", "rules": {"target": 12}, "moves": ["6"]}
    solved = client.post("/api/solve", json=body).json()
    assert (solved["number"], solved["turn"], solved["value"], solved["plies"]) == (
        *("6", "second"),
        *("loss", 6),
    )
    assert [row["move"] for row in solved["moves"]][: len(solved["best"])] == solved["best"]
    assert {row["value"] for row in solved["moves"]} == {"loss"}
    rules = find_ruleset("pool").replace(target=12)
    assert solved == Report.of(Position(rules).play(Move(6))).to_json()


def test_explain(client: httpx.Client) -> None:
    body = {"game": "pool", "rules": {"target": 12}, "moves": ["1"], "move": "5"}
    reason = client.post("/api/explain", json=body).json()
    assert (reason["value"], reason["plies"], reason["line"]) == ("loss", 2, ["5", "6"])
    assert "156" in reason["text"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"game": "pool", "moves": ["7"]}, "the game is over"),
        ({"game": "pool", "moves": ["5", "5"]}, "move 2: 5 is used up"),
        ({"game": "pool", "moves": ["x"]}, "move 1: 'x' is not a move"),
    ],
)
def test_what_cannot_be_solved(client: httpx.Client, body: dict[str, Any], reason: str) -> None:
    answer = client.post("/api/solve", json=body)
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]


@pytest.mark.parametrize("target", [10**6 + 3, 10**29 + 7])
def test_what_is_too_large_to_solve_is_looked_ahead_at(client: httpx.Client, target: int) -> None:
    rules = {"digits": "1-9", "target": target}
    answer = client.post("/api/solve", json={"game": "ends", "rules": rules})
    assert answer.status_code == 200
    assert (answer.json()["value"], answer.json()["plies"]) == ("unknown", None)
    assert answer.json()["depth"] > 0


def test_what_took_too_long_once_is_looked_ahead_at(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[Budget]()

    def evaluator_for(ruleset: Ruleset, budget: Budget) -> Evaluator:
        tried.append(budget)
        if budget.work:
            raise TooSlowError
        return Lookahead(ruleset)

    monkeypatch.setattr(evaluations, "evaluator_for", evaluator_for)
    for _ in range(2):
        assert not evaluations.quick_evaluator(find_ruleset("pool").replace(target=6007)).exact
    assert [bool(budget.work) for budget in tried] == [True, False, False]


def test_the_serving_process_solves_nothing(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object, **options: object) -> None:
        raise AssertionError(f"solved in the server: {given} {options}")

    for name in ("solve", "_lookahead", "estimate"):
        monkeypatch.setattr(f"digitduel.solver.evaluators.{name}", refuse)
    rules = "game=forbidden&target=1000003&limit=9&forbidden=4"
    addresses = [
        "/",
        f"/?{rules}",
        f"/note?{rules}",
        "/rules/forbidden?target=1000003",
        f"/analysis?{rules}",
    ]
    addresses += ["/atlas", "/atlas?game=ends", "/atlas?game=pool&target=12"]
    addresses += [f"/analysis?{rules}&moves=3+1&ply=1&why=1"]
    addresses += ["/rules/pool?target=12", "/note?game=pool&target=12"]
    for address in addresses:
        assert client.get(address).status_code == 200, address
    for what, more in (("solve", {}), ("explain", {"move": "3"})):
        body = {"game": "forbidden", "rules": {"target": 10**6 + 3}, **more}
        assert client.post(f"/api/{what}", json=body).status_code == 200
    form = {"game": "ends", "target": "997", "opponent": "computer", "level": "8"}
    assert client.post("/games", data=form, follow_redirects=True).status_code == 200
    ann, _ = create(client, "ends", opponent="perfect", rules={"target": 997}, first=2)
    assert awaited(ann, 1)["ply"] == 1


def test_games_against_the_computer_take_no_more_memory_the_more_there_are(
    client: httpx.Client,
) -> None:
    """Rules that each take half a gigabyte to solve whole."""
    for number in range(4):
        ann, _ = create(client, "forbidden", opponent="perfect", rules={"target": 10**7 + number})
        ann.move("1")
        awaited(ann, 2)
    desk = client.app.state.evaluations  # type: ignore[attr-defined]
    process = desk._replies._all[0]._process
    assert process is not None
    worker = psutil.Process(process.pid)
    spent = sum(worker.cpu_times()[:2])
    time.sleep(0.3)
    assert sum(worker.cpu_times()[:2]) == spent  # nothing goes on behind
    assert worker.memory_info().rss < evaluations.MEMORY


def test_workers_end_with_the_server(settings: Settings, tmp_path: Path) -> None:
    assert tmp_path  # a server of its own
    with TestClient(create_app(settings)) as client:
        client.post("/api/solve", json={"game": "pool"})
        desk = client.app.state.evaluations  # type: ignore[attr-defined]
        process = desk._answers._all[0]._process
        assert process is not None
        pid = process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize("hangs_up", [True, False])
def test_what_nobody_waits_for_is_not_worked_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, hangs_up: bool
) -> None:
    asked: list[object] = []

    def ask(_worker: object, _seconds: float, work: Any, *given: Any) -> Answer:
        asked.append(work)
        return Answer(work(*given), failed=False, seconds=0.0)

    monkeypatch.setattr(Worker, "ask", ask)
    monkeypatch.setattr(evaluations, "processor_limit", lambda _seconds: nullcontext())
    body = b'{"game": "pool"}'
    with here(settings) as running:
        turns = running.server.config.app.state.evaluations._answers._turns  # type: ignore[union-attr]
        with running.connect() as connection:
            with turns.turn(ANN):
                connection.sendall(
                    b"POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
                )
                wait_for(lambda: turns.waiting == 1)
                if hangs_up:
                    connection.close()
                    wait_for(lambda: running.connections == 0)
            wait_for(lambda: turns._free == 1)
        assert bool(asked) is not hangs_up


def test_what_a_visitor_may_have_of_the_workers_has_an_end(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = evaluations.VISITOR_SECONDS / 2

    def ask(_worker: object, _seconds: float, work: Any, *given: Any) -> Answer:
        return Answer(work(*given), failed=False, seconds=seconds)

    monkeypatch.setattr(Worker, "ask", ask)
    desk = evaluations.Evaluations(settings)
    ruleset = find_ruleset("pool").replace(target=12)
    try:
        for _ in range(3):
            desk.solve(ANN, ruleset, [])
        with pytest.raises(TooManyError):
            desk.solve(ANN, ruleset, [])
        desk.solve(Visitor("192.0.2.2", "bob"), ruleset, [])
    finally:
        desk.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a process's memory")
@pytest.mark.parametrize("kind", ["_replies", "_answers"])
def test_real_workers_get_so_much_memory_and_no_more(settings: Settings, kind: str) -> None:
    desk = evaluations.Evaluations(settings)
    try:
        workers = getattr(desk, kind)
        with pytest.raises(MemoryError):
            workers.ask(ANN, PATIENCE, bytearray, evaluations.MEMORY)
        assert workers.ask(ANN, PATIENCE, len, "four") == 4
    finally:
        desk.close()


def test_to_solve_takes_so_much_processor_time_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = list[float]()

    @contextmanager
    def limited(seconds: float) -> Iterator[None]:
        limits.append(seconds)
        yield
        limits.append(0.0)

    def evaluator_for(ruleset: Ruleset, budget: Budget) -> Evaluator:
        assert limits == [evaluations.SOLVING_SECONDS]  # inside
        assert budget == evaluations.SOLVING
        return Lookahead(ruleset)

    monkeypatch.setattr(evaluations, "processor_limit", limited)
    monkeypatch.setattr(evaluations, "evaluator_for", evaluator_for)
    evaluations.quick_evaluator(find_ruleset("pool").replace(target=6011))
    assert limits == [evaluations.SOLVING_SECONDS, 0.0]


@pytest.mark.parametrize("changes", [True, False])
def test_a_reply_to_a_game_that_has_changed_is_not_worked_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, changes: bool
) -> None:
    gone = list[bool]()

    def reply(visitor: Visitor, _player: str, _seed: str, position: Position) -> Move:
        if changes:
            service.act("resign", ann.id, ann.token, Action())
        gone.append(visitor.gone())
        return position.legal_moves[0]

    monkeypatch.setattr(Computer, "sweep", lambda *_: None)  # it would take the game up first
    with TestClient(create_app(settings)) as client:
        state = client.app.state  # type: ignore[attr-defined]
        service = state.service
        observers, service.observers = service.observers, []
        ann, _ = create(client, opponent="perfect", rules=OPEN, first=2)
        service.observers = observers
        monkeypatch.setattr(state.evaluations, "reply", reply)
        for observer in observers:
            observer(service.find(ann.id))
        wait_for(lambda: bool(gone))
    assert gone == [changes]


def test_at_the_start_every_reply_that_is_due_is_taken_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short it has waited: nobody else gives it."""
    swept = list[float]()
    monkeypatch.setattr(Computer, "sweep", lambda _self, idle: swept.append(idle))
    with TestClient(create_app(replace(settings, sweep=0.01))):
        wait_for(lambda: len(swept) >= 3)
    assert swept[0] == 0.0
    assert set(swept[1:]) == {0.01}
