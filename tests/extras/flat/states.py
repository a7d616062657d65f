"""What the tablet adds to tests that walk all pages; see `functions_of_extras` in tests/support/of_extras.py."""

from collections.abc import Iterator

from support.client_phones import ClientPhone, Site
from support.page_states import ServedStates

from tracker.extras.flat.places import PLACES


def _token(site: Site, host: ClientPhone) -> str:
    return host.post(f"/n/{site.open_night(host)}/flat/code").text.partition("/tablet/")[2][:43]


def ways_in(site: Site, host: ClientPhone) -> list[str]:
    """Return the page by which a tablet becomes one of the host's devices."""
    return [f"/tablet/{_token(site, host)}"]


def tokens(site: Site, host: ClientPhone) -> dict[str, str]:
    return {"flat_way_in.scanned": _token(site, host)}


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    """People sit down the other way round than the deal goes, before the first hand."""
    host, code = states.host, states.codes["lobby"]
    page = f"/n/{code}/flat"
    yield host, page, "flat.sit"
    seats = states.site.tables.get(code).night.seats
    for place, seat in zip(reversed(PLACES), seats, strict=False):
        host.post(f"{page}/sit", {"place": place, "seat": seat})
    yield host, page, "flat.order"
    yield host, page, "flat.record"
    yield states.site.phone(), f"/tablet/{_token(states.site, host)}", "flat_way_in.become_tablet"
