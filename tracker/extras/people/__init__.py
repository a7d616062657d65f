"""The people over all nights: who they are, what is kept about them, and forgetting them."""

from flask import Flask

from tracker.app.nights import Nights
from tracker.extras._night_lists import find_by
from tracker.extras.people import kept, pages, seats
from tracker.extras.people.people import StoredPeople
from tracker.extras.people.view import names_at
from tracker.web.base.extra import Extra


def know_people(nights: Nights) -> None:
    """Have these nights know the people of their data folder."""
    nights.people = StoredPeople(nights.store)


def begin(app: Flask) -> None:
    seats.begin(app)
    find_by(app, names_at)


EXTRA = Extra(
    [pages.bp, kept.bp, seats.bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "add_person.offers": "people/_offers.html",
        "machine.rows": "people/_link.html",
        "lobby.questions": "people/_namesakes.html",
        "seat.person": "people/_at_seat.html",
        "trust.house": "people/_data_link.html",
        "unknown_names.links": "people/_who_is_who.html",
    },
    opened=know_people,
    begin=begin,
    next_night=seats.carry_links,
    same_people=seats.carry_links,
    offered=seats.offered,
)
