"""People over many nights, in tests of what uses them."""

from typing import Any

from support.of_extras import needs

from tracker import extras
from tracker.app.known_people import KnownPeople
from tracker.app.nights import Nights


def known_people(tables: Nights) -> Any:
    """Return the people of these nights; skip the test where the extra that knows them was deleted."""
    needs("people")
    if type(tables.people) is KnownPeople:  # no app serves these nights yet
        for one in extras.load():
            one.opened(tables)
    return tables.people
