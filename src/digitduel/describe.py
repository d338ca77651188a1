"""A game in words: the number, the division, the rules, the result. One place for each phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from digitduel.fields import RULES, format_digits
from digitduel.match import other_seat, seat_of
from digitduel.position import Position, Termination
from digitduel.text import counted, listed
from digitduel.wording import fill, remarks_that_hold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from digitduel.game import PlayedGame
    from digitduel.ruleset import Ruleset
    from digitduel.wording import Remark

LONGEST_NUMBER = 40
KEPT_AT_EACH_END = 15
LONGEST_SPOKEN = 9  # digits that are spoken of one by one; of a longer number only the remainder
SHORT_OF_TIME = 20_000  # milliseconds


class ShownNumber(NamedTuple):
    """A number as people see it, with the digit that was added last set off."""

    before: str = ""
    last: str = ""
    after: str = ""

    @property
    def plain(self) -> str:
        """For where there is neither colour nor weight.

        >>> ShownNumber("52", "1").plain
        '52[1]'
        """
        if not (self.before or self.after):
            return self.last  # a single digit has nothing to be set off from
        return f"{self.before}[{self.last}]{self.after}" if self.last else self.before


def shorten(number: str) -> str:
    """A number that fits a line.

    >>> shorten("521")
    '521'
    >>> shorten("7" * 100)
    '777777777777777...777777777777777 (100 digits)'
    """
    if len(number) <= LONGEST_NUMBER:
        return number
    ends = number[:KEPT_AT_EACH_END], number[-KEPT_AT_EACH_END:]
    return f"{ends[0]}...{ends[1]} ({len(number):,} digits)"


def shown_number(game: PlayedGame) -> ShownNumber:
    """The number of a game, shortened if need be, with its last digit set off."""
    number = game.position.number
    if not number:
        return ShownNumber(game.ruleset.wording.shown_empty)
    short = shorten(number)
    digits, space, length = short.partition(" ")
    if game.position.goes_left(game.move_stack[-1]):
        return ShownNumber("", digits[0], digits[1:] + space + length)
    return ShownNumber(digits[:-1], digits[-1], space + length)


def division(position: Position) -> str:
    """What dividing by the target leaves, in full where the number is not too long.

    >>> from digitduel import Game, Move, find_ruleset
    >>> division(Game(find_ruleset("pool"), map(Move, (5, 2, 1))).position)
    '521 = 7 x 74 + 3'
    """
    return divided(position.number, position.ruleset.target, position.remainder)


def divided(number: str, divisor: int, remainder: int) -> str:
    """A number divided, as a line of arithmetic."""
    if len(number) > LONGEST_NUMBER:
        return f"{shorten(number)} leaves {remainder} when divided by {divisor}"
    return f"{number} = {divisor} x {int(number) // divisor} + {remainder}"


def spoken(number: str, divisor: int, remainder: int) -> str:
    """A number divided, as somebody says it who explains: a long one by its remainder alone.

    >>> spoken("521", 7, 3), spoken("5" * 14, 7, 6), spoken("7" * 14, 7, 0)
    ('521 = 7 x 74 + 3', 'the remainder 6 by 7 (14 digits)', 'a multiple of 7 (14 digits)')
    """
    if len(number) <= LONGEST_SPOKEN:
        return divided(number, divisor, remainder)
    left = f"the remainder {remainder} by {divisor}" if remainder else f"a multiple of {divisor}"
    return f"{left} ({len(number):,} digits)"


def divisions(position: Position) -> list[str]:
    """The division by the target, and by each forbidden divisor that struck."""
    struck = [divided(position.number, divisor, 0) for divisor in position.forbidden_divisors]
    return [division(position), *struck]


def digits_left(position: Position) -> str:
    """The digits still available, with how often where that is more than once.

    >>> from digitduel import find_ruleset
    >>> digits_left(Position(find_ruleset("pool").replace(digits="1-3", uses=2)))
    '1 (2), 2 (2), 3 (2)'
    """
    rules = position.ruleset
    if rules.uses is None or rules.uses == 1:
        return " ".join(map(str, position.available_digits)) or "none"
    left = [(d, rules.uses - n) for d, n in zip(rules.digits, position.state.used, strict=True)]
    return ", ".join(f"{digit} ({count})" for digit, count in left if count) or "none"


def general_words(position: Position) -> dict[str, str]:
    """The placeholders that hold for any line of a game."""
    rules = position.ruleset
    return {
        "title": rules.title,
        "target": str(rules.target),
        "forbidden": ", ".join(map(str, rules.forbidden)) or "none",
        "digits": digits_left(position),
        "range": format_digits(position.available_digits),
        "number": shorten(position.number) or rules.wording.shown_empty,
    }


def result(game: PlayedGame, players: tuple[str, str], first: int) -> str:
    """Who won and why, in the game's own words."""
    outcome = game.outcome()
    if outcome is None:
        return "The game is not over."
    wording = game.ruleset.wording
    words = general_words(game.position)
    words["divisor"] = listed(game.position.forbidden_divisors)
    # Whose time is up is to move, whether the other wins or not.
    out_of_time = outcome.termination is Termination.TIME
    if winner := game.position.turn.other if out_of_time else outcome.winner:
        seat = seat_of(winner, first)
        words["winner"], words["loser"] = players[seat - 1], players[other_seat(seat) - 1]
    line = getattr(wording, RESULT_LINES[outcome.termination])
    if out_of_time and outcome.winner is None:
        line = wording.time_up_for_nobody
    if outcome.termination is Termination.CLOSEST:
        words |= _closeness(game)
        if words["winner_distance"] == words["loser_distance"]:
            line = wording.lost_tie
    return fill(line, **words)


RESULT_LINES = {
    Termination.TARGET: "won_target",
    Termination.FORBIDDEN: "lost_forbidden",
    Termination.STUCK: "lost_stuck",
    Termination.FULL: "lost_full",
    Termination.CLOSEST: "won_closest",
    Termination.RESIGNED: "resigned",
    Termination.CALLED_OFF: "called_off",
    Termination.TIME: "time_up",
}


def time_left(milliseconds: int) -> str:
    """What a clock shows: tenths of a second only where they matter.

    >>> time_left(298_900), time_left(9_870), time_left(0)
    ('4:58', '0:09.8', '0:00.0')
    """
    tenths = milliseconds // 100
    minutes, seconds = divmod(tenths // 10, 60)
    in_short = f".{tenths % 10}" if milliseconds < SHORT_OF_TIME else ""
    return f"{minutes}:{seconds:02}{in_short}"


def _closeness(game: PlayedGame) -> dict[str, str]:
    """The last number of each player and how far it is from a multiple."""
    last, before = game.position, game.previous
    ended = last.outcome()
    last_mover_won = ended is not None and ended.winner is last.turn.other
    winner, loser = (last, before) if last_mover_won else (before, last)
    return {
        "winner_number": shorten(winner.number),
        "winner_distance": str(winner.distance),
        "loser_number": shorten(loser.number),
        "loser_distance": str(loser.distance),
    }


def changed_rules(ruleset: Ruleset) -> str:
    """What was agreed besides the target, in short; empty for a game as it ships.

    >>> from digitduel import find_ruleset
    >>> changed_rules(find_ruleset("conquest").replace(digits="0-9", uses=2))
    'digits 0-9, each digit twice'
    """
    return setting(ruleset, [name for name in ruleset.changed if name != "target"])


def terms(ruleset: Ruleset) -> str:
    """What a player must keep in mind besides the target: what was changed or is forbidden.

    >>> from digitduel import find_ruleset
    >>> terms(find_ruleset("forbidden"))
    '2, 3 and 5 forbidden'
    """
    named = {*ruleset.changed, *(("forbidden",) if ruleset.forbidden else ())} - {"target"}
    return setting(ruleset, [name for name in RULES if name in named])


def setting(ruleset: Ruleset, names: Iterable[str]) -> str:
    """Some rules as people say them, in short.

    >>> from digitduel import find_ruleset
    >>> ends = find_ruleset("ends").replace(target=55, digits="1-6", uses=2)
    >>> setting(ends, ("target", "digits", "uses"))
    'target 55, digits 1-6, each digit twice'
    """
    return ", ".join(RULES[name].in_short(getattr(ruleset, name)) for name in names)


def tips(ruleset: Ruleset) -> list[str]:
    """The tips that are true under these rules."""
    return [tip.text for tip in remarks_that_hold(ruleset.tips, ruleset)]


def rulings(ruleset: Ruleset) -> list[Remark]:
    """How unclear points of the rulebook are settled, as far as they come up under these rules."""
    return remarks_that_hold(ruleset.rulings, ruleset)


def cautions(ruleset: Ruleset) -> list[str]:
    """What to know before playing: a game that is over at once, or pointless."""
    note = opening_note(ruleset)
    return [*([note] if note else []), *ruleset.warnings]


def opening_note(ruleset: Ruleset) -> str | None:
    """The warning that whoever starts can win at once, if so.

    >>> from digitduel import find_ruleset
    >>> print(opening_note(find_ruleset("pool")))
    With these settings the game is over on move 1: whoever starts plays 7 and wins.
    """
    digits = sorted({move.digit for move in Position(ruleset).winning_moves})
    if not digits:
        return None
    return (
        "With these settings the game is over on move 1: "
        f"whoever starts plays {listed(digits, 'or')} and wins."
    )


def goal(ruleset: Ruleset) -> str:
    """What it is about in a line: the game's own, unless that is about rules that were changed.

    >>> from digitduel import find_ruleset
    >>> goal(find_ruleset("forbidden").replace(forbidden=[11]))
    'Make the number divisible by 7, but never by 11, and you win.'
    """
    if set(ruleset.changed) <= {"target"}:
        return ruleset.goal
    never = f", but never by {listed(ruleset.forbidden, 'or')}," if ruleset.forbidden else ""
    return f"Make the number divisible by {ruleset.target}{never} and you win."


def rules_in_words(ruleset: Ruleset) -> list[str]:
    """The rules as sentences, made from the parameters alone."""
    return [
        "Two players take turns. A move adds one digit to a number that both share.",
        _digits_sentence(ruleset),
        _ends_sentence(ruleset),
        *_win_sentences(ruleset),
        *_full_sentences(ruleset),
        *_zero_sentences(ruleset),
    ]


def _digits_sentence(ruleset: Ruleset) -> str:
    known = {None: "each as often as you like", 1: "each once"}
    often = known.get(ruleset.uses, f"each at most {ruleset.uses} times")
    return f"The digits are {format_digits(ruleset.digits)}, {often}."


def _ends_sentence(ruleset: Ruleset) -> str:
    if ruleset.ends == "both":
        return "A digit goes to the left or to the right end, as the player says."
    return f"A digit goes to the {ruleset.ends} end."


def _win_sentences(ruleset: Ruleset) -> list[str]:
    target = f"Make the number divisible by {ruleset.target} and you win at once."
    if not ruleset.forbidden:
        return [target]
    forbidden = listed(ruleset.forbidden, "or")
    return [
        f"Make the number divisible by {forbidden} and you lose at once, "
        f"even if {ruleset.target} divides it too.",
        target,
        "Whoever has no safe move left has lost without moving.",
    ]


def _full_sentences(ruleset: Ruleset) -> list[str]:
    if ruleset.capacity is None:
        return ["The number may grow without end; both players can agree to call a game off."]
    size = counted(ruleset.capacity, "digit")
    if ruleset.full == "last-loses":
        return [f"At {size} the number is full: if nobody has won by then, the last to move loses."]
    return [
        f"At {size} the number is full. If nobody has won by then, compare the last number that "
        f"each player made: the one closer to a multiple of {ruleset.target} wins, "
        "and if both are as close, the last to move loses."
    ]


def _zero_sentences(ruleset: Ruleset) -> list[str]:
    if 0 not in ruleset.digits:
        return []
    if ruleset.leading_zero:
        return ["The number may begin with 0; 0 itself is divisible by everything."]
    return ["The number may not begin with 0."]
