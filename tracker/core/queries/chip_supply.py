"""Whether the chips in the box go round: the books count values, but people have 96 pieces."""

from dataclasses import dataclass

from tracker.core.preset import ChipColour, Preset

BOX = 96
BOX_COLOURS = (("white", "#F5E8CC"), ("red", "#C23B30"), ("blue", "#23497F"), ("gold", "#E0A93E"))
COLOUR_VALUES = ((1, 2, 5, 10), (1, 5, 10, 20), (1, 5, 10, 25))
"""What the colours of the box may count where a board does not say it."""
SPARE = 4
"""Chips that a dealer should have left after the first ante."""


@dataclass(frozen=True)
class BoxAdvice:
    """What a table should know before its first hand."""

    people: int
    stack: int
    dealer: int
    """Chips that the dealer puts on the board."""
    other: int
    """Chips that everybody else puts."""
    each: int
    """Pieces that everybody gets when the box is shared out."""
    of_each_colour: int
    colours: tuple[ChipColour, ...]
    """The board's own colours with what each counts; of a board without any, what those of the box may count."""

    @property
    def worth(self) -> int:
        return self.of_each_colour * sum(one.value for one in self.colours)

    @property
    def stack_is_short(self) -> bool:
        """The starting stack itself is too small, whatever the pieces are."""
        return self.stack < max(self.dealer, self.other) + SPARE

    @property
    def box_is_short(self) -> bool:
        """Single pieces do not reach: a box of 96 gives too few for the first ante."""
        return self.each < max(self.dealer, self.other) + SPARE

    @property
    def do_colours_reach(self) -> bool:
        """One person's pieces of all colours are worth enough for the first ante."""
        return self.worth >= max(self.dealer, self.other) + SPARE


def box_advice(preset: Preset, stack: int, people: int) -> BoxAdvice | None:
    """Return what to say about the chips of this table, or None when all is well."""
    count = max(people, preset.seats.min)
    dealer, other = antes_of(preset, count)
    pieces = BOX // (len(preset.chips) or len(BOX_COLOURS)) // count
    colours = preset.chips or usual_colours(pieces, stack)
    advice = BoxAdvice(count, stack, dealer, other, BOX // count, pieces, colours)
    return advice if advice.stack_is_short or advice.box_is_short else None


def ante_sums(preset: Preset, people: int) -> tuple[list[int], int]:
    """Return what each player at the dealer's left, one after the other, and the dealer put in altogether."""
    pots = preset.board.values()
    others = [sum(preset.ante(pot, place, is_dealer=False) for pot in pots) for place in range(1, people)]
    return others, sum(preset.ante(pot, people, is_dealer=True) for pot in pots)


def antes_of(preset: Preset, people: int) -> tuple[int, int]:
    """Return the chips that the dealer, and at most anybody else, puts on the board for a hand."""
    others, dealer = ante_sums(preset, people)
    return dealer + preset.budget(is_dealer=True), max(others, default=0) + preset.budget(is_dealer=False)


def usual_colours(pieces: int, stack: int) -> tuple[ChipColour, ...]:
    """Return the colours of the box with the values that bring a person's pieces nearest to the starting stack."""
    best = min(COLOUR_VALUES, key=lambda values: abs(pieces * sum(values) - stack))
    return tuple(ChipColour(name, colour, value) for (name, colour), value in zip(BOX_COLOURS, best, strict=True))
