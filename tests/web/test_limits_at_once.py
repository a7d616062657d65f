"""What is good once, or so often, is that also for those who send at the same moment: at one process, and at two."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from support.at_once import SENDERS, at_once, same_browser, sites_at, statuses, strangers
from support.client_phones import Site

from tracker.app.event_rows import new_id
from tracker.storage import DataPlace
from tracker.web.access.devices import MOST_WAITING_PER_SENDER, MOST_WATCHERS_PER_SENDER

pytestmark = pytest.mark.every_place


@pytest.fixture(name="sites")
def _sites(place: Path | DataPlace) -> Iterator[list[Site]]:
    with sites_at(place) as sites:
        yield sites


def test_a_link_makes_one_browser_the_host(sites: list[Site]) -> None:
    token = sites[0].access.mint_host_link().rsplit("/", 1)[1]
    assert statuses(strangers(sites), "/host", lambda _: {"token": token}) == {303: 1, 410: SENDERS - 1}
    assert len(sites[0].tables.store.devices.of(None, "host")) == 1


def test_one_address_asks_and_watches_as_often_as_it_may(sites: list[Site]) -> None:
    site = sites[0]
    host = site.host()
    code = site.open_night(host)
    token, address = site.join_link(code)[3:], "192.168.1.250"
    for _ in range(2):
        statuses(strangers(sites, address), "/join", lambda _: {"token": token, "watch": "1"})
    assert len(site.tables.store.devices.of(code, "watcher")) == MOST_WATCHERS_PER_SENDER
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    statuses(strangers(sites, address), "/join", lambda number: {"token": token, "name": f"Guest {number}"})
    asking = site.tables.store.devices.of(code, "knock")
    assert len(asking) == MOST_WAITING_PER_SENDER


def test_one_form_is_done_once_and_answered_alike(sites: list[Site]) -> None:
    """One mechanism answers all forms; tests/web/test_forms_sent_again.py sends each of them."""
    phones, key = same_browser(sites, sites[0].host()), new_id()
    form: dict[str, str | list[str]] = {"preset": "michigan-rummy", "host": "Ruth"}
    sent = [partial(phone.post, "/new", {**form, "key": key}) for phone in phones]
    assert len({(answer.status_code, answer.location) for answer in at_once(sent)}) == 1
    assert len(sites[0].tables.nights()) == 1
    own = [partial(phone.post, "/new", {**form, "key": new_id()}) for phone in phones]
    assert len({answer.location for answer in at_once(own)}) == SENDERS, "forms of their own open nights of their own"
