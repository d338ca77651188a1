"""A match on the web: the one match, with its holders and versions."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from digitduel.events import EVENTS, kind_of
from digitduel.position import Position
from digitduel.web.models import Action, Join, MoveRequest, NewGame
from digitduel.web.service import Service
from digitduel.web.versions import Version

if TYPE_CHECKING:
    import pytest

    from digitduel.position import Move


def test_it_needs_nothing_of_the_web() -> None:
    code = """
import sys, digitduel.web.hosted
print(*{"fastapi", "pydantic", "digitduel.web.models"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_events_have_the_names_that_save_files_have(service: Service) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    service.act("move", ann.duel.id, ann.token, MoveRequest(move="5", ply=0))
    for what in ("undo", "resign", "rematch", "off"):
        service.act(what, ann.duel.id, ann.token, Action())
    bob = service.create(NewGame(game="pool", rules={"target": 101}), "x")
    service.join(bob.duel.id, Join())
    for what in ("off", "decline"):
        service.act(what, bob.duel.id, bob.token, Action())
    rows = service.store.read("SELECT event FROM changes")
    known = {*map(kind_of, EVENTS), "joined"} - {"match-begun"}  # round follows round
    assert {json.loads(event)["kind"] for (event,) in rows} == known


def test_a_takeback_does_not_play_the_game_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {"digits": "1-9", "target": 10**9 + 7}
    ann = service.create(NewGame(game="ends", rules=rules, opponent="device"), "x")
    for ply in range(20):
        service.act(
            "move", ann.duel.id, ann.token, MoveRequest(move="5L" if ply % 3 else "4R", ply=ply)
        )
    before = service.find(ann.duel.id)
    played: list[Move] = []
    monkeypatch.setattr(Position, "play", lambda _, move: played.append(move))
    after = service.act("undo", ann.duel.id, ann.token, Action())
    assert after.moves == before.moves[:-1]
    assert not played


def test_a_game_is_the_sum_of_its_changes(service: Service) -> None:
    ann = service.create(NewGame(game="pool", rules={"target": 101}, opponent="device"), "x")
    for ply, digit in enumerate("123"):
        service.act("move", ann.duel.id, ann.token, MoveRequest(move=digit, ply=ply))
    service.act("undo", ann.duel.id, ann.token, Action())
    service.act("resign", ann.duel.id, ann.token, Action())
    known = service.act("rematch", ann.duel.id, ann.token, Action())
    afresh = Service(service.store, service.settings).find(ann.duel.id)
    assert Version(afresh).json == Version(known).json
    assert afresh.finished == known.finished
    assert afresh == known
