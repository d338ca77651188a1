"""Recipes: rules that a child can follow, and that win every game from one seat.

A recipe looks at nothing but the opponent's last move. It copies the digit, or always plays the
same one, or makes pairs that add up to a sum. Where both ends are open it plays at the same end as
the opponent or on the other, or always on the right or on the left. One digit it may answer in
another way, and whoever starts has a first move. It takes no win that it was not told of: followed
blindly it must win. On the empty number both ends are one: a first digit counts as put on the
right.

All such rules are tried, the simplest first. One is beaten by a line of play: to a move with which
the opponent wins, to an answer that is not allowed or loses, or round in a circle, where nobody
ever wins. An exception must change an answer on that line, so most need not be tried. What no line
beats has been followed through every reply to the end, state by state: that is its proof.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from digitduel.atlas.recipe import ENDS, AnswerException, AnswerRule, Recipe
from digitduel.errors import TooLargeError
from digitduel.position import Move, Position
from digitduel.solver.lookahead import Nodes
from digitduel.solver.size import estimate, size_in_words
from digitduel.states.endings import grown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from digitduel.ruleset import Ruleset
    from digitduel.solver.evaluation import StateKey

# A move as a search makes it: the digit's place in `used`, the digit, whether to the left.
Option: TypeAlias = tuple[int, int, bool]
# What answers what; a move is missing where its answer is never allowed.
Answers: TypeAlias = dict[Option, Option]
# Where a move leads: True where it wins, False where it loses, None if it is not allowed.
After: TypeAlias = "_State | bool | None"

# States that a search may come to, and how often it may look at one on average: some seconds.
MOST_STATES, LOOKS = 200_000, 10
# Who can have a recipe, by what the start is worth.
SEATS = {"win": ("first",), "loss": ("second",), "endless": ()}


def find_recipe(
    ruleset: Ruleset,
    value: str | None = None,
    *,
    most_states: int = MOST_STATES,
    progress: Callable[[float], object] = lambda _: None,
) -> Recipe | None:
    """The simplest recipe there is; TooLargeError if so many states do not tell.

    `value` is what the start is worth, where that is known: it spares half of the search.
    `progress` is told now and then what part of the rules has been tried.

    >>> from digitduel import find_ruleset
    >>> find_recipe(find_ruleset("conquest").replace(target=11)).text
    'the second player wins by copying the digit'
    >>> find_recipe(find_ruleset("closest").replace(target=97)) is None
    True
    """
    seats = SEATS.get(value or "", ("first", "second"))
    return _Search(ruleset, most_states).find(seats, progress)


class _State:
    """A state, and where moves lead from it: each is tried once for all rules."""

    __slots__ = ("after", "key", "live")

    def __init__(self, key: StateKey) -> None:
        self.key = key
        self.after: dict[Option, After] = {}
        self.live: list[tuple[Option, _State]] | None  # set when first asked for


class _States(Nodes):
    """The states of a rule set, as far as a search has come."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.known: dict[StateKey, _State] = {}
        self.start = self._state(self.of(Position(ruleset)))

    def after(self, state: _State, option: Option) -> After:
        """Where a move leads."""
        try:
            return state.after[option]
        except KeyError:
            after = state.after[option] = self._try(state.key, option)
            return after

    def live(self, state: _State) -> list[tuple[Option, _State]] | None:
        """The moves that do not end the game, and where they lead; None if a move wins."""
        try:
            return state.live
        except AttributeError:
            state.live = self._live(state)
            return state.live

    def _live(self, state: _State) -> list[tuple[Option, _State]] | None:
        live = []
        for option in self.options[1 if state.key.length else 0]:
            after = self.after(state, option)
            if after is True:
                return None
            if after:
                live.append((option, after))
        return live

    def _try(self, key: StateKey, option: Option) -> After:
        index, digit, left = option
        if key.used and key.used[index] == self.uses:
            return None
        residue = grown(key.residue, digit, key.place if left else None) % self.modulus
        made = self.made(key, index, residue)
        return made if isinstance(made, bool) else self._state(made)

    def _state(self, key: StateKey) -> _State:
        state = self.known.get(key)
        if state is None:
            state = self.known[key] = _State(key)
        return state


class _Space:
    """All rules for the moves that there are."""

    def __init__(self, options: Iterable[Option], two_ends: bool) -> None:
        sides = ("R", "L") if two_ends else (None, None)
        self.moves = {option: Move(option[1], sides[option[2]]) for option in options}
        self._options = {move: option for option, move in self.moves.items()}
        self._digits = sorted({move.digit for move in self._options})
        self._ends: list[str | None] = [*ENDS] if two_ends else [None]
        self.rules = list(self._rules())

    def answers(self, recipe: Recipe) -> Answers:
        """What a recipe answers to every move."""
        pairs = ((option, recipe.answer(move)) for option, move in self.moves.items())
        return {option: self._options[move] for option, move in pairs if move in self._options}

    def exceptions(self, rule: AnswerRule, digit: int) -> list[AnswerException]:
        """Every other answer to a digit, those before others that differ in one thing only."""
        usual = rule.answer(Move(digit)).digit
        other = [AnswerRule("digit", *way) for way in product(self._digits, self._ends)]
        other.sort(key=lambda way: (way.number != usual) + (way.end != rule.end))
        return [AnswerException(digit, way) for way in other]

    def _rules(self) -> Iterator[tuple[AnswerRule, Answers]]:
        """The rules and their answers, the simplest first; none that does as one before it."""
        sums = sorted({a + b for a, b in product(self._digits, repeat=2)})
        bases = [("copy", 0), *(("digit", d) for d in self._digits), *(("sum", s) for s in sums)]
        seen: list[Answers] = []
        for (kind, number), end in product(bases, self._ends):
            rule = AnswerRule(kind, number, end)
            answers = self.answers(Recipe(None, rule))
            if answers not in seen:
                seen.append(answers)
                yield rule, answers


_space = lru_cache(maxsize=64)(_Space)  # rule sets that differ in the target share it


class _Search:
    """Tries rules on one rule set."""

    def __init__(self, ruleset: Ruleset, most_states: int) -> None:
        self._ruleset, self._most_states, self._answers = ruleset, most_states, 0
        self._states = _States(ruleset)
        self._space = _space(tuple(self._states.options[1]), ruleset.ends == "both")

    def find(self, seats: Iterable[str], progress: Callable[[float], object]) -> Recipe | None:
        """The simplest recipe for one of the seats: at most one of them has any."""
        openings: list[tuple[Move | None, _State]] = []
        for first, root in self._openings(seats):
            if root is True:
                return Recipe(first, None)
            if root:
                openings.append((first, root))
        beaten = []
        for (rule, answers), (first, root) in product(self._space.rules, openings):
            line = self._beaten_by(root, answers)
            if line is None:
                return Recipe(first, rule)
            beaten.append((first, rule, answers, root, line))
        for tried, (first, rule, answers, root, line) in enumerate(beaten):
            progress(tried / len(beaten))
            exception = self._exception(rule, answers, root, line)
            if exception is not None:
                return Recipe(first, rule, exception)
        return None

    def _openings(self, seats: Iterable[str]) -> Iterator[tuple[Move | None, After]]:
        """The recipe's first move if it has one, and where the opponent is then to move."""
        if "first" in seats:
            for option in self._states.options[0]:
                yield self._space.moves[option], self._states.after(self._states.start, option)
        if "second" in seats:
            yield None, self._states.start

    def _exception(
        self, rule: AnswerRule, answers: Answers, root: _State, line: Iterable[int]
    ) -> AnswerException | None:
        """The simplest exception that saves a rule, which a line with these digits beats."""
        for digit in sorted(line):
            if self._beaten_by(root, answers, spared=digit) is not None:
                continue  # whatever the answer to this digit is
            for exception in self._space.exceptions(rule, digit):
                changed = self._space.answers(Recipe(None, rule, exception))
                if self._beaten_by(root, changed) is None:
                    return exception
        return None

    def _beaten_by(
        self, root: _State, answers: Answers, spared: int | None = None
    ) -> set[int] | None:
        """The digits that are answered on a line which beats the answers; None if no line does.

        A digit that is `spared` is never answered on that line.
        """
        proved: set[_State] = set()
        line: dict[_State, int | None] = {root: None}  # and the digit that was answered to get here
        waiting = [iter(self._ahead(root, answers, spared))]
        while waiting:
            for digit, state in waiting[-1]:
                if state is None or state in line:
                    return {each for each in (*line.values(), digit) if each is not None}
                if state not in proved:
                    line[state] = digit
                    waiting.append(iter(self._ahead(state, answers, spared)))
                    break
            else:
                waiting.pop()
                proved.add(line.popitem()[0])
        return None

    def _ahead(
        self, state: _State, answers: Answers, spared: int | None
    ) -> list[tuple[int | None, _State | None]]:
        """Where the opponent is to move next, each with the digit answered; None if that fails."""
        live = self._states.live(state)
        if live is None:
            return [(None, None)]
        self._look(len(live))
        ahead: list[tuple[int | None, _State | None]] = []
        for option, reply in live:
            digit = option[1]
            if digit == spared:
                continue
            after = option in answers and self._states.after(reply, answers[option])
            if not after:
                return [(digit, None)]
            if after is not True:
                ahead.append((digit, after))
        return ahead

    def _look(self, answers: int) -> None:
        """Count answers; TooLargeError, in words, if they or the states become too many."""
        self._answers += answers
        if max(len(self._states.known), self._answers // LOOKS) > self._most_states:
            size = size_in_words(self._ruleset, estimate(self._ruleset))
            raise TooLargeError(
                f"{self._most_states:,} states do not tell whether there is a recipe, and {size}: "
                "choose a smaller target, a shorter limit or fewer digits."
            )
