"""The people over all nights: who they are, what is kept about them, and forgetting them."""

from tracker.app.nights import Nights
from tracker.extras.people import kept, pages
from tracker.extras.people.people import People
from tracker.extras.people.view import names_at
from tracker.web.base.extra import Extra


def know_people(nights: Nights) -> None:
    """Have these nights know the people of their data folder."""
    nights.people = People(nights.store)


EXTRA = Extra(
    [pages.bp, kept.bp],
    places={
        "home.foot": "people/_link.html",
        "trust.house": "people/_data_link.html",
        "unknown_names.links": "people/_who_is_who.html",
    },
    opened=know_people,
    searched_names=names_at,
)
