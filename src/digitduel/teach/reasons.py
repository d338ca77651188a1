"""Why a move wins, loses or keeps a game open: in words, with the arithmetic and the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from digitduel.describe import divided, division, shorten
from digitduel.position import Move, Position, Termination
from digitduel.solver import Value, evaluator_for
from digitduel.teach.patterns import find_pattern, grouped
from digitduel.teach.verdicts import WORDS, in_words, nothing_forced
from digitduel.text import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from digitduel.solver import Evaluation, Evaluator

MOST_GROUPS = 4

# For every reply of the opponent, the answers that are best; none where the reply ends the game.
Options = dict[Move, tuple[Move, ...]]


@dataclass(frozen=True)
class Reason:
    """What a move is worth to whoever makes it, and why.

    `line` is best play from the move on, the move first: it ends the game after `plies` moves.
    `answers` holds, for each reply that lets the game go on, an answer that keeps what is claimed.
    """

    text: str
    value: Value
    plies: int | None
    line: tuple[Move, ...]
    answers: tuple[tuple[Move, Move], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the API writes it."""
        line = [str(move) for move in self.line]
        return {"text": self.text, "value": self.value.value, "plies": self.plies, "line": line}


def explain(position: Position, move: Move | str, evaluator: Evaluator | None = None) -> Reason:
    """The reason for the value of a move, or of its text.

    >>> from digitduel import Game, find_ruleset
    >>> game = Game(find_ruleset("conquest"), [Move(1)])
    >>> explain(game.position, Move(4)).text
    '4 wins: 14 = 7 x 2 + 0.'
    >>> explain(game.position, Move(2)).text
    '2 loses: it leaves 12 = 7 x 1 + 5, and then 6 makes 126 = 7 x 18 + 0.'
    """
    evaluator = evaluator or evaluator_for(position.ruleset)
    after = position.play(move)
    move = position.as_written(Move.of(move))
    if outcome := after.outcome():
        value = Value.WIN if outcome.winner is position.turn else Value.LOSS
        text = f"{move} {WORDS[value]}: {_end_words(after, position)}."
        return Reason(text, value, 1, (move,))
    worth = evaluator.probe(after).before()
    return _Explanation(position, move, after, worth, evaluator).reason()


@dataclass(frozen=True)
class _Explanation:
    """One move that does not end the game, on its way to words."""

    position: Position
    move: Move
    after: Position
    worth: Evaluation
    evaluator: Evaluator

    def reason(self) -> Reason:
        says = {
            Value.WIN: self._win,
            Value.LOSS: self._loss,
            Value.ENDLESS: self._endless,
            Value.UNKNOWN: self._unknown,
        }
        return says[self.worth.value]()

    def _loss(self) -> Reason:
        line, positions = self._line()
        reply, final = line[1], positions[-1]
        leaves = f"it leaves {division(self.after)}"
        if len(line) == 2:
            end = _end_words(final, positions[-2])
            text = f"{self.move} loses: {leaves}, and then {reply} makes {end}."
        else:
            text = (
                f"{self.move} {in_words(self.worth)}: {leaves}, and then {reply} makes "
                f"{division(positions[1])}. {self._rest(line, positions)}"
            )
        return Reason(self._with_pattern(text), self.worth.value, self.worth.plies, line)

    def _with_pattern(self, text: str) -> str:
        """If one rule beats every move of this position, that is worth more than one reply."""
        values = self.evaluator.move_values(self.position).values()
        if not all(worth.value is Value.LOSS for worth in values):
            return text
        options = {move: best for move, best in self._options(self.position).items() if best}
        pattern = find_pattern(options, _decides(self.position, options))
        if not pattern:
            return text
        return f"{text} Every digit loses here: the other can {pattern[0].lower()}{pattern[1:]}."

    def _win(self) -> Reason:
        options = self._options(self.after)
        answers = _chosen(options)
        line, positions = self._line(dict(answers))
        leaves = f"it leaves {division(self.after)}"
        text = f"{self.move} {in_words(self.worth)}: {leaves}. {self._answers_words(options)}"
        if len(line) > 2:
            text += f" {self._rest(line, positions)}"
        return Reason(text, self.worth.value, self.worth.plies, line, answers)

    def _endless(self) -> Reason:
        options = self._options(self.after)
        answers = _chosen(options)
        text = (
            f"{self.move} keeps the game open: it makes {division(self.after)}, and neither "
            f"player can force a win. {self._answers_words(options)}"
        )
        exchange = answers[0] if answers else ()
        return Reason(text, Value.ENDLESS, None, (self.move, *exchange), answers)

    def _unknown(self) -> Reason:
        depth = self.evaluator.sight(self.position) or 0
        text = f"{self.move} makes {division(self.after)}: {nothing_forced(depth)}."
        return Reason(text, Value.UNKNOWN, None, (self.move,))

    def _line(
        self, answers: Mapping[Move, Move] | None = None
    ) -> tuple[tuple[Move, ...], list[Position]]:
        """Best play from the move on, with these answers, and the positions it leads through."""
        moves, positions = [self.move], [self.after]
        while positions[-1].outcome() is None:
            best = self.evaluator.best_moves(positions[-1])[0]
            if len(moves) == 2 and answers:
                best = answers.get(moves[1], best)
            moves.append(best)
            positions.append(positions[-1].play(best))
        return tuple(moves), positions

    def _options(self, position: Position) -> Options:
        after = {reply: position.play(reply) for reply in position.legal_moves}
        return {
            reply: () if replied.outcome() else self.evaluator.best_moves(replied)
            for reply, replied in after.items()
        }

    def _answers_words(self, options: Options) -> str:
        """What to answer to every reply, in as few words as it takes."""
        ends = [reply for reply, best in options.items() if not best]
        going = {reply: best for reply, best in options.items() if best}
        parts = []
        if going:
            pattern = find_pattern(going, _decides(self.after, going))
            parts.append(pattern or _listed_answers(going))
        if ends:
            first = self.after.play(ends[0])
            verb = "loses" if len(ends) == 1 else "lose"
            parts.append(f"{listed(ends)} {verb} at once ({_end_words(first, self.after)})")
        return "; ".join(parts) + "."

    def _rest(self, line: tuple[Move, ...], positions: list[Position]) -> str:
        """How the line goes on to its end."""
        moves = " ".join(map(str, line))
        return f"Best play is {moves}: {_end_words(positions[-1], positions[-2])}."


def _listed_answers(going: Options) -> str:
    groups = grouped(going)
    if len(groups) <= MOST_GROUPS:
        return "Answer " + "; ".join(f"{listed(r, 'or')} with {a}" for a, r in groups.items())
    return f"There is an answer to each of the {len(going)} replies"


def _decides(position: Position, options: Options) -> bool:
    """Whether every reply is answered by the end of the game."""
    return all(
        position.play(reply).play(best[0]).outcome() is not None for reply, best in options.items()
    )


def _chosen(options: Options) -> tuple[tuple[Move, Move], ...]:
    """One answer for each reply that lets the game go on."""
    by_answer = grouped({reply: best for reply, best in options.items() if best})
    answer_to = {reply: answer for answer, replies in by_answer.items() for reply in replies}
    return tuple((reply, answer_to[reply]) for reply in options if reply in answer_to)


def _end_words(final: Position, before: Position) -> str:
    """What ended the game, with the arithmetic."""
    outcome = final.outcome()
    match outcome.termination if outcome else None:
        case Termination.FORBIDDEN:
            divisor = final.forbidden_divisors[0]
            return f"{divided(final.number, divisor, 0)}, and {divisor} is forbidden"
        case Termination.FULL:
            return f"{division(final)}, the number is full, and the last to move loses"
        case Termination.CLOSEST:
            return _closest_words(final, before)
        case Termination.STUCK:
            return _stuck_words(final)
    return division(final)


def _closest_words(final: Position, before: Position) -> str:
    target = final.ruleset.target
    last, other = final.distance, before.distance
    words = (
        f"{division(final)}, the number is full, and {shorten(final.number)} is {last} away from "
        f"a multiple of {target} while {shorten(before.number)} is {other} away"
    )
    return f"{words}; at a tie the last to move loses" if last == other else words


def _stuck_words(final: Position) -> str:
    words = f"{division(final)}, and nothing safe can be added to {shorten(final.number)}"
    digit, left = final.available_digits[0], final.ruleset.ends == "left"
    number = f"{digit}{final.number}" if left else f"{final.number}{digit}"
    residue = final.residue_after(Move(digit, "L" if left else "R"))
    struck = [divisor for divisor in final.ruleset.forbidden if residue % divisor == 0]
    return f"{words} ({divided(number, struck[0], 0)} is forbidden, for one)" if struck else words
