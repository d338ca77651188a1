"""One number that ranks settings for people: fairness times skill times pace, each from 0 to 1."""

from __future__ import annotations

# A game of 2 moves or fewer is none, from 6 moves on it is one, beyond 20 it begins to drag.
TOO_SHORT, LONG_ENOUGH, LONG, TOO_LONG = 2, 6, 20, 40
# What a game that may never end is worth beside one of good length; a long one is never worse.
MAY_NEVER_END = 0.25


def appeal(
    *,
    plies: int | None,
    casual_first: float,
    casual_second: float,
    casual_length: float | None,
    careful_length: float | None,
    casual_skill: float,
    careful_skill: float,
    **_: object,
) -> float:
    """How well a setting suits people: fair among casual players, won by skill, of good length."""
    fairness = 2 * min(casual_first, casual_second)
    skill = (_above_even(casual_skill) + 2 * _above_even(careful_skill)) / 3
    return fairness * skill * min(_pace(each) for each in (plies, casual_length, careful_length))


def _above_even(chance: float) -> float:
    """What a chance of winning is above one half: skill that wins every other game wins nothing."""
    return max(0.0, 2 * chance - 1)


def _pace(moves: float | None) -> float:
    """How good a length is.

    >>> _pace(2), _pace(4), _pace(9), _pace(30), _pace(90), _pace(None)
    (0.0, 0.5, 1.0, 0.5, 0.25, 0.25)
    """
    if moves is None:
        return MAY_NEVER_END
    if moves > LONG:
        return max(MAY_NEVER_END, (TOO_LONG - moves) / (TOO_LONG - LONG))
    return max(0.0, min(1.0, (moves - TOO_SHORT) / (LONG_ENOUGH - TOO_SHORT)))
