"""The colour that a seat keeps for the whole night, given to it when somebody sits down there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from flask import Flask

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight, Outcome
from tracker.app.seating import let_deal_last
from tracker.core.events import Sit
from tracker.storage import DiskTrouble
from tracker.web.drawing.player_token import COLOURS, OWN_COLOURS, colour_of, player_tokens

Wishes = Sequence[Callable[[OpenNight, Collection[str]], Mapping[str, int]]]
"""Each is told at which seats of a night somebody has sat down, and returns the colours that are wished there."""


def watch(app: Flask) -> None:
    """Have everybody who sits down at a night of an app given a colour, and deal after the others."""
    nights: Nights = app.extensions["nights"]

    def sat_down(table: OpenNight, outcome: Outcome) -> None:
        event = outcome.entry.event
        if isinstance(event, Sit) and event.seat in table.night.people:
            with suppress(DiskTrouble):  # nobody has to stand because of a colour
                give_colours(table, [event.seat], app.extensions["wished_colours"])
                let_deal_last(table, event.seat)

    nights.on_recorded.append(sat_down)


def give_colours(table: OpenNight, seats: Collection[str], wishes: Wishes) -> None:
    """Give seats the colours that are wished there, as far as nobody else has them."""
    wished = {seat: colour for wish in wishes for seat, colour in wish(table, seats).items()}
    for seat in seats:
        give_colour(table, seat, wished.get(seat, 0))


def colours_at(table: OpenNight) -> dict[str, int]:
    """Return everybody's colour at a night, by seat, as its pages show them."""
    before = OWN_COLOURS.set(table.settings.colours.all())
    try:
        return {seat: token.colour for seat, token in player_tokens(table.night).items()}
    finally:
        OWN_COLOURS.reset(before)


def give_colour(table: OpenNight, seat: str, wish: int = 0) -> None:
    """Keep a seat's colour: the one at this night, else the wished one, else its entry's; the next that nobody has."""
    colours = table.settings.colours
    first = colours.get(seat) or wish or colour_of(table.night.people[seat].number) or 1
    taken = {colour for one, colour in colours_at(table).items() if one != seat}
    in_turn = [(first - 1 + step) % COLOURS + 1 for step in range(COLOURS)]
    colours.put(seat, next((one for one in in_turn if one not in taken), first))
