"""Whether the chips in the box go round: the books count values, but people have 96 pieces."""

from dataclasses import dataclass

from flask import Blueprint

from tracker.app.open_night import OpenNight
from tracker.app.seating import starting_stack
from tracker.core.preset import ChipColour, Preset, antes_of

bp = Blueprint("box", __name__)

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


def usual_colours(pieces: int, stack: int) -> tuple[ChipColour, ...]:
    """Return the colours of the box with the values that bring a person's pieces nearest to the starting stack."""
    best = min(COLOUR_VALUES, key=lambda values: abs(pieces * sum(values) - stack))
    return tuple(ChipColour(name, colour, value) for (name, colour), value in zip(BOX_COLOURS, best, strict=True))


@bp.app_template_global()
def chip_advice(table: OpenNight) -> BoxAdvice | None:
    """Return what to do when the box holds too few chips for everybody's starting stack, or None."""
    if not table.preset.is_pot_game:
        return None
    return box_advice(table.preset, starting_stack(table), len(table.night.seats))
