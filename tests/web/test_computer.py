"""Against the computer: it replies by itself, also after a restart, and never holds up a server."""

from __future__ import annotations

import errno
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from digitduel import errors
from digitduel.position import Move, Position
from digitduel.ruleset import find_ruleset
from digitduel.teach import Report
from digitduel.web import evaluations
from digitduel.web.app import create_app
from digitduel.web.errors import BusyError
from digitduel.web.models import MoveRequest
from digitduel.web.workers import CONTEXT, TooSlowError, Workers
from tests.web.helpers import PATIENCE, Player, create

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx2 as httpx

    from digitduel.solver import Budget
    from digitduel.web.hosted import HostedDuel
    from digitduel.web.settings import Settings

OPEN = {"target": 101}


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
        assert desk.reply("level:8", "seed", position) in position.legal_moves
        monkeypatch.setattr(desk._answers, "ask", slow)
        with pytest.raises(errors.TooLargeError, match="seconds to work out"):
            desk.solve(position)
    finally:
        desk.close()


def slow(*_: Any) -> None:
    raise TooSlowError


@pytest.fixture
def workers() -> Iterator[Workers]:
    workers = Workers(1, patience=PATIENCE)
    yield workers
    workers.close()


def test_work_that_takes_too_long_is_ended(workers: Workers) -> None:
    assert workers.ask(PATIENCE, divmod, 17, 5) == (3, 2)
    with pytest.raises(TooSlowError):
        workers.ask(0.2, time.sleep, 10 * PATIENCE)
    assert workers.ask(PATIENCE, divmod, 18, 5) == (3, 3)  # a new one took its place


def test_a_worker_killed_while_idle_is_replaced(workers: Workers) -> None:
    idle = workers.ask(PATIENCE, os.getpid)
    os.kill(idle, signal.SIGKILL)
    process = workers._all[0]._process
    assert process is not None
    process.join(PATIENCE)
    assert workers.ask(PATIENCE, os.getpid) != idle


def test_a_worker_that_cannot_be_started_is_one_that_is_too_slow(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(CONTEXT.Process, "start", refuse)
    with pytest.raises(TooSlowError):
        workers.ask(1, len, "four")
    monkeypatch.undo()
    assert workers.ask(PATIENCE, len, "four") == 4


def test_errors_of_a_worker_come_back(workers: Workers) -> None:
    with pytest.raises(errors.InvalidMoveError):
        workers.ask(PATIENCE, Move.parse, "x")


def test_nobody_waits_for_ever() -> None:
    workers = Workers(1, patience=0.1)
    workers._free.get()
    with pytest.raises(BusyError):
        workers.ask(1, divmod, 1, 1)


def test_a_whole_class_may_ask_at_once(client: httpx.Client) -> None:
    def asked(target: int) -> int:
        body = {"game": "pool", "rules": {"target": target}}
        return client.post("/api/solve", json=body).status_code

    assert asked(299) == 200  # the solver is up
    with ThreadPoolExecutor(30) as pupils:
        assert set(pupils.map(asked, range(300, 330))) == {200}


def test_few_wait_at_all() -> None:
    workers = Workers(1, patience=PATIENCE)
    while workers._places.acquire(blocking=False):
        pass
    began = time.monotonic()
    with pytest.raises(BusyError):
        workers.ask(1, divmod, 1, 1)
    assert time.monotonic() - began < PATIENCE


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


def test_what_took_too_long_once_is_looked_ahead_at(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, tried = evaluations.Evaluations(settings), list[int]()
    position = Position(find_ruleset("pool"))

    def ask(_seconds: float, work: Any, budget: Budget, *given: Any) -> Any:
        tried.append(budget.work)
        if budget.work:
            raise TooSlowError
        return work(budget, *given)

    monkeypatch.setattr(desk._answers, "ask", ask)
    for _ in range(2):
        assert desk.solve(position).position == position
    assert [bool(work) for work in tried] == [True, False, False]


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
