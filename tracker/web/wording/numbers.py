"""Reading numbers that people type."""

from tracker.core.house_rules import MOST_CHIPS

MOST_DIGITS = len(str(MOST_CHIPS))


def whole_number(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the whole number that `text` spells in ASCII digits, spaces around it aside; None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None


def chips_typed(text: str, least: int = 0) -> int | None:
    """Return the chips that `text` spells, from `least` to as many as one event may have; None for anything else."""
    chips = whole_number(text)
    return chips if chips is not None and least <= chips <= MOST_CHIPS else None
