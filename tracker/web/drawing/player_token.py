"""How people and pots look on every page: the token with its colour and letters, the little card with its suit."""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from tracker.core.night import Night
from tracker.core.preset import Pot

COLOURS = 8
LONG_NAME = 6


@dataclass(frozen=True)
class PlayerToken:
    """A person as a token: the colour (1 to 8), the letters on it, and the name."""

    seat: str
    name: str
    initial: str
    colour: int

    @property
    def is_long(self) -> bool:
        """Whether the name needs a line of its own in a seat's cell."""
        return len(self.name) > LONG_NAME


@dataclass(frozen=True)
class PotLabel:
    """A pot's little card: its text, the suit of all its cards if they share one, and the name to be read aloud."""

    name: str
    text: str
    suit: str | None = None
    is_word: bool = False

    @property
    def red(self) -> bool:
        return self.suit in ("H", "D")

    @property
    def is_wide(self) -> bool:
        """Whether it is drawn smaller, as it would reach the board's edge: four signs, or two letters and a suit."""
        return len(self.text) > 3 or (len(self.text) > 1 and self.text.isalpha())


OWN_COLOURS: ContextVar[Mapping[str, int]] = ContextVar("own colours", default=MappingProxyType({}))
"""By seat of the night that is shown: the colour that the person who sits there has at every night.

It is no part of a night, and every part of every page draws tokens; the context is set where a request or a message of
a stream begins.
"""


def player_tokens(night: Night) -> Mapping[str, PlayerToken]:
    """Return everybody of a night by seat, in their own colours, else in those of the entries by which they sat."""
    own = OWN_COLOURS.get()
    return tokens_of(
        tuple((seat, one.name, own.get(seat, 0) or colour_of(one.number)) for seat, one in night.people.items())
    )


def colour_of(number: int) -> int:
    """Return the colour (1 to 8) that follows from the number of an entry; 0 where there is none."""
    return (number - 1) % COLOURS + 1 if number else 0


@cache
def tokens_of(people: tuple[tuple[str, str, int], ...]) -> Mapping[str, PlayerToken]:
    """Return tokens for (seat, name, wanted colour or 0) in order; a taken colour becomes the next free one."""
    letters = initials([name for _, name, _ in people])
    tokens: dict[str, PlayerToken] = {}
    taken: set[int] = set()
    for at, (seat, name, own) in enumerate(people):
        first = own or at % COLOURS + 1
        in_turn = [(first - 1 + step) % COLOURS + 1 for step in range(COLOURS)]
        colour = next((one for one in in_turn if one not in taken), first)
        taken.add(colour)
        tokens[seat] = PlayerToken(seat, name, letters[at], colour)
    return tokens


def initials(names: Sequence[str]) -> list[str]:
    """Return one letter for each name, two where people would share one, and a number where those are the same."""
    first = [name[:1].upper() for name in names]
    chosen: list[str] = []
    for at, name in enumerate(names):
        letters = first[at] if first.count(first[at]) == 1 else first[at] + name[1:2].lower()
        chosen.append(f"{first[at]}{at + 1}" if letters in chosen else letters)
    return chosen


@cache
def label_of(pot: Pot) -> PotLabel:
    """Return a pot's little card: its label, with the suit that all its cards share."""
    suits = {card[-1] for card in pot.cards if card[-1:] in "CDHS"}
    suit = suits.pop() if len(suits) == 1 else None
    text = pot.label.replace("·", "\N{MIDDLE DOT}")
    return PotLabel(pot.name, text, suit, is_word=suit is None and len(text) > 3 and not text[:1].isdigit())
