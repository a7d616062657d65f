"""What is good once, or so often, is that also for those who send at the same moment: at one process, and at two."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
from support.api_scripts import with_command_token
from support.at_once import at_once
from support.client_phones import ClientPhone, Site
from support.club_hosts import become_host, owner_id
from support.polling import wait_until

from tracker.app.club import Club, ClubLimits
from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.storage import Place, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import MOST_WAITING_PER_SENDER, MOST_WATCHERS_PER_SENDER
from tracker.web.access.links import PhoneTransfer
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

SENDERS = 8
LIMITS = ClubLimits(hosts=4, live_tables=2, nights=50, phones=60)
pytestmark = pytest.mark.every_place
Send = Callable[[ClientPhone], object]


@pytest.fixture(name="sites")
def _sites(place: Path | Place) -> Iterator[list[Site]]:
    """A club at two processes over a database, at one over a file."""
    with ExitStack() as opened:
        sites = []
        for _ in range(2 if not isinstance(place, Path) else 1):
            nights = Nights(opened.enter_context(closing(Store(place))), StreamHub())
            sites.append(Site(nights, Club(nights.store, LIMITS)))
            sites[-1].access.pace = PostRateLimit(burst=1_000_000)
            sites[-1].access.new_hosts = GuessLimit(1_000_000, 1_000_000)
        yield sites


def strangers(sites: list[Site], address: str = "") -> list[ClientPhone]:
    return [ClientPhone(sites[number % len(sites)].app, address) for number in range(SENDERS)]


def same_browser(sites: list[Site], phone: ClientPhone) -> list[ClientPhone]:
    """Return a browser as it is at each process, several times."""
    copies = strangers(sites, phone.address)
    for copy in copies:
        for name, value in phone.cookies.items():
            copy.client.set_cookie(name, value, domain=copy.host.partition(":")[0])
    return copies


def statuses(phones: list[ClientPhone], path: str, form: Callable[[int], dict[str, str]]) -> Counter[int]:
    """Have all phones send a form at the same moment, and return how often each status was the answer."""
    sent = [partial(phone.post, path, form(number)) for number, phone in enumerate(phones)]  # type: ignore[arg-type]
    return Counter(answer.status_code for answer in at_once(sent))


def test_a_link_makes_one_browser_the_host(sites: list[Site]) -> None:
    token = sites[0].access.mint_host_link().rsplit("/", 1)[1]
    assert statuses(strangers(sites), "/host", lambda _: {"token": token}) == {303: 1, 410: SENDERS - 1}
    assert len(sites[0].tables.store.devices.of(None, "host")) == 1


def test_a_link_to_another_browser_of_a_host_gives_the_tables_to_one(sites: list[Site]) -> None:
    club = sites[0].access.club
    assert club
    anna = become_host(sites[0], "Anna")
    code = sites[0].open_night(anna, "Anna")
    for _ in range(3):
        token = club.new_link(owner_id(club, "Anna"))
        heard = statuses(strangers(sites), "/club/move", lambda _, token=token: {"token": token})  # type: ignore[misc]
        assert heard == {303: 1, 410: SENDERS - 1}
        assert len([row for row in sites[0].access.devices.devices_of(code) if row.role == "host"]) == 1
        assert len(club.hosts()) == 1


def test_a_seat_moves_to_one_phone(sites: list[Site]) -> None:
    site = sites[0]
    code = site.open_night(site.host())
    site.join(code, "Ben")
    (ben,) = [row for row in site.access.devices.devices_of(code) if row.seat == "ben"]
    token = site.access.phone_links.mint_for(PhoneTransfer(code, ben.id, "seat"))
    assert statuses(strangers(sites), "/m", lambda _: {"token": token}) == {303: 1, 410: SENDERS - 1}
    wait_until(lambda: len(site.access.devices.at_seat(code, "ben")) == 1)  # a process is told what another one did


def test_a_host_of_the_club_has_as_many_tables_as_it_may(sites: list[Site]) -> None:
    club = sites[0].access.club
    assert club
    phones = same_browser(sites, become_host(sites[0], "Anna"))
    statuses(phones, "/new", lambda _: {"preset": "michigan-rummy", "host": "Anna", "key": new_id()})
    assert [*club.owners().values()] == [owner_id(club, "Anna")] * LIMITS.live_tables


def test_the_club_has_one_host_of_a_name_and_as_many_as_it_may(sites: list[Site]) -> None:
    club = sites[0].access.club
    assert club
    statuses(strangers(sites), "/club", lambda _: {"token": club.token, "name": "Anna"})
    assert [row.name for row in club.hosts()] == ["Anna"]
    statuses(strangers(sites), "/club", lambda number: {"token": club.token, "name": f"Host {number}"})
    assert len(club.hosts()) == LIMITS.hosts


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
    statuses(strangers(sites, "192.168.1.251"), "/club/ask", lambda number: {"name": f"Guest {number}"})
    assert len(site.tables.store.devices.of(None, "knock")) == MOST_WAITING_PER_SENDER


def test_one_form_is_done_once_and_answered_alike(sites: list[Site]) -> None:
    """One mechanism answers all forms; tests/web/test_forms_sent_again.py sends each of them."""
    phones = same_browser(sites, sites[0].host())
    library, key = sites[0].tables.library, new_id()
    board = library.save(library.duplicate("michigan-rummy", "Our board"))
    sent = [partial(phone.post, f"/boards/{board.id}/duplicate", {"key": key}) for phone in phones]
    assert len({(answer.status_code, answer.location) for answer in at_once(sent)}) == 1
    assert len(library.own()) == 2
    own = [partial(phone.post, f"/boards/{board.id}/duplicate", {"key": new_id()}) for phone in phones]
    assert len({answer.location for answer in at_once(own)}) == SENDERS, "forms of their own make boards of their own"


def test_an_id_of_a_script_opens_one_night_and_only_that_answer_says_that_it_is_new(sites: list[Site]) -> None:
    scripts = [with_command_token(sites[number % len(sites)]) for number in range(SENDERS)]
    body = {"preset": "michigan-rummy", "id": "from-a-script"}
    answers = at_once([partial(script.post, "/api/nights", body) for script in scripts])
    assert Counter(answer.status for answer in answers) == {201: 1, 200: SENDERS - 1}
    assert len({answer.json["code"] for answer in answers}) == len(sites[0].tables.nights()) == 1
