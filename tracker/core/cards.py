"""The cards of a pack by their texts: a rank and a suit, such as `10H`."""

from collections.abc import Mapping

from tracker.core.errors import N_

SUITS: Mapping[str, str] = {"C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts"), "S": N_("spades")}
RANKS = (*map(str, range(2, 11)), "J", "Q", "K", "A")
PACK = 52
"""Cards of a pack."""


def is_card(text: str) -> bool:
    """Return whether a text is a card such as `10H`, or a rank alone."""
    return text in RANKS or (text[:-1] in RANKS and text[-1:] in SUITS)
