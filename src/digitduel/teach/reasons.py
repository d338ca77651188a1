"""Why a move wins, loses or keeps a game open: in words, with the arithmetic and the line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from digitduel.position import Move, Position
from digitduel.solver import Evaluation, Lookahead, Value, evaluator_for
from digitduel.teach.endings import end_words, number_words
from digitduel.teach.follow import Follow, Voice
from digitduel.teach.lost import LostPosition
from digitduel.teach.patterns import find_pattern, grouped
from digitduel.teach.principles import Advice, Principle, Said, nothing_finishes
from digitduel.teach.replies import Replies
from digitduel.teach.verdicts import WORDS, in_words, nothing_forced
from digitduel.text import listed

if TYPE_CHECKING:
    from digitduel.solver import Evaluator

LONGEST_LINE = 9  # moves that are written out
NONE_KNOWN = Advice()


@dataclass(frozen=True)
class Reason:
    """What a move is worth to whoever makes it, and why.

    `line` is best play from the move on, the move first: it ends the game after `plies` moves.
    `answers` holds, for each reply that lets the game go on, an answer that keeps what is claimed.
    `principles` are what the text rests on, in its order.
    """

    text: str
    value: Value
    plies: int | None
    line: tuple[Move, ...]
    answers: tuple[tuple[Move, Move], ...] = ()
    principles: tuple[Principle, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the API writes it."""
        line = [str(move) for move in self.line]
        named = [principle.value for principle in self.principles]
        return {
            "text": self.text,
            "value": self.value.value,
            "plies": self.plies,
            "line": line,
            "principles": named,
        }


def explain(
    position: Position,
    move: Move | str,
    evaluator: Evaluator | None = None,
    advice: Advice = NONE_KNOWN,
) -> Reason:
    """The reason for the value of a move, or of its text; `advice` is known of the setting.

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
        won = outcome.winner is position.turn
        worth = Evaluation(Value.WIN if won else Value.LOSS, 1)
    else:
        worth = evaluator.probe(after).before()
    return _Explanation(position, move, after, worth, evaluator, advice).reason()


@dataclass(frozen=True)
class _Explanation:
    """One move on its way to words."""

    position: Position
    move: Move
    after: Position
    worth: Evaluation
    evaluator: Evaluator
    advice: Advice

    def reason(self) -> Reason:
        if self.after.outcome():
            return self._end()
        says = {
            Value.WIN: self._win,
            Value.LOSS: self._loss,
            Value.ENDLESS: self._endless,
            Value.UNKNOWN: self._unknown,
        }
        return says[self.worth.value]()

    def _end(self) -> Reason:
        end = f"{self.move} {WORDS[self.worth.value]}: {end_words(self.after, self.position)}."
        said = [Said(end, (Principle.ENDS_IT,))]
        if self.worth.value is Value.LOSS:
            said += LostPosition(self.position, self.evaluator).said(self.after, self.worth)
        return self._made(said, (self.move,))

    def _win(self) -> Reason:
        replies = Replies.to(self.after, self._mind(self.worth.plies or 0))
        answers = _chosen(replies)
        line, positions = self._line((self.move,), answers)
        leaves = Said(f"{self.move} {in_words(self.worth)}: it leaves {number_words(self.after)}.")
        follow = Follow(replies, Value.WIN, positions[-1], Voice.of_winner())
        said = [leaves, *follow.said()]
        rest = [] if follow.is_all else _rest(line, positions, said)
        return self._made([*said, *rest], line, answers)

    def _loss(self) -> Reason:
        lost_position = LostPosition(self.position, self.evaluator)
        by_rule = lost_position.pattern.answers if lost_position.pattern else {}
        reply = by_rule.get(self.move) or self.evaluator.best_moves(self.after)[0]
        replied, lost = self.after.play(reply), lost_position.said(self.after, self.worth)
        leaves = f"it leaves {number_words(self.after)}, and then {reply} makes"
        if replied.outcome():
            text = f"{self.move} loses: {leaves} {end_words(replied, self.after)}."
            return self._made([Said(text, (Principle.GIVES_A_WIN,)), *lost], (self.move, reply))
        said = [Said(f"{self.move} {in_words(self.worth)}: {leaves} {number_words(replied)}.")]
        mind = self._mind((self.worth.plies or 0) - 1)
        if by_rule or (mind is self.evaluator and not mind.exact):
            # The rule is enough; and a look-ahead would have to look at every reply anew.
            line, positions = self._line((self.move, reply), ())
            return self._made([*said, *_rest(line, positions, said), *lost], line)
        replies = Replies.to(replied, mind)
        line, positions = self._line((self.move, reply), _chosen(replies))
        follow = Follow(replies, Value.WIN, positions[-1], Voice.of_loser(self.move))
        said += follow.said()
        # Where all moves lose, how they do matters less than what to hope for.
        rest = [] if lost or follow.is_all else _rest(line, positions, said)
        return self._made([*said, *rest, *lost], line)

    def _endless(self) -> Reason:
        replies = Replies.to(self.after, self.evaluator)
        answers = _chosen(replies)
        text = (
            f"{self.move} keeps the game open: it makes {number_words(self.after)}, and neither "
            f"player can force a win."
        )
        follow = Follow(replies, Value.ENDLESS, None, Voice.of_winner()).said()
        exchange = answers[0] if answers else ()
        return self._made([Said(text), *follow], (self.move, *exchange), answers)

    def _unknown(self) -> Reason:
        seen = nothing_forced(self.evaluator.sight(self.position) or 0)
        said = [Said(f"{self.move} makes {number_words(self.after)}: {seen}.")]
        said.extend(nothing.as_sentence() for nothing in nothing_finishes(self.after))
        return self._made(said, (self.move,))

    def _advised(self) -> list[Said]:
        """What is known of the setting, where it speaks of this move."""
        recipe, card = self.advice
        left, said = self.after.remainder, []
        if left in card and self.worth.value is not Value.LOSS:
            words = f"{left} is on the pocket card: leave {listed(card, 'or')}."
            said.append(Said(words, (Principle.CARD,)))
        if recipe and len(self.position.number) < 2:
            said.append(Said(f"From the start {recipe}.", (Principle.RECIPE,)))
        return said

    def _mind(self, plies: int) -> Evaluator:
        """Who knows the answers where a move wins in so many plies, and finds them quickest."""
        if self.evaluator.exact or plies > 3:
            return self.evaluator
        return Lookahead(self.position.ruleset, depth=1)

    def _line(
        self, begun: tuple[Move, ...], answers: tuple[tuple[Move, Move], ...]
    ) -> tuple[tuple[Move, ...], list[Position]]:
        """Best play that has begun so, with these answers to the next reply, and its positions."""
        line, positions = list(begun), list(accumulate(begun, Position.play, initial=self.position))
        while positions[-1].outcome() is None:
            best = self.evaluator.best_moves(positions[-1])[0]
            if len(line) == len(begun) + 1:
                best = dict(answers).get(line[-1], best)
            line.append(best)
            positions.append(positions[-1].play(best))
        return tuple(line), positions

    def _made(
        self,
        said: list[Said],
        line: tuple[Move, ...],
        answers: tuple[tuple[Move, Move], ...] = (),
    ) -> Reason:
        said = [*said, *self._advised()]
        text = " ".join(each.text for each in said)
        return Reason(text, *self.worth, line, answers, _principles(said))


def _chosen(replies: Replies) -> tuple[tuple[Move, Move], ...]:
    """One answer for each reply that lets the game go on: the one that is named, if any is."""
    if pattern := find_pattern(replies.best):
        return tuple(pattern.answers.items())
    groups = [*grouped(replies.giving).items(), *grouped(replies.holding).items()]
    answer_to = {reply: answer for answer, group in groups for reply in group}
    return tuple((reply, answer_to[reply]) for reply in replies.best)


def _principles(said: list[Said]) -> tuple[Principle, ...]:
    """All that is stated, each once."""
    return tuple(dict.fromkeys(principle for each in said for principle in each.principles))


def _rest(line: tuple[Move, ...], positions: list[Position], said: list[Said]) -> list[Said]:
    """How best play goes on to its end, in as many words as what was said leaves to say."""
    final, before = positions[-1], positions[-2]
    last_loses = final.ruleset.full == "last-loses"
    known = last_loses and Principle.HOLD_OUT in _principles(said)
    end = number_words(final) if known else end_words(final, before)
    if len(line) <= LONGEST_LINE:
        return [Said(f"Best play is {' '.join(map(str, line))}: {end}.")]
    if known:
        return []
    begin = " ".join(map(str, line[:LONGEST_LINE]))
    return [Said(f"Best play begins with {begin}, and ends with {end}.")]
