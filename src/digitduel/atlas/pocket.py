"""Pocket cards for people: in words, and drawn to be printed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from digitduel.describe import terms
from digitduel.fields import typed_rules
from digitduel.ruleset import find_ruleset, setting_names
from digitduel.text import listed, percent, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from digitduel.atlas.cards import Card
    from digitduel.ruleset import Ruleset

# A chance that differs by less shows the same figures.
SHOWN = 0.0005
# What a game is worth without a card, over both seats: both play alike.
WITHOUT = 0.5
# The sides of a bank card in tenths of a millimetre, and the margin of its text.
WIDTH, HEIGHT, MARGIN = 856, 540, 44
LETTER = 0.6  # of its height: about how wide a letter is


def cards_in_words(cards: Sequence[Card]) -> list[str]:
    """Those of the `cards` that help, a sentence each; if none does, that.

    >>> from digitduel.atlas.cards import Card
    >>> cards_in_words([Card((1,), 0.25, 0.75, 0.5, proved=True)])
    ['No card of 1 remainder helps against a careful player.']
    """
    if not cards:
        return ["There is no card: this target leaves no remainder."]
    if helping := helpful(cards):
        return [card_in_words(card) for card in helping]
    remainders = "1 remainder" if len(cards) == 1 else f"up to {len(cards)} remainders"
    if all(card.proved for card in cards):
        return [f"No card of {remainders} helps against a careful player."]
    return [f"No card of {remainders} was found that helps against a careful player."]


def helpful(cards: Iterable[Card]) -> list[Card]:
    """The cards that win oftener than without one, and than any before them."""
    some: list[Card] = []
    for card in cards:
        if card.average > max([WITHOUT, *(other.average for other in some)]) + SHOWN:
            some.append(card)
    return some


def card_in_words(card: Card) -> str:
    """What to leave, and what that is worth.

    >>> from digitduel.atlas.cards import Card
    >>> card_in_words(Card((3, 6, 9), 2 / 3, 17 / 24, 0.6875)).partition(":")[0]
    'Leave 3, 6 or 9'
    """
    found = "" if card.proved else "; the best found"
    return (
        f"Leave {listed(card.remainders, 'or')}: {strength(card)} (as starter "
        f"{_said(card.first)}, as second {_said(card.second)}; without the card "
        f"{_said(WITHOUT)}{_endless(card)}{found})."
    )


def strength(card: Card) -> str:
    """How often a card wins.

    >>> from digitduel.atlas.cards import Card
    >>> strength(Card((5, 16), 1.0, 0.96333, 0.98167))
    'wins 98.2% against a careful player'
    """
    return f"wins {_said(card.average)} against a careful player"


def _endless(card: Card) -> str:
    ends = abs((card.first + card.second) / 2 - card.average) < SHOWN
    return "" if ends else "; a game that never ends counts half"


def _said(chance: float) -> str:
    """A chance in a sentence.

    >>> _said(0.6875), _said(0.5), _said(0.99999)
    ('68.8%', '50%', '99.9%')
    """
    return percent(chance).replace(".0%", "%")


def card_command(ruleset: Ruleset) -> str:
    """What to type for the cards of a rule set: its name, if it has one, or else its rules.

    >>> card_command(find_ruleset("pool").replace(target=12))
    'digitduel card pool --target 12'
    >>> card_command(find_ruleset("closest").replace(target=12))
    'digitduel card closest:easy'
    """
    names = (f"{ruleset.key}:{name}" for name in setting_names(ruleset.key))
    by_rules = f"{ruleset.key} {typed_rules(ruleset, ruleset.changed)}".strip()
    known = next((name for name in names if find_ruleset(name) == ruleset), by_rules)
    return f"digitduel card {known}"


def card_picture(ruleset: Ruleset, card: Card) -> str:
    """A card as an SVG picture, as large as a bank card when it is printed."""
    rules = f"Target {ruleset.target}"
    if more := terms(ruleset):
        rules = f"{rules}, {more}"
    lines = (
        _line(100, 54, ruleset.title, weight="bold"),
        _line(148, 30, rules),
        _line(310, 130, "   ".join(map(str, card.remainders)), weight="bold", ink="#1d5fae"),
        _line(398, 30, "Win at once if you can, and give no win away."),
        _line(440, 30, f"Else leave one of these when divided by {ruleset.target}."),
        _line(496, 26, strength(card).capitalize(), ink="#555"),
    )
    title = f"Pocket card for {ruleset.title}: leave {listed(card.remainders, 'or')}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH / 10}mm" height="{HEIGHT / 10}mm" role="img" font-family="sans-serif">'
        f"<title>{_text(title)}</title>"
        f'<rect x="3" y="3" width="{WIDTH - 6}" height="{HEIGHT - 6}" rx="30" fill="#fcfcfb" '
        f'stroke="#555" stroke-width="3"/>{"".join(lines)}</svg>\n'
    )


def _line(y: int, size: float, text: str, weight: str = "normal", ink: str = "#222") -> str:
    """A line in the middle, in smaller letters if it is long."""
    size = min(size, (WIDTH - 2 * MARGIN) / (LETTER * max(1, len(text))))
    return (
        f'<text x="{WIDTH // 2}" y="{y}" text-anchor="middle" font-size="{size:.1f}" '
        f'font-weight="{weight}" fill="{ink}" xml:space="preserve">{_text(text)}</text>'
    )


def _text(text: str) -> str:
    return escape(visible(text))
