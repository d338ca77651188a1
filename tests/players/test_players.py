"""Computer players: what each chooses from, how strong each is, and that perfect is perfect."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from digitduel import DigitDuelError, Game, IllegalMoveError, Move, Position, Side, find_ruleset
from digitduel.players import (
    LEVELS,
    PLAYERS,
    ScriptedPlayer,
    careful_moves,
    casual_moves,
    make_player,
    player_note,
)
from digitduel.solver import Budget, Value, evaluator_meanwhile, evaluators, solve
from tests.strategies import law, positions

if TYPE_CHECKING:
    from digitduel.players import Player
    from digitduel.ruleset import Ruleset

# The settings on which the levels are compared: two that reward skill, one with two ends.
ARENAS = (
    find_ruleset("pool").replace(target=12),
    find_ruleset("closest").replace(target=33),
    find_ruleset("ends").replace(digits="1-9", target=19, limit=8),
)


def play(ruleset: Ruleset, first: Player, second: Player, most: int = 200) -> Side | None:
    """The winner of a game between two players."""
    game = Game(ruleset)
    while game.outcome() is None and len(game.move_stack) < most:
        player = first if game.turn is Side.FIRST else second
        game.push(player.choose(game.position))
    outcome = game.outcome()
    return outcome.winner if outcome else None


@law
@given(position=positions())
def test_casual_and_careful_choose_as_they_are_defined(position: Position) -> None:
    if position.outcome() is not None:
        return
    wins, safe = [], []
    for move in position.legal_moves:
        outcome = position.play(move).outcome()
        if outcome is None:
            safe.append(move)
        elif outcome.winner is position.turn:
            wins.append(move)
    casual = wins or safe or list(position.legal_moves)
    assert list(casual_moves(position)) == casual
    quiet = [move for move in casual if not position.play(move).winning_moves]
    assert list(careful_moves(position)) == (quiet or casual)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("key", ["pool", "ends", "forbidden", "closest", "conquest"])
def test_every_player_plays_legal_moves_and_repeats_with_the_seed(name: str, key: str) -> None:
    ruleset = find_ruleset(key).replace(target=13)

    def moves(seed: int) -> list[Move]:
        game, player = Game(ruleset), make_player(name, Random(seed))
        while game.outcome() is None and len(game.move_stack) < 30:
            game.push(player.choose(game.position))
        return game.move_stack

    assert moves(1) == moves(1)


def test_random_reaches_every_legal_move() -> None:
    start = Position(find_ruleset("pool").replace(target=12))
    player = make_player("random", Random(1))
    assert {player.choose(start) for _ in range(300)} == set(start.legal_moves)


def test_an_unknown_player_is_named_with_the_nearest() -> None:
    with pytest.raises(DigitDuelError, match=r"'carefull'.*'careful'"):
        make_player("carefull", Random(1))


def test_a_scripted_player_follows_its_script_and_then_stops() -> None:
    player = ScriptedPlayer([Move(5)])
    start = Position(find_ruleset("pool"))
    assert player.choose(start) == Move(5)
    with pytest.raises(IllegalMoveError, match="no move left"):
        player.choose(start)


@pytest.mark.parametrize("level", range(1, 8))
def test_each_level_beats_the_one_below(level: int) -> None:
    """Over the three arenas, alternating starts: 95% sure to be above one half."""
    games, won = 100, 0
    for arena in ARENAS:
        rng = Random(level)
        weaker = make_player(f"level:{level}", rng)
        stronger = make_player(f"level:{level + 1}", rng)
        for number in range(games):
            if number % 2:
                won += play(arena, weaker, stronger) is Side.SECOND
            else:
                won += play(arena, stronger, weaker) is Side.FIRST
    total = games * len(ARENAS)
    share = won / total
    assert share - 1.96 * sqrt(share * (1 - share) / total) > 0.5


def test_levels_see_farther_or_slip_less_than_the_one_below() -> None:
    skills = [LEVELS[level] for level in sorted(LEVELS)]
    for below, above in pairwise(skills):
        assert above.sight >= below.sight
        assert above.slip < below.slip


@pytest.mark.parametrize("opponent", ["random", "careful", "level:4", "level:7"])
def test_level_8_never_loses_a_position_that_is_won(opponent: str) -> None:
    for arena in ARENAS:
        evaluator, rng = solve(arena), Random(8)
        perfect, other = make_player("level:8", rng), make_player(opponent, rng)
        for _ in range(60):
            position = Position(arena)
            had_win = None
            while position.outcome() is None:
                if evaluator.probe(position).value is Value.WIN and had_win is None:
                    had_win = position.turn
                player = perfect if had_win in (None, position.turn) else other
                position = position.play(player.choose(position))
            outcome = position.outcome()
            assert outcome is not None
            assert had_win is None or outcome.winner is had_win


def test_perfect_play_wins_every_won_position_against_every_opponent() -> None:
    """Exhaustively: all replies are tried, on every won position of a small game."""
    ruleset = find_ruleset("pool").replace(digits="1-6", target=12)
    evaluator, perfect = solve(ruleset), make_player("perfect", Random(1))
    seen: set[str] = set()

    def follow(position: Position, winner: Side) -> None:
        outcome = position.outcome()
        if outcome is not None:
            assert outcome.winner is winner
        elif position.number not in seen:
            seen.add(position.number)
            if position.turn is winner:
                follow(position.play(perfect.choose(position)), winner)
            else:
                for move in position.legal_moves:
                    follow(position.play(move), winner)

    for position, worth in evaluator.walk():
        if worth.value is Value.WIN:
            follow(position, position.turn)
    assert len(seen) > 100


def test_in_a_lost_position_perfect_delays_and_sets_traps() -> None:
    ruleset = find_ruleset("closest").replace(target=33)
    evaluator, checked = solve(ruleset), 0
    for position, worth in evaluator.walk():
        if worth.value is not Value.LOSS or len(position.number) > 5:
            continue
        move = make_player("perfect", Random(1)).choose(position)

        def ways_out(move: Move, position: Position = position) -> int:
            after = position.play(move)
            if after.outcome() is not None:
                return 0
            return sum(each.value is Value.WIN for each in evaluator.move_values(after).values())

        assert ways_out(move) == min(map(ways_out, evaluator.best_moves(position)))
        assert move in evaluator.best_moves(position)
        checked += 1
        if checked == 300:
            break
    assert checked == 300


def test_in_an_endless_position_perfect_keeps_it_endless() -> None:
    ruleset = find_ruleset("forbidden").replace(target=13)
    evaluator, player = solve(ruleset), make_player("perfect", Random(1))
    game = Game(ruleset)
    for _ in range(40):
        game.push(player.choose(game.position))
        assert game.outcome() is None
        assert evaluator.probe(game.position).value is Value.ENDLESS


def test_a_game_too_large_to_solve_is_looked_ahead_and_said_so() -> None:
    ruleset = find_ruleset("ends").replace(digits="1-9", target=10**15 + 37)
    assert not evaluator_meanwhile(ruleset).exact
    while "too large" not in (player_note("level:8", ruleset) or ""):
        pass
    assert player_note("careful", ruleset) is None
    position = Position(ruleset)
    assert make_player("level:8", Random(1)).choose(position) in position.legal_moves


def test_a_slow_solve_is_bridged_by_a_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everything took long: first a look-ahead with a note, then the solution without."""
    monkeypatch.setattr(evaluators, "PROMPT", Budget(0))
    ruleset = find_ruleset("ends").replace(digits="1-9", target=31)
    first = evaluator_meanwhile(ruleset)
    assert first.exact or "while the game is solved" in (first.note or "")
    while evaluator_meanwhile(ruleset).note is not None:
        pass
    assert evaluator_meanwhile(ruleset).exact
