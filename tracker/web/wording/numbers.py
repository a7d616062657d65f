"""Reading numbers that people type."""

from __future__ import annotations

MOST_DIGITS = 7
"""A million, the largest number of chips, has seven."""


def whole_number(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the whole number that `text` spells in ASCII digits, spaces around it aside; None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None
