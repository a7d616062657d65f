"""The page of the tablet: who may record at which dock, what is sent of a change, and that every page leads back."""

import re
from collections.abc import Callable
from functools import cache, partial
from urllib.parse import urljoin

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import SampleNight, record
from support.told_evenings import GAMES as NIGHTS, PLACES, Evening, faults_in
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.core.events import Chips, Event
from tracker.extras.flat.pages import flat_page
from tracker.extras.flat.places import order_as_they_sit, sit_down
from tracker.streaming.hub import Frame
from tracker.web.access.devices import Identity

GAMES = ("michigan-rummy", "michigan-kitty", "score-sheet", "michigan-rummy-snake", "eight-round-rummy", "yaniv")


class Table(SampleNight):
    """A night of three on a tablet, which is the host's."""

    def __init__(self, site: Site, preset: str = "michigan-rummy") -> None:
        super().__init__(site, preset, ())
        add_people(self.host, self.code, "Ben", "Mia")
        for place, seat in zip(("a2", "d1", "b1"), ("ruth", "ben", "mia"), strict=True):
            self.sit(place, seat)

    def post(self, path: str, **form: str) -> TestResponse:
        return self.host.post(f"{self.base}/flat/{path}", dict(form), HX_Request="true")

    def sit(self, place: str, seat: str) -> TestResponse:
        return self.post("sit", place=place, seat=seat)

    def move(self, who: str, do: str, **form: str) -> TestResponse:
        known = {"head": str(self.table.head), "hand": str(self.table.night.hand)}
        return self.post(f"{who}/record", do=do, **known, **form)

    @property
    def page(self) -> HtmlPage:
        return HtmlPage(self.host.get(f"{self.base}/flat").text)


@pytest.fixture(name="flat")
def _flat(site: Site) -> Table:
    return Table(site)


@pytest.mark.parametrize("preset", GAMES)
def test_each_dock_is_made_of_the_own_phone_with_ids_of_its_own(site: Site, preset: str) -> None:
    page = Table(site, preset).page
    ids = page.values("[id]", "id")
    assert sorted(ids) == sorted(set(ids))
    assert page.values("[data-dock]", "data-dock") == ["mia", "ruth", "ben"]
    assert len(page.select("#s-ben #d-ben-own-bar")) == 1
    here = page.values("#s-ben form[hx-post]", "hx-post")
    assert [one.rpartition("/n/")[2].partition("/")[2] for one in here] == ["flat/ben/record"] * len(here)


def test_what_a_dock_records_is_its_seats_as_the_log_says_and_what_it_is_refused_is_shown_there(flat: Table) -> None:
    flat.move("ben", "deal:ben", seat="ben")
    known = {"head": str(flat.table.head), "hand": "1"}
    flat.host.post(f"{flat.base}/record", {"do": "no-sale", **known}, HX_Request="true")
    held = str(flat.table.night.pot("ten-hearts"))
    assert flat.move("mia", "collect", seat="ruth", pot="ten-hearts", held=held).status_code == 403, "for another"
    assert flat.move("mia", "collect", seat="mia", pot="ten-hearts", held=held).status_code == 200
    recorded = [(entry.event.kind, entry.by) for entry in flat.table.entries[-3:]]
    assert recorded == [("hand", "ben"), ("no-sale", "ruth"), ("collect", "mia")]
    log = HtmlPage(flat.host.get(f"{flat.base}/log").text).texts(".recorded-by")
    assert [one.partition(",")[0] for one in log[:3]] == ["Mia", "Ruth", "Ben"]
    assert ["at the tablet" in one for one in log[:3]] == [True, False, True]
    answer = flat.move("ruth", "collect", seat="ruth", pot="ten-hearts", held=held)
    assert answer.status_code == 409
    page = HtmlPage(answer.text)
    assert (len(page.select("#d-ruth-notice")), len(page.select(".notice"))) == (1, 1)


def test_a_loan_is_asked_at_the_dock_of_who_gives(flat: Table) -> None:
    flat.move("ruth", "deal:ruth", seat="ruth")
    flat.move("ben", "borrow:5", seat="ben", source="mia")
    assert "wants to borrow" in flat.page.select("#d-mia-requests")[0].get_text()
    assert "wants to borrow" not in flat.page.select("#d-ruth-requests")[0].get_text()


def test_a_seat_that_does_not_sit_at_the_tablet_and_a_guests_phone_record_nothing_there(flat: Table) -> None:
    own = flat.host.get(f"{flat.base}/flat/ben/sheet", HX_Request="true").text
    assert "Ben" in own
    assert set(re.findall(r'hx-post="[^"]*/flat/(\w+)/record"', own)) <= {"ben"}
    assert f'href="{flat.base}/rules"' in flat.host.get(f"{flat.base}/flat/host/sheet", HX_Request="true").text
    assert not flat.page.has(".free-place"), "everybody sits"
    flat.post("sit", seat="mia")
    assert flat.move("mia", "out", seat="mia").status_code == 404
    guest = flat.site.join(flat.code, "Tom")
    assert guest.get(f"{flat.base}/flat").status_code == 403
    assert guest.post(f"{flat.base}/flat/ben/record", {"do": "out"}).status_code == 403
    offered = ["/flat" in phone.get(f"{flat.base}/sheet", HX_Request="true").text for phone in (guest, flat.host)]
    assert offered == [False, True]


def test_another_order_than_people_sit_in_is_offered_and_recorded(flat: Table) -> None:
    assert flat.page.select("#told") == []
    flat.sit("c2", "ben")
    flat.sit("d1", "mia")
    form = flat.page.select("#told input[name=seat]")
    assert [one.get("value") for one in form] == ["ruth", "mia", "ben"]
    flat.host.post(f"{flat.base}/flat/order", {"seat": ["ruth", "mia", "ben"]}, HX_Request="true")
    assert flat.table.entries[-1].event == events.Order(("ruth", "mia", "ben"))
    assert flat.page.select("#told") == []
    around = {"c1": "ann", "b1": "ben", "a2": "eva"}
    assert order_as_they_sit(("eva", "ben", "ann"), around) == ("eva", "ann", "ben")
    assert order_as_they_sit(("eva", "ben", "ann", "tom"), around) == (), "somebody sits elsewhere"


def test_of_an_event_only_the_parts_that_it_changes_are_sent(flat: Table) -> None:
    flat.move("ben", "deal:ben", seat="ben")
    flat.move("ben", "no-sale")
    with flat.site.app.test_request_context():
        frames = [Frame(flat.table.head, flat_page(flat.table, Identity("host", "ruth")))]
        flat.table.record(events.Collect("mia", "ten-hearts"), id="mia-takes", by="mia")
        frames.append(Frame(flat.table.head, flat_page(flat.table, Identity("host", "ruth"))))
    change = frames[1].since(frames[0])
    assert change
    assert len(change) < len(frames[1].whole) / 3
    assert b'id="d-mia-own-bar"' in change
    assert b'id="d-ben-own-bar"' not in change


def code_for_tablet(flat: Table) -> str:
    """Return the path that the code leads to which the host shows another device."""
    link = HtmlPage(flat.host.post(f"{flat.base}/flat/code").text).values("[data-link]", "data-link")[0]
    return link[link.index("/tablet/") :]


def become_tablet(device: ClientPhone, path: str) -> TestResponse:
    return device.post("/tablet", {"token": path.rpartition("/")[2]})


def test_another_device_scans_a_code_of_the_host_that_is_good_once_and_only_while_that_one_is_the_host(
    flat: Table, site: Site
) -> None:
    tom, tablet, path = site.join(flat.code, "Tom"), site.phone(), code_for_tablet(flat)
    assert tablet.get(f"{flat.base}/flat").status_code == 403
    assert "Put it in the middle" in tablet.get(path).text
    assert become_tablet(tablet, path).headers["Location"] == f"{flat.base}/flat"
    known = {"head": str(flat.table.head), "hand": str(flat.table.night.hand)}
    tablet.post(f"{flat.base}/flat/ben/record", {"do": "deal:ben", "seat": "ben", **known}, HX_Request="true")
    assert flat.table.entries[-1].by == "ben"
    assert "Ruth" in flat.host.get(f"/n/{flat.code}").text
    assert "The tablet" in flat.host.get(f"{flat.base}/phones").text
    assert become_tablet(site.phone(), path).status_code == 410
    needs("hand_over")
    second = code_for_tablet(flat)
    flat.host.post(f"{flat.base}/hand-over", {"seat": "tom"})
    tom.post(f"{flat.base}/take-table")
    assert site.phone().get(second).status_code == 410
    assert become_tablet(site.phone(), second).status_code == 410


def test_a_device_in_the_middle_is_led_there_from_every_page_until_it_asks_for_the_page_of_a_phone(flat: Table) -> None:
    page = f"/n/{flat.code}"
    assert flat.host.get(page).status_code == 200
    flat.host.get(f"{page}/flat")
    assert flat.host.get(page).headers["Location"] == f"{page}/flat"
    assert f'href="{page}?own=1"' in flat.host.get(f"{page}/flat/host/sheet", HX_Request="true").text
    assert flat.host.get(f"{page}?own=1").status_code == 200
    assert flat.host.get(page).status_code == 200


@pytest.mark.parametrize("game", NIGHTS)
def test_a_screen_reader_is_told_every_kind_of_event_once_not_by_each_dock(site: Site, game: str) -> None:
    evening = Evening(site, NIGHTS[game])
    evening.phones["tablet"], evening.paths["tablet"] = evening.phones.pop(evening.host), "flat/live"
    with site.app.app_context():
        for place, seat in zip(("a2", "c2"), (evening.host, evening.guest), strict=True):
            sit_down(evening.table, place, seat)
    assert faults_in(evening, PLACES[NIGHTS[game]]) == []


# Whoever follows a link of the tablet comes back to it: no page that it leads to is without a way


MOST_TAPS = 3


def ways_on(device: ClientPhone, path: str, tablet: str) -> list[str]:
    """Return where the links of a page lead; only to the tablet where the page is led there itself."""
    while (answer := device.get(path)).status_code in (302, 303):
        path = answer.location.removeprefix(f"http://{device.host}")
    if path == tablet:
        return [tablet]
    return links_in(answer.text, path) if answer.mimetype == "text/html" else []


def taps_back(path: str, tablet: str, ways: Callable[[str], list[str]]) -> int:
    """Return by how many taps one comes to the tablet from a page; MOST_TAPS + 1 where it takes more."""
    reached = {path}
    for taps in range(1, MOST_TAPS + 1):
        reached = {way for one in reached for way in ways(one)}
        if any(ways(one) == [tablet] for one in reached):
            return taps
    return MOST_TAPS + 1


def links_in(html: str, path: str) -> list[str]:
    """Return where the links of a page lead on this site; not those to files and sheets, nor the tablet's way out."""
    hrefs = HtmlPage(html).values("a[href]:not([download], [data-open])", "href")
    found = (urljoin(path, href).partition("#")[0] for href in hrefs)
    return [one for one in found if one.startswith("/") and not one.startswith("//") and "?own=" not in one]


PLAYED: tuple[tuple[int, tuple[Event, ...]], ...] = (
    (3, ()),
    (2, (events.Hand("ben"), events.NoSale(), events.Collect("mia", "ten-hearts"))),
    (2, (events.Out("mia", {"ruth": Chips(1), "ben": Chips(2)}), events.Poker(("ben",)))),
    (3, (events.End(),)),
)
"""What is recorded next of an evening, and how many taps it may take then to come back."""


def test_every_page_that_the_tablet_leads_to_leads_back_and_people_sit_at_the_next_night_where_they_sat(
    flat: Table,
) -> None:
    host, tablet = flat.host, f"{flat.base}/flat"
    host.get(tablet)
    for most, recorded in PLAYED:
        record(flat.table, *recorded)
        known = cache(partial(ways_on, host, tablet=tablet))
        shown = [tablet, f"{tablet}/host/sheet", *(f"{tablet}/{seat}/sheet" for seat in ("ruth", "ben", "mia"))]
        ways = sorted({way for path in shown for way in links_in(host.get(path, HX_Request="true").text, path)})
        taps = {way: taps_back(way, tablet, known) for way in ways if way not in shown}
        assert len(taps) > 9
        assert {way: many for way, many in taps.items() if many > most} == {}
    again = host.post(f"/nights/{flat.code}/again", {"key": "again"}).location.split("/")[2]
    page = HtmlPage(host.get(f"/n/{again}/flat").text)
    assert page.values("[data-dock]", "data-dock") == ["mia", "ruth", "ben"]
