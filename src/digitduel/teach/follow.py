"""What follows a good move: every reply to it is lost, or has its answer. On its way to words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from digitduel.position import Termination
from digitduel.solver import Value
from digitduel.teach.endings import end_words
from digitduel.teach.patterns import DECIDED, either_end, find_pattern, find_remainders, grouped
from digitduel.teach.principles import MOST_NAMED, Principle, Said, nothing_finishes, subject
from digitduel.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from digitduel.position import Move, Position
    from digitduel.teach.replies import Options, Replies

SHORT_LIST, LONG_LIST = 4, 9  # groups of replies with the same answer: easy to read, or just so


class Voice(NamedTuple):
    """Who is spoken of: reasons for a good move advise, those for a bad one warn."""

    lead: str  # how a sentence about what follows begins
    can: str  # what stands before "answer"
    loser: str  # who is to reply

    @classmethod
    def of_winner(cls) -> Voice:
        """For whoever has made the move that is explained."""
        return cls("", "", "the other")

    @classmethod
    def of_loser(cls, move: Move) -> Voice:
        """For whoever is thinking of a move that loses."""
        return cls("after that ", "the other can ", f"whoever plays {move}")


@dataclass(frozen=True)
class Follow:
    """What follows a move that wins, or keeps a game open."""

    replies: Replies
    claim: Value  # for whoever answers the replies
    final: Position | None  # what best play comes to
    voice: Voice

    def said(self) -> list[Said]:
        """All there is to say, the principle first."""
        leads = chain([self.voice.lead], repeat(""))
        clauses = [
            Said(lead + text, why)
            for lead, (text, why) in zip(leads, self._clauses(), strict=False)
        ]
        return [clause.as_sentence() for clause in clauses]

    @property
    def is_all(self) -> bool:
        """Whether nothing but this can happen, so that no line of play is needed to show it."""
        return not self.replies.best or (self._last_loses and self.replies.only_fill)

    @property
    def _last_loses(self) -> bool:
        return self.replies.position.ruleset.full == "last-loses"

    @property
    def _target(self) -> int:
        return self.replies.position.ruleset.target

    def _clauses(self) -> Iterator[Said]:
        held, replies = self._hold_out(), self.replies
        if held:
            yield held
            # Whoever loses by it need not know how it is done.
            if self._last_loses and (self.voice.lead or self.is_all):
                return
        elif replies.holding and len(replies.values) <= MOST_NAMED and not self.voice.lead:
            yield from nothing_finishes(replies.position)
        if replies.ended:
            yield self._lose_at_once()
        if replies.best:
            yield from self._answers()

    # --- How to answer. ---

    def _answers(self) -> Iterator[Said]:
        replies, can = self.replies, self.voice.can
        if not replies.holding:
            yield self._every_reply()
        elif pattern := find_pattern(replies.best):
            yield Said(f"{can}{pattern.words}", (Principle.RULE,))
        elif how := self._how_to_hold():
            few = len(replies.holding) <= min(MOST_NAMED, len(replies.giving))
            why = (Principle.FEW_HOLD_OUT, *how.principles) if few else how.principles
            yield Said(f"{self._giving_words(few)}{can}{how.text}", why)
        else:
            yield from nothing_finishes(replies.position)

    def _every_reply(self) -> Said:
        giving, can = self.replies.giving, self.voice.can
        principles = [Principle.EVERY_REPLY_GIVES]
        words = f"{self._subject()} gives a win at once"
        if all(len(answers) > 1 for answers in giving.values()):
            principles.append(Principle.TWO_THREATS)
            words += " in two ways or more"
        if pattern := find_pattern(giving, DECIDED):
            principles.append(Principle.RULE)
        if how := pattern.words if pattern else _listing(giving, LONG_LIST):
            words += f": {can}{how}"
        elif all(self._finished(reply) for reply in giving):
            words += f": some digit always makes a multiple of {self._target}"
        return Said(words, tuple(principles))

    def _finished(self, reply: Move) -> bool:
        """Whether an answer to a reply makes a multiple that wins."""
        replied = self.replies.position.play(reply)
        endings = (replied.play(answer).outcome() for answer in self.replies.giving[reply])
        return any(ending and ending.termination is Termination.TARGET for ending in endings)

    def _how_to_hold(self) -> Said | None:
        """How to answer the replies that give no win at once."""
        holding = self.replies.holding
        if listing := _listing(holding, SHORT_LIST):
            return Said(listing)
        if pattern := find_pattern(holding, "any other digit"):
            return Said(pattern.words, (Principle.RULE,))
        left = [self._remainders_left(reply) for reply in holding]
        if found := find_remainders([good for good, _ in left], [bad for _, bad in left]):
            return Said(self._leaving(found), (Principle.REMAINDERS,))
        listing = _listing(holding, LONG_LIST)
        return Said(listing) if listing else None

    def _leaving(self, remainders: tuple[int, ...]) -> str:
        """The rule to leave these, with the first reply as an example."""
        reply, replied = next((r, self.replies.position.play(r)) for r in self.replies.holding)
        example = next(
            answer
            for answer in replied.legal_moves
            if replied.residue_after(answer) % self._target in remainders
        )
        others = "the others " if self.replies.giving else ""
        leave = f"leaves {listed(remainders, 'or')} by {self._target}"
        return f"answer {others}so that the number {leave}, such as {reply} with {example}"

    def _remainders_left(self, reply: Move) -> tuple[set[int], set[int]]:
        """What the number leaves after right answers to a reply, and after wrong ones."""
        replied = self.replies.position.play(reply)
        left: tuple[set[int], set[int]] = set(), set()
        for answer, worth in self.replies.values[reply].items():
            wrong = worth.value not in (Value.WIN, self.claim)
            left[wrong].add(replied.residue_after(answer) % self._target)
        return left

    def _giving_words(self, few_hold_out: bool) -> str:
        """Which replies give a win at once, as the beginning of a sentence."""
        giving, holding = self.replies.giving, self.replies.holding
        if not giving:
            return ""
        if few_hold_out:
            other = "other " if self.replies.ended else ""
            which = f"all {other}replies but {listed(either_end(holding))} give"
        elif len(either_end(giving)) <= MOST_NAMED:
            which = subject(giving, "gives")
        else:
            which = f"{len(giving)} replies give"
        return f"{which} a win at once; "

    def _lose_at_once(self) -> Said:
        position, ended = self.replies.position, self.replies.ended
        end = end_words(position.play(ended[0]), position)
        if self.replies.best or len(ended) <= MOST_NAMED:
            words = f"{subject(ended, 'loses')} at once ({end})"
        else:
            words = f"every reply loses at once ({ended[0]} makes {end})"
        every = () if self.replies.best else (Principle.EVERY_REPLY_LOSES,)
        return Said(words, every)

    def _subject(self) -> str:
        if self.replies.ended:
            return "every other reply"
        return "every reply" if len(self.replies.best) > 1 else "the only reply"

    # --- Who fills the number. ---

    def _hold_out(self) -> Said | None:
        """Where best play fills the number: why, and who places the last digit."""
        ending = self.final.outcome() if self.final else None
        how = ending.termination if ending else None
        never = f"no multiple of {self._target} can be made any more"
        if how is Termination.CLOSEST and self.replies.only_fill:
            words = f"{never}: who is closer to one at the end wins"
            return Said(words, (Principle.HOLD_OUT,))
        if how is not Termination.FULL or self.final is None:
            return None
        if not self.replies.only_fill:
            never = f"neither player can force a multiple of {self._target}"
        room = len(self.final.number) - len(self.replies.position.number)
        fill = f"{counted(room, 'more digit')} {'fills' if room == 1 else 'fill'} the number"
        words = f"{never}: {fill}, so {self.voice.loser} places the last one and loses"
        return Said(words, (Principle.HOLD_OUT,))


def _listing(options: Options, longest: int) -> str | None:
    """Each reply with an answer, if there are no more than so many groups of them."""
    groups = grouped(options)
    if len(groups) > longest:
        return None
    named = {answer: either_end(replies) for answer, replies in groups.items()}
    most = max(named, key=lambda answer: len(named[answer]))
    rest = f"; the rest with {most}" if len(groups) > 1 and len(named[most]) > MOST_NAMED else ""
    if rest:
        del named[most]
    return "answer " + "; ".join(f"{listed(r, 'or')} with {a}" for a, r in named.items()) + rest
