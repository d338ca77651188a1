"""What is known of a position: typed inside, JSON at the edges, one set of words for people."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given

from digitduel import Game, Move, Position, find_ruleset
from digitduel.game import read_line
from digitduel.solver import INSTANT, Evaluation, Value, evaluator_for
from digitduel.teach import Report, explain, in_words, verdict
from digitduel.teach.verdicts import prospect, standing
from tests.strategies import positions, short_law

TOO_LARGE: dict[str, object] = {"digits": "1-9", "target": 10**15 + 37}


def report_on(key: str, line: str = "", **rules: object) -> Report:
    return Report.of(read_line(find_ruleset(key).replace(**rules), line).position)


@short_law
@given(position=positions())
def test_a_report_ranks_every_move_by_what_it_is_worth(position: Position) -> None:
    if position.outcome() is not None:
        return
    evaluator = evaluator_for(position.ruleset, INSTANT)
    report = Report.of(position, evaluator)
    assert {row.move: row.evaluation for row in report.moves} == evaluator.move_values(position)
    merits = [row.evaluation.merit for row in report.moves]
    assert merits == sorted(merits, reverse=True)
    assert report.evaluation == evaluator.probe(position) == report.moves[0].evaluation
    assert set(report.best) == set(evaluator.best_moves(position))
    assert all(row.number == position.play(row.move).number for row in report.moves)


def test_a_report_is_frozen_and_goes_from_process_to_process() -> None:
    report = report_on("pool", "6", target=12)
    assert pickle.loads(pickle.dumps(report)) == report  # noqa: S301  (our own)
    with pytest.raises(FrozenInstanceError):
        report.depth = 3  # type: ignore[misc]


def test_a_report_as_json() -> None:
    known = report_on("pool", "6", target=12).to_json()
    assert list(known) == ["game", "rules", "number", "turn", "value", "plies", "moves", "best"]
    assert (known["turn"], known["value"], known["plies"]) == ("second", "loss", 6)
    assert known["moves"][0] == {"move": "3", "number": "63", "value": "loss", "plies": 6}
    assert known["best"] == [row["move"] for row in known["moves"] if row["plies"] == 6]


def test_a_report_on_a_game_too_large_says_how_far_was_looked() -> None:
    known = report_on("ends", "", **TOO_LARGE).to_json()
    assert (known["value"], known["plies"]) == ("unknown", None)
    assert known["depth"] >= 2


def test_a_reason_as_json() -> None:
    game = Game(find_ruleset("pool").replace(target=12), [Move(1)])
    reason = explain(game.position, Move(5))
    assert reason.to_json() == {
        "text": reason.text,
        "value": "loss",
        "plies": 2,
        "line": ["5", "6"],
        "principles": ["gives a win"],
    }


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (report_on("pool"), "Whoever starts wins with best play, in 1 move."),
        (report_on("pool", target=11), "Whoever starts loses with best play, in 9 moves."),
        (
            report_on("ends", "5R 7L", digits="1-9", target=17),
            "The starter is to move and loses with best play, in 6 moves.",
        ),
        (
            report_on("forbidden", target=13),
            "With best play neither player can force a win, and the game never ends.",
        ),
        (
            report_on("forbidden", "7", target=13),
            "The second player is to move. "
            "With best play neither player can force a win, and the game never ends.",
        ),
        (
            report_on("ends", "5R", **TOO_LARGE),
            "The second player is to move. "
            "The game is too large to solve, and no win can be forced within 4 moves.",
        ),
    ],
)
def test_a_verdict_names_who_is_to_move_and_how_long_it_takes(report: Report, words: str) -> None:
    assert verdict(report) == words


@pytest.mark.parametrize(
    ("worth", "move", "position", "game"),
    [
        (
            Evaluation(Value.WIN, 1),
            "wins in 1 move",
            "the starter wins with best play",
            "Over soon: best play ends it with move 1.",
        ),
        (
            Evaluation(Value.LOSS, 9),
            "loses in 9 moves",
            "the second player wins with best play",
            "A real game.",
        ),
        (
            Evaluation(Value.ENDLESS),
            "keeps it open",
            "neither can force a win",
            "Nobody can force a win.",
        ),
        (Evaluation(Value.UNKNOWN), "not known", "not known", "Not over on move 1."),
    ],
)
def test_values_in_words(worth: Evaluation, move: str, position: str, game: str) -> None:
    assert (in_words(worth), standing(worth), prospect(worth)) == (move, position, game)
