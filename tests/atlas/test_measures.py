"""Every measure once more, the slow way: state by state, with fractions, from the rules alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from digitduel import (
    InvalidRulesetError,
    Position,
    Ruleset,
    Termination,
    TooLargeError,
    find_ruleset,
)
from digitduel.atlas import COLUMNS, measure
from digitduel.atlas.markov import WAYS, Chain
from digitduel.atlas.measures import SOLVED, appeal, solved_columns
from digitduel.atlas.sweep import measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

    # What a move leads to: a state, or "reached", "won" or "lost" for whoever makes it.
    Reply = tuple[Any, ...] | str
    Moves = dict[tuple[Any, ...], list[Reply]]

WINS = ("reached", "won")  # by a multiple of the target, and otherwise
SIGHTS = range(7)
MOST_STATES = 1500
MOST_UNKNOWNS = 160


class TooManyError(Exception):
    """The game is too large for the slow way."""


def test_uses_beyond_the_length_change_nothing() -> None:
    rules = find_ruleset("conquest").replace(target=13, limit=4)
    expected = measure(rules.replace(uses=4))
    assert [measure(rules.replace(uses=uses)) for uses in (5, 1_000, 10**30)] == [expected] * 3


class Slow:
    """The measures of a rule set, by definition."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = ruleset
        self.start = self.state(Position(ruleset))
        self.moves = self._explore()
        self.plies = self._solve()
        self._chosen = [
            {state: self._choose(player, state) for state in self.moves}
            for player in range(len(SIGHTS) + 1)
        ]
        # Who chooses the same in every state is the same player: the first of them stands for all.
        self._alike = [self._chosen.index(chosen) for chosen in self._chosen]
        self._known_chances = cache(self._chances)

    def state(self, position: Position) -> tuple[Any, ...]:
        """What the atlas calls a state, read off the digits."""
        rules, number = self.rules, position.number
        bounded = rules.limit is not None or rules.uses is not None
        return (
            not number,
            len(number) if bounded else None,
            rules.uses is not None and tuple(number.count(str(d)) for d in rules.digits),
            int(number or "0") % rules.modulus,
            10 ** len(number) % rules.modulus if rules.ends != "right" else None,
        )

    def _explore(self) -> Moves:
        found: Moves = {}
        waiting = [Position(self.rules)]
        for position in waiting:
            state = self.state(position)
            if state in found:
                continue
            found[state] = []
            for move in position.legal_moves:
                after = position.play(move)
                ended = after.outcome()
                if ended is None:
                    found[state].append(self.state(after))
                    waiting.append(after)
                else:
                    won = "reached" if ended.termination is Termination.TARGET else "won"
                    found[state].append(won if ended.winner is position.turn else "lost")
            if len(found) > MOST_STATES:
                raise TooManyError
        return found

    def _solve(self) -> dict[tuple[Any, ...], int]:
        """n for a win in n plies, -n for a loss in n; endless states are missing."""
        plies: dict[tuple[Any, ...], int] = {}
        for depth in range(1, len(self.moves) + 2):
            found = {}
            for state in self.moves.keys() - plies.keys():
                worth = [self.worth(reply, plies) for reply in self.moves[state]]
                wins = [n for n in worth if n is not None and n > 0]
                if wins:
                    found[state] = min(wins)
                elif None not in worth:
                    found[state] = min(n for n in worth if n is not None)
            if not found:
                break
            assert {abs(n) for n in found.values()} == {depth}
            plies |= found
        return plies

    @staticmethod
    def worth(reply: Reply, plies: dict[tuple[Any, ...], int]) -> int | None:
        """What a move is worth to its player: a win in n is n, a loss in n is -n, no end None."""
        if isinstance(reply, str):
            return 1 if reply in WINS else -1
        after = plies.get(reply)
        return None if after is None else 1 - after if after < 0 else -1 - after

    # --- The players. ---

    def choices(self, player: int, state: tuple[Any, ...]) -> list[Reply]:
        """What a player of some sight chooses from; whoever comes after the SIGHTS is optimal."""
        return self._chosen[player][state]

    def _choose(self, player: int, state: tuple[Any, ...]) -> list[Reply]:
        looks = [(self._look(player, reply), reply) for reply in self.moves[state]]
        best = max(look for look, _ in looks)
        return [reply for look, reply in looks if look == best]

    def _look(self, player: int, reply: Reply) -> tuple[int, int]:
        """How good a move looks: quick wins, then what is not seen, then slow losses."""
        worth = self.worth(reply, self.plies)
        if worth is None or (player in SIGHTS and abs(worth) > player):
            return 0, 0
        return (1, -worth) if worth > 0 else (-1, -worth)

    # --- Chances. ---

    def chances(self, mine: int, other: int, ends: tuple[str, ...] = WINS) -> tuple[Fraction, ...]:
        """My chance of winning, by these `ends`, as the one who starts and as the other."""
        return self._known_chances(self._alike[mine], self._alike[other], ends)

    def _chances(self, mine: int, other: int, ends: tuple[str, ...]) -> tuple[Fraction, ...]:
        players = (mine, other)

        def equation(node: Any) -> tuple[list[Any], Fraction]:
            who, state = node
            replies = self.choices(players[who], state)
            good = sum(reply in (ends if who == 0 else ("lost",)) for reply in replies)
            ahead = [(1 - who, reply) for reply in replies if not isinstance(reply, str)]
            share = Fraction(1, len(replies))
            return [(node, share) for node in ahead], good * share

        found, _ = least_solution([(0, self.start), (1, self.start)], equation)
        return found[0, self.start], found[1, self.start]

    def beats(self, player: int, other: int) -> Fraction:
        """My chance over both seats; no end counts one half."""
        if player == other:
            return Fraction(1, 2)
        won, lost = sum(self.chances(player, other)), sum(self.chances(other, player))
        return Fraction(2 + won - lost) / 4

    def expected(self, sight: int, worth: Callable[[Any, list[Reply]], Fraction]) -> Any:
        """What a game between two of a sight adds up to, if each state adds its worth."""

        def equation(state: Any) -> tuple[list[Any], Fraction]:
            replies = self.choices(sight, state)
            ahead = [reply for reply in replies if not isinstance(reply, str)]
            return [(node, Fraction(1, len(replies))) for node in ahead], worth(state, replies)

        return least_solution([self.start], equation)

    def target(self, sight: int) -> Fraction:
        found, _ = self.expected(
            sight, lambda _, replies: Fraction(replies.count("reached"), len(replies))
        )
        chance: Fraction = found[self.start]
        return chance

    def length(self, sight: int) -> Fraction | None:
        found, endless = self.expected(sight, lambda *_: Fraction(1))
        return None if endless else found[self.start]

    def forced(self) -> Fraction | None:
        found, endless = self.expected(2, lambda state, _: Fraction(self._safe(state) <= 1))
        length = self.length(2)
        return None if endless or length is None else found[self.start] / length

    def _safe(self, state: Any) -> int:
        """How many moves neither lose at once nor give a win at once."""
        return sum(
            reply != "lost"
            and (isinstance(reply, str) or not {*WINS} & {*map(str, self.moves[reply])})
            for reply in self.moves[state]
        )

    def depth(self) -> int:
        """The longest chain, among all chains in order of sight."""
        players = range(len(SIGHTS) + 1)
        beaten = {(a, b) for b in players for a in range(b) if self.beats(b, a) >= Fraction(3, 5)}
        chains = chain.from_iterable(combinations(players, size) for size in range(1, 9))
        return max(len(some) for some in chains if all(pair in beaten for pair in pairwise(some)))

    def measures(self) -> dict[str, Any]:
        score = self.plies.get(self.start)
        won = {
            state: [r for r in self.moves[state] if (self.worth(r, self.plies) or -1) > 0]
            for state, plies in self.plies.items()
            if plies > 0
        }
        found: dict[str, Any] = {
            "value": "endless" if score is None else "win" if score > 0 else "loss",
            "plies": score and abs(score),
            "winning_first_moves": len(won.get(self.start, [])),
            "only_moves": sum(len(w) == 1 for w in won.values()) / len(won) if won else None,
            "casual_length": self.length(1),
            "careful_length": self.length(2),
            "forced": self.forced(),
            "depth": self.depth(),
            "step_top": self.beats(len(SIGHTS), SIGHTS[-1]),
        }
        for sight in SIGHTS:
            found[f"first_{sight}"], _ = self.chances(sight, sight)
            _, found[f"second_{sight}"] = self.chances(sight, sight)
            found[f"target_{sight}"] = self.target(sight)
            found[f"step_{sight}"] = self.beats(sight, max(0, sight - 1))
        return found


def least_solution(
    starts: list[Any], equation: Callable[[Any], tuple[list[Any], Fraction]]
) -> tuple[dict[Any, Fraction], bool]:
    """The least solution of x = sum of weight * x + gain, and whether some node has no end.

    A node has an end if its weights do not add up to 1, or if it leads to such a node.
    """
    rows: dict[Any, tuple[list[Any], Fraction]] = {}
    waiting = list(starts)
    for node in waiting:
        if node not in rows:
            rows[node] = equation(node)
            waiting.extend(each for each, _ in rows[node][0])
    live = {node for node, (ahead, _) in rows.items() if sum(w for _, w in ahead) < 1}
    grown = True
    while grown:
        more = {n for n in rows.keys() - live if any(each in live for each, _ in rows[n][0])}
        live |= more
        grown = bool(more)
    solved = eliminate({node: rows[node] for node in rows if node in live}, live)
    return {node: solved.get(node, Fraction(0)) for node in rows}, len(live) < len(rows)


def eliminate(rows: dict[Any, Any], live: set[Any]) -> dict[Any, Fraction]:
    """Put each node's equation into the others, then read the solution off backwards."""
    system = {node: [merged(ahead, live), gain] for node, (ahead, gain) in rows.items()}
    if sum(bool(weights) for weights, _ in system.values()) > MOST_UNKNOWNS and has_cycle(system):
        raise TooManyError
    order = list(reversed(system))
    users: dict[Any, set[Any]] = {node: set() for node in order}
    for node, (weights, _) in system.items():
        for each in weights:
            users[each].add(node)
    for node in order:
        weights, gain = system[node]
        rest = 1 - weights.pop(node, Fraction(0))
        weights, gain = {each: w / rest for each, w in weights.items()}, gain / rest
        system[node] = [weights, gain]
        for each in weights:
            users[each] |= users[node]
            users[each].discard(node)
        for user in users[node] - {node}:
            share = system[user][0].pop(node)
            system[user][1] += share * gain
            for each, weight in weights.items():
                system[user][0][each] = system[user][0].get(each, Fraction(0)) + share * weight
    found: dict[Any, Fraction] = {}
    for node in reversed(order):
        weights, gain = system[node]
        found[node] = gain + sum(w * found[each] for each, w in weights.items())
    return found


def merged(ahead: list[Any], live: set[Any]) -> dict[Any, Fraction]:
    """The weight of each node ahead from which there is an end."""
    weights: dict[Any, Fraction] = {}
    for each, weight in ahead:
        if each in live:
            weights[each] = weights.get(each, Fraction(0)) + weight
    return weights


def has_cycle(system: dict[Any, Any]) -> bool:
    """Whether a node leads back to itself: a line of them is quick to eliminate."""
    left = {node: set(weights) for node, (weights, _) in system.items()}
    while left:
        free = [node for node, ahead in left.items() if not ahead & left.keys()]
        if not free:
            return True
        for node in free:
            del left[node]
    return False


@st.composite
def rulesets(draw: DrawFn, bounded: bool) -> Ruleset:
    """Any mix of parameters, of a size that the slow way can take."""
    digits = draw(st.sets(st.integers(0, 9), min_size=1, max_size=6 if bounded else 10))
    uses = draw(st.none() | st.integers(1, 3)) if bounded else None
    limit = draw(st.integers(2, 7)) if bounded else None
    if uses is not None and uses * len(digits) <= 7:
        limit = draw(st.none() | st.just(limit))
    try:
        return Ruleset(
            *("small", "Small", "Any."),
            digits=tuple(digits),
            target=draw(st.integers(1, 40 if bounded else 16)),
            uses=uses,
            ends=draw(st.sampled_from(["right", "left", "both"])),
            forbidden=tuple(draw(st.sets(st.integers(2, 9), max_size=2))),
            limit=limit,
            full=draw(st.sampled_from(["last-loses", "closest"])),
            leading_zero=draw(st.booleans()),
            smallest_target=1,
        )
    except InvalidRulesetError:
        assume(False)
        raise


def check_if_small(ruleset: Ruleset) -> None:
    try:
        check(ruleset)
    except TooManyError:
        assume(False)


def check(ruleset: Ruleset) -> None:
    slow, fast = Slow(ruleset).measures(), measure(ruleset)
    # What rests on other measures, or has a test of its own.
    for column in (name for name in COLUMNS if name not in ("sums", "recipe", "appeal")):
        expected, found = slow[column], getattr(fast, column)
        if isinstance(found, float):
            assert found == pytest.approx(float(expected), rel=1e-14, abs=1e-15), column
        else:
            assert found == expected, column


@given(ruleset=rulesets(bounded=True))
@settings(max_examples=60, deadline=None)
def test_games_that_end(ruleset: Ruleset) -> None:
    check_if_small(ruleset)


@given(ruleset=rulesets(bounded=False))
@settings(max_examples=50, deadline=None)
def test_games_that_may_not_end(ruleset: Ruleset) -> None:
    check_if_small(ruleset)


SMALL = Ruleset("small", "Small", "Any.", digits=(1, 2, 3), target=7, smallest_target=1)


@pytest.mark.parametrize(
    "ruleset",
    [
        find_ruleset("pool").replace(digits="1-6", target=12),
        find_ruleset("closest").replace(digits="1-6", target=19),
        find_ruleset("conquest").replace(limit=6, target=13),
        find_ruleset("forbidden").replace(target=7),
        find_ruleset("forbidden").replace(target=11),
        find_ruleset("ends").replace(target=11),
        find_ruleset("ends").replace(digits="1-9", target=9),
        SMALL.replace(target=1),
        SMALL.replace(uses=3, limit=3, target=5),  # a cap that nobody can reach
        SMALL.replace(uses=3, limit=3, target=5, ends="both", full="closest"),
        SMALL.replace(uses=2, full="closest", target=10**30, ends="both"),
        SMALL.replace(uses=2, full="closest", target=2**63 + 29, forbidden=[2**70, 3]),
        SMALL.replace(digits="1", limit=30, target=10**20 + 39),
        SMALL.replace(digits="0,7", ends="left", leading_zero=False, target=6),
        SMALL.replace(digits="5", target=3),
        SMALL.replace(digits="5", target=4),  # nobody can ever win
    ],
    ids=str,
)
def test_games_of_all_kinds(ruleset: Ruleset) -> None:
    check(ruleset)


@pytest.mark.parametrize(
    ("key", "target", "expected"),
    [
        ("pool", 12, {"value": "win", "plies": 7, "first_1": 0.150, "first_2": 0.250}),
        ("closest", 33, {"value": "win", "plies": 9, "first_1": 0.610, "first_2": 0.327}),
        ("conquest", 13, {"value": "win", "plies": 10, "first_1": 0.182, "first_2": 1.0}),
        ("forbidden", 13, {"value": "endless", "plies": None, "first_1": 0.278}),
        ("forbidden", 13, {"second_1": 0.722, "careful_length": None, "forced": None}),
    ],
)
def test_known_figures(key: str, target: int, expected: dict[str, Any]) -> None:
    found = measure(find_ruleset(key).replace(target=target))
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=0.0006), name


def test_chances_add_up_where_games_end() -> None:
    for target in (97, 201, 333):
        found = measure(find_ruleset("ends").replace(digits="1-9", target=target))
        assert found.first_0 + found.second_0 == pytest.approx(1, abs=1e-12)
        assert found.first_1 + found.second_1 == pytest.approx(1, abs=1e-12)


def test_the_quick_columns_agree_with_the_solver() -> None:
    for target in (13, 17, 23, 90):
        ruleset = find_ruleset("ends").replace(digits="1-9", target=target)
        found = measure(ruleset)
        assert solved_columns(ruleset) == {name: getattr(found, name) for name in SOLVED}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "targets"), [("ends", (91, 97, 101, 196)), ("forbidden", (13, 37, 59))]
)
def test_figures_are_the_same_whichever_way_the_equations_are_solved(
    key: str, targets: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rulesets = [find_ruleset(key).replace(digits="1-9", target=target) for target in targets]
    around = [measure(ruleset) for ruleset in rulesets]
    for ways in (WAYS[1:], ()):
        monkeypatch.setattr("digitduel.atlas.markov.WAYS", ways)
        assert [measure(ruleset) for ruleset in rulesets] == around


def test_where_going_round_does_not_get_there_elimination_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ruleset = find_ruleset("ends").replace(digits="1-9", target=13)
    expected = measure(ruleset)
    monkeypatch.setattr(Chain, "_go_round", lambda _self, _way, gain, _chances: 0 * gain)
    assert measure(ruleset) == expected


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("forbidden", {"target": 13}),
        ("forbidden", {"target": 28, "digits": "1,3,7", "forbidden": [3]}),
        ("forbidden", {"target": 91, "forbidden": [4, 10]}),
        ("ends", {"target": 40, "digits": "1-9", "ends": "right"}),
    ],
)
def test_no_figure_changes_where_states_that_lead_to_the_same_places_are_one(
    key: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = find_ruleset(key).replace(**changes)
    expected = measured(ruleset, COLUMNS)
    monkeypatch.setattr("digitduel.states.graph.merged", lambda graph, _: graph)
    assert measured(ruleset, COLUMNS) == expected


def test_what_does_not_fit_is_refused_in_words() -> None:
    for key in ("conquest", "ends", "forbidden"):
        with pytest.raises(TooLargeError, match="choose a smaller target"):
            measure(find_ruleset(key).replace(target=10**9 + 7))


GOOD = {
    **dict.fromkeys(("step_2", "step_3", "step_4"), 1.0),
    **dict.fromkeys(("target_2", "target_3", "target_4"), 0.5),
    **{f"{seat}_{sight}": 0.5 for seat in ("first", "second") for sight in (1, 2, 3, 4)},
    "plies": 9,
    "careful_length": 9.0,
    "forced": 0.0,
    "sums": 2,
    "recipe": None,
}


def test_appeal_wants_all_of_it() -> None:
    assert appeal(GOOD) == 1
    hopeless = {f"second_{sight}": 0.1 for sight in (1, 2, 3, 4)}
    worse: tuple[dict[str, Any], ...] = (
        *({"step_2": 0.8}, {"step_3": 0.5}, {"step_4": 0.4}, hopeless, {"forced": 0.5}),
        *({"target_2": 0.0, "target_3": 0.1}, {"sums": 3}, {"sums": 5}, {"recipe": "copy"}),
        *({"plies": 1}, {"plies": None}, {"careful_length": 3.0}, {"careful_length": None}),
    )
    for change in worse:
        assert 0 <= appeal(GOOD | change) < 1, change
    assert appeal(GOOD | {"step_3": 0.5}) == appeal(GOOD | {"recipe": "copy"}) == 0


def test_a_seat_that_is_hopeless_at_some_sights_only_is_fine() -> None:
    assert appeal(GOOD | {"second_1": 0.0, "second_3": 0.0}) == 1
