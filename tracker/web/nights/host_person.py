"""Which person of earlier nights opens the table: offered beside the host's name, and chosen by a tap."""

from collections.abc import Mapping
from typing import Any

from tracker.app.open_night import OpenNight
from tracker.app.person_names import comparison_key
from tracker.archive.person_offers import NightOffers
from tracker.web.access.permissions import is_house, site_identity
from tracker.web.context import get_nights, get_people, get_summaries

MOST = 4


def known_name() -> str:
    """Return the name under which this browser has opened a table before, or became a host of the club."""
    return get_nights().settings.host_name if is_house() else site_identity().name


def host_offers(host: str) -> dict[str, Any]:
    """Return whom to offer beside this name: the few who played last, and as chosen who had it as host the last time.

    The keys are those of `nights/_host_person.html`.
    """
    if not is_house():  # the people of earlier nights are those of the house
        return {"you": [], "your": ""}
    people, nights = get_people(), get_summaries().all()
    everybody = [*NightOffers(people, nights, "").everybody()]
    chosen = ""
    for night in nights if host else ():
        seat = next((one.seat for one in night.seats if comparison_key(one.name) == comparison_key(host)), None)
        if seat:
            person = people.person_of(night.code, seat)
            chosen = person.id if person and not person.is_hidden else ""
            break
    first = [one for one in everybody if one.value == chosen]
    return {"you": [*first, *(one for one in everybody if one.value != chosen)][:MOST], "your": chosen}


def host_of_form(form: Mapping[str, str]) -> tuple[str, str]:
    """Return the host's name, and who was chosen of earlier nights or an empty text.

    A name that was typed after somebody was offered counts more than who was ticked.
    """
    typed, value = form.get("host", "").strip(), form.get("person", "") if is_house() else ""
    offer = NightOffers(get_people(), get_summaries().all(), "").find(value) if value else None
    if offer is None or comparison_key(typed) not in map(comparison_key, ("", form.get("host-shown", ""), offer.name)):
        return typed, ""
    return offer.name, value


def link_host(table: OpenNight, seat: str, chosen: str) -> None:
    """State that the host's seat is who was chosen."""
    NightOffers(get_people(), get_summaries().all(), table.code).take(seat, chosen)
