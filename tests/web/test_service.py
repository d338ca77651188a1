"""What can be done to a game, when answers get lost and buttons are pressed twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

import pytest

from digitduel.web import hosted, versions
from digitduel.web.errors import LostError, RefusedError, TooManyError
from digitduel.web.limits import Allowance
from digitduel.web.models import Action, Join, MoveRequest, NewGame
from digitduel.web.service import SeatTaken, Service
from digitduel.web.snapshots import EVERY
from digitduel.web.store.sqlite import Sqlite
from tests.web.helpers import wait_for

if TYPE_CHECKING:
    from digitduel.web.hosted import Change, HostedDuel


def test_a_lost_answer_of_the_store_is_not_played_twice(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: whether it took effect is found out by the key."""
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    append = service.store.append

    def append_and_lose(*given: object) -> bool:
        monkeypatch.undo()
        append(*given)  # type: ignore[arg-type]
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", append_and_lose)
    duel = service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))
    assert [str(move) for move in duel.moves] == ["5"]

    def lose(*_: object) -> bool:
        monkeypatch.undo()
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", lose)
    duel = service.act("move", ann.duel.id, ann.token, MoveRequest(move="6", ply=1))
    assert [str(move) for move in duel.moves] == ["5", "6"]


def test_one_browser_does_not_take_both_seats(service: Service) -> None:
    ann = service.create(NewGame(game="pool"), "x")
    assert ann.invite is not None
    with pytest.raises(RefusedError, match="you are Player 1"):
        service.join(ann.duel.id, Join(invite=ann.invite), ann.token)
    bob = service.join(ann.duel.id, Join(invite=ann.invite))
    again = service.join(
        ann.duel.id, Join(invite=ann.invite), bob.token
    )  # the button pressed twice
    assert (again.token, again.duel.version) == (bob.token, bob.duel.version)


def test_joining_survives_a_lost_answer_of_the_store(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = service.create(NewGame(game="pool"), "x")
    assert ann.invite is not None
    append = service.store.append

    def append_and_lose(*given: object) -> bool:
        monkeypatch.undo()
        append(*given)  # type: ignore[arg-type]
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", append_and_lose)
    assert service.join(ann.duel.id, Join(invite=ann.invite)).duel.version == 2


# --- Keys. ---


@pytest.mark.parametrize("what", ["move", "resign", "off", "undo", "rematch"])
def test_a_used_key_belongs_to_one_request_for_every_command(service: Service, what: str) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0, key="k"))
    if what == "rematch":
        service.act("off", ann.duel.id, ann.token, Action())
        service.act("rematch", ann.duel.id, ann.token, Action())  # the next finds it begun
    ply = None if what == "rematch" else 1
    request = MoveRequest(move="6", ply=1, key="k") if what == "move" else Action(ply=ply, key="k")
    with pytest.raises(RefusedError, match="'k' belongs to another request") as refused:
        service.act(what, ann.duel.id, ann.token, request)
    assert refused.value.status == 409


def test_a_key_is_used_even_where_there_was_nothing_to_do(service: Service) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}), "x")
    assert ann.invite is not None
    service.join(ann.duel.id, Join(invite=ann.invite))
    service.act("off", ann.duel.id, ann.token, Action())
    for _ in range(2):  # proposed already
        service.act("off", ann.duel.id, ann.token, Action(key="k"))
    with pytest.raises(RefusedError, match="'k' belongs to another request"):
        service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0, key="k"))


# --- What a long game costs. ---


@pytest.fixture
def long_game(service: Service) -> SeatTaken:
    """Some hundred changes: moves, every tenth of them taken back."""
    assert isinstance(service.store, Sqlite)
    service.store._writer.execute("PRAGMA synchronous = OFF")  # nothing is pulled here
    rules = {"digits": "1-9", "target": 10**9 + 7}
    ann = service.create(NewGame(game="ends", rules=rules, opponent="device"), "x")
    duel = ann.duel
    while duel.version < 2 * EVERY + 50:
        if duel.version % 10 == 9:
            duel = service.act("undo", duel.id, ann.token, Action(key=f"k{duel.version}"))
        else:
            move = MoveRequest(move="4R", ply=duel.ply, key=f"k{duel.version}")
            duel = service.act("move", duel.id, ann.token, move)
    return SeatTaken(duel, ann.token)


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[object]:
    """What is given to each call of a function from now on."""
    calls: list[object] = []
    function = getattr(owner, name)

    def counting(*given: object, **named: object) -> object:
        calls.append(given)
        return function(*given, **named)

    monkeypatch.setattr(owner, name, counting)
    return calls


def test_a_repeated_key_is_answered_as_before_without_playing_the_game_again(
    service: Service, long_game: SeatTaken, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, version = long_game.duel.id, 2 * EVERY + 9
    before = service.store.duel_at(game_id, version)
    assert before is not None
    versions._VERSIONS.clear()  # long ago
    changes = counted(monkeypatch, hosted.HostedDuel, "after")
    undo = Action(key=f"k{version}")
    after = service.act("undo", game_id, long_game.token, undo)
    assert (after.version, after.moves) == (version + 1, before.moves[:-1])
    assert len(changes) <= EVERY
    versions.version_of(after)  # it is shown to whoever asked
    changes.clear()
    assert service.act("undo", game_id, long_game.token, undo) == after
    assert len(changes) <= 1  # whether it could be done once more was tried


def test_old_answers_are_not_asked_for_without_end(
    service: Service, long_game: SeatTaken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_repeats", Allowance(1, 60, "old requests", lambda: 0.0))
    versions._VERSIONS.clear()
    asked = MoveRequest(move="4R", ply=0, key="k1")
    service.act("move", long_game.duel.id, long_game.token, asked)
    with pytest.raises(TooManyError):
        service.act("move", long_game.duel.id, long_game.token, asked)


def test_a_long_game_is_loaded_from_a_snapshot(
    service: Service, long_game: SeatTaken, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = counted(monkeypatch, hosted.HostedDuel, "after")
    assert Service(service.store, service.settings).find(long_game.duel.id) == long_game.duel
    assert len(changes) <= EVERY


def test_a_game_from_before_there_were_snapshots_gets_one(
    service: Service, long_game: SeatTaken, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service.store.transaction() as run:
        run("DELETE FROM snapshots")
    assert Service(service.store, service.settings).find(long_game.duel.id) == long_game.duel
    changes = counted(monkeypatch, hosted.HostedDuel, "after")
    assert Service(service.store, service.settings).find(long_game.duel.id) == long_game.duel
    assert not changes


class Door:
    """A lock, and how many have come to it."""

    def __init__(self) -> None:
        self._lock, self.came = Lock(), 0

    def __enter__(self) -> None:
        self.came += 1
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_a_game_is_loaded_once_however_many_ask(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is kept at it until all the others have come for the same game."""
    ann = service.create(NewGame(game="pool", opponent="device"), "x")
    load, loads, door = service.store.duel_at, list[str](), Door()

    def duel_at(game_id: str) -> HostedDuel | None:
        loads.append(game_id)
        wait_for(lambda: door.came == asking)
        return load(game_id)

    asking = 5
    service._cache.forget(ann.duel.id)
    monkeypatch.setattr(service, "_loading", [door])
    monkeypatch.setattr(service.store, "duel_at", duel_at)
    with ThreadPoolExecutor(asking) as many:
        found = list(many.map(service.find, [ann.duel.id] * asking))
    assert {duel.version for duel in found} == {1}
    assert loads == [ann.duel.id]


def test_a_store_that_is_away_is_not_asked_again_and_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}), "x")
    assert ann.invite is not None
    asked: list[str] = []

    def lose(duel: HostedDuel, _: Change) -> bool:
        asked.append(duel.id)
        raise LostError("lost")

    monkeypatch.setattr(service.store, "append", lose)
    with pytest.raises(LostError):
        service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))
    with pytest.raises(LostError):
        service.join(ann.duel.id, Join(invite=ann.invite))
    assert len(asked) == 4  # each tried once more: an answer may get lost
