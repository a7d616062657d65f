"""Who sits down: which person of earlier nights that is, and the colour that the seat keeps for the whole night.

Nobody is asked where a name belongs to exactly one known person of the house. Which person a seat is stands on the
seat's own page, where it can be changed; only where several known people have the name the lobby asks.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight, Outcome
from tracker.app.seating import let_deal_last
from tracker.archive.night_summary import NightSummary
from tracker.archive.person_offers import NAME, NightOffers, Offer
from tracker.archive.summaries import StillComputing, Summaries
from tracker.core.errors import TableError
from tracker.core.events import Sit
from tracker.storage import DiskTrouble
from tracker.web.access.permissions import HOUSE, Access, Owners
from tracker.web.drawing.player_token import COLOURS, OWN_COLOURS, colour_of, player_tokens

MOST_SECONDS = 2.0
"""How long somebody who sits down waits for summaries that are computed again, as all are after some updates."""


def watch(nights: Nights, summaries: Summaries, access: Access) -> None:
    """Have everybody who sits down at one of these nights known again, given a colour, and deal after the others."""

    def sat_down(table: OpenNight, outcome: Outcome) -> None:
        event = outcome.entry.event
        if isinstance(event, Sit) and event.seat in table.night.people:
            with suppress(DiskTrouble):  # nobody has to stand because of a colour
                know_again(nights, summaries, access.owners, table, [event.seat])
                let_deal_last(table, event.seat)

    nights.on_recorded.append(sat_down)


def know_again(nights: Nights, summaries: Summaries, owners: Owners, table: OpenNight, seats: Iterable[str]) -> None:
    """Link seats to the one known person of their name, where there is one, and give them their colours.

    The known people are those of the house, at its own nights.
    """
    people = summaries.people
    if owners.owner_of(table.code) == HOUSE:
        with suppress(StillComputing):
            known = summaries.within(MOST_SECONDS)
            _link(nights, known.only(owners.is_own(HOUSE)).all(), summaries, table, [*seats])
    for seat in seats:
        person = people.person_of(table.code, seat)
        give_colour(table, seat, person.colour if person else 0)


def _link(
    nights: Nights, known: list[NightSummary], summaries: Summaries, table: OpenNight, seats: Collection[str]
) -> None:
    offers = NightOffers(summaries.people, known, table.code)
    for seat, found in offers.namesakes(table.night, table.settings.strangers.names()).items():
        if seat in seats and len(found) == 1:
            offers.take(seat, found[0].value, _colour_before(nights, summaries, found[0]))


def _colour_before(nights: Nights, summaries: Summaries, offer: Offer) -> int:
    """Return the colour that a name which is nobody yet had at its last night; 0 where somebody known has it."""
    if not offer.value.startswith(NAME):
        return 0
    last, colour = offer.seats[0].key, 0
    with suppress(TableError):
        colour = colours_at(nights.get(last.code)).get(last.seat, 0)
    return 0 if any(one.colour == colour for one in summaries.people.all()) else colour


def colours_at(table: OpenNight) -> dict[str, int]:
    """Return everybody's colour at a night, by seat, as its pages show them."""
    before = OWN_COLOURS.set(table.settings.colours.all())
    try:
        return {seat: token.colour for seat, token in player_tokens(table.night).items()}
    finally:
        OWN_COLOURS.reset(before)


def give_colour(table: OpenNight, seat: str, wish: int = 0) -> None:
    """Keep a seat's colour: the one that it had at this night, else the wished one, else that of its entry.

    It is the next one that nobody else at the night has.
    """
    colours = table.settings.colours
    first = colours.get(seat) or wish or colour_of(table.night.people[seat].number) or 1
    taken = {colour for one, colour in colours_at(table).items() if one != seat}
    in_turn = [(first - 1 + step) % COLOURS + 1 for step in range(COLOURS)]
    colours.put(seat, next((one for one in in_turn if one not in taken), first))
