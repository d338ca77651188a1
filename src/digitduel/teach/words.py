"""One sign and one word for each value, wherever it is shown."""

from __future__ import annotations

from digitduel.solver import Evaluation, Value

# How a value is shown and said.
SIGNS = {Value.WIN: "+", Value.LOSS: "-", Value.ENDLESS: "=", Value.UNKNOWN: "?"}
# What a move does that has this value.
WORDS = {
    Value.WIN: "wins",
    Value.LOSS: "loses",
    Value.ENDLESS: "keeps it open",
    Value.UNKNOWN: "not known",
}


def in_words(worth: Evaluation) -> str:
    """What a move is `worth`, in words.

    >>> in_words(Evaluation(Value.WIN, 3)), in_words(Evaluation(Value.ENDLESS))
    ('wins in 3', 'keeps it open')
    """
    words = WORDS[worth.value]
    return words if worth.plies is None else f"{words} in {worth.plies}"
