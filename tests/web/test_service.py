"""What can be done to a game, when answers get lost and buttons are pressed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from digitduel.web.errors import LostError, RefusedError
from digitduel.web.models import MoveRequest, NewGame

if TYPE_CHECKING:
    from digitduel.web.service import Service


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
        service.join(ann.duel.id, ann.invite, ann.token)
    bob = service.join(ann.duel.id, ann.invite)
    again = service.join(ann.duel.id, ann.invite, bob.token)  # the button pressed twice
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
    assert service.join(ann.duel.id, ann.invite).duel.version == 2
