"""Which person of earlier nights somebody is who sits down: by a name that one known person has, or the host's choice.

Only the host of this machine sees earlier people: the code on the table lets in everybody who sees it.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial

from flask import Blueprint, Flask, abort, request
from flask.typing import ResponseReturnValue

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.person_names import comparison_key
from tracker.core.errors import TableError
from tracker.extras._night_lists import nights_line
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._night_summaries.summaries import StillComputing, Summaries
from tracker.extras._people import KnownPerson, LinkedSeat, people_of
from tracker.extras.people.offers import NAME, NightOffers, Offer, days_of
from tracker.extras.people.people import SeatSettings
from tracker.extras.people.view import known_people
from tracker.web.access.permissions import HOUSE, Access, is_house
from tracker.web.access.roles import HOST, may
from tracker.web.access.seat_colours import colours_at
from tracker.web.base.context import get_nights, get_table, redirect_to, redirect_to_night
from tracker.web.base.extra import Offered

bp = Blueprint("people_at_seats", __name__)

STRANGER = "stranger"
"""Sent for a seat that is nobody of earlier nights: nothing is asked about it any more."""
MOST_SECONDS = 2.0
"""How long somebody who sits down waits for summaries that are computed again, as all are after some updates."""


# Known by the name


def begin(app: Flask) -> None:
    """Have everybody who sits down at a night of the app known again."""
    nights, summaries, access = (app.extensions[name] for name in ("nights", "known_nights", "access"))
    app.extensions["wished_colours"].append(partial(know_again, nights, summaries, access))


def know_again(
    nights: Nights, summaries: Summaries, access: Access, table: OpenNight, seats: Collection[str]
) -> Mapping[str, int]:
    """Link seats to the one known person of the house with their name, and return people's colours by seat."""
    if access.owners.owner_of(table.code) == HOUSE:
        with suppress(StillComputing):
            known = summaries.within(MOST_SECONDS)
            _link(nights, known.only(access.owners.is_own(HOUSE)).all(), table, seats)
    found = {seat: people_of(nights).person_of(table.code, seat) for seat in seats}
    return {seat: person.colour for seat, person in found.items() if person}


def _link(nights: Nights, known: list[NightSummary], table: OpenNight, seats: Collection[str]) -> None:
    offers = NightOffers(people_of(nights), known, table.code)
    strangers = SeatSettings(nights.store, table.code).strangers.names()
    for seat, found in offers.namesakes(table.night, strangers).items():
        if seat in seats and len(found) == 1:
            offers.take(seat, found[0].value, _colour_before(nights, found[0]))


def _colour_before(nights: Nights, offer: Offer) -> int:
    """Return the colour that a name which is nobody yet had at its last night; 0 where somebody known has it."""
    if not offer.value.startswith(NAME):
        return 0
    last, colour = offer.seats[0].key, 0
    with suppress(TableError):
        colour = colours_at(nights.get(last.code)).get(last.seat, 0)
    return 0 if any(one.colour == colour for one in people_of(nights).all()) else colour


def carry_links(old: OpenNight, new: OpenNight) -> None:
    """Give each seat of a night who the same name was at another one: the person, or nobody of earlier nights."""
    names = {comparison_key(old.night.people[seat].name): seat for seat in old.night.seats}
    people, before, now = known_people(), settings_of(old).strangers.names(), settings_of(new).strangers
    for seat in new.night.seats:
        known = names.get(comparison_key(new.night.people[seat].name), "")
        if person := people.person_of(old.code, known):
            people.link(new.code, seat, person.id)
        elif known in before:
            now.put(seat, True)


# Chosen by the host


def settings_of(table: OpenNight) -> SeatSettings:
    return SeatSettings(get_nights().store, table.code)


def offers_for(table: OpenNight, *, is_allowed: bool) -> NightOffers | None:
    """Return what is offered at a night; None for whoever may not see it, and at a rehearsal."""
    if not is_allowed or table.is_temporary:
        return None
    return NightOffers(known_people(), get_summaries().all(), table.code)


def offered(table: OpenNight, form: Mapping[str, str]) -> Offered | None:
    """Return who was chosen of earlier nights for a new seat; None for nobody."""
    chosen = form.get("person", "")
    offers = offers_for(table, is_allowed=is_house()) if chosen else None
    offer = offers.find(chosen) if offers else None
    if offers is None or offer is None:
        return None

    def take(seat: str) -> int:
        offers.take(seat, offer.value)
        return offer.colour

    return Offered(offer.name, take)


@bp.app_template_global()
def free_offers(table: OpenNight) -> Sequence[Offer]:
    """Return whom of earlier nights to offer for a new seat, as far as this request may see them."""
    offers = offers_for(table, is_allowed=is_house())
    return offers.free(table.night) if offers else ()


@bp.app_template_global()
def namesakes_asked(table: OpenNight, *, is_house: bool) -> Mapping[str, Sequence[tuple[Offer, str]]]:
    """Return by seat which of several people of its name it may be, each with when they played."""
    offers = offers_for(table, is_allowed=is_house)
    asked = offers.asked(table.night, get_nights().store) if offers else {}
    return {seat: [(one, nights_line(days_of(one.seats))) for one in found] for seat, found in asked.items()}


@bp.app_template_global()
def person_and_offers(table: OpenNight, seat: str) -> tuple[KnownPerson | None, Sequence[Offer]]:
    """Return which person a seat is, and who it may be, as far as this request may see them."""
    offers = offers_for(table, is_allowed=is_house())
    return (known_people().person_of(table.code, seat), [*offers.everybody()]) if offers else (None, ())


@bp.post("/n/<code>/seat/<seat>/who")
@may(HOST)
def choose(code: str, seat: str) -> ResponseReturnValue:
    """State which person of earlier nights a seat is, or that it is none of them."""
    table = get_table(code)
    table.night.require_seated(seat)
    offers = offers_for(table, is_allowed=is_house()) or abort(403)
    chosen = request.form.get("person", "")
    offers.take(seat, "" if chosen == STRANGER else chosen)
    settings_of(table).strangers.put(seat, chosen == STRANGER or None)
    if chosen == STRANGER and offers.namesakes(table.night).get(seat):  # from now on two known people have the name
        known_people().add(table.night.name(seat), [LinkedSeat(code, seat)])
    table.show_again()
    if request.form.get("from") == "seat":
        return redirect_to("seat.page", code=code, seat=seat)
    return redirect_to_night(code)
