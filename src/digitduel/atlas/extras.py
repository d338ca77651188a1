"""What to say when a part that only the atlas needs is not installed."""

from __future__ import annotations

from digitduel.errors import DigitDuelError


def missing(error: ImportError, extra: str, purpose: str) -> DigitDuelError:
    """The error for a library that could not be imported."""
    return DigitDuelError(
        f"{purpose} needs {error.name}, which is not installed: "
        f"install it with pip install 'digitduel[{extra}]'."
    )
