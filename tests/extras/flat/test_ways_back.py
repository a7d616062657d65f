"""Whoever follows a link of the tablet comes back to it: no page that it leads to is without a way."""

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.sample_nights import record

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips

MOST_TAPS = 3


class Links:
    """The pages of a site as one device sees them, each asked for once."""

    def __init__(self, device: ClientPhone, tablet: str) -> None:
        self.device, self.tablet = device, tablet
        self.known: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """Return where the links of a page lead; only to the tablet where the page is led there itself."""
        if path not in self.known:
            self.known[path] = self._asked(path)
        return self.known[path]

    def _asked(self, path: str) -> list[str]:
        answer = self.device.get(path)
        while answer.status_code in (302, 303):
            path = answer.headers["Location"].removeprefix(f"http://{self.device.host}")
            answer = self.device.get(path)
        if path == self.tablet:
            return [self.tablet]
        return links_in(answer.text, path) if answer.mimetype == "text/html" else []

    def taps_back(self, path: str) -> int:
        """Return by how many taps one comes to the tablet from a page; MOST_TAPS + 1 where it takes more."""
        reached = {path}
        for taps in range(1, MOST_TAPS + 1):
            reached = {way for one in reached for way in self.of(one)}
            if any(self.of(one) == [self.tablet] for one in reached):
                return taps
        return MOST_TAPS + 1


def links_in(html: str, path: str) -> list[str]:
    """Return where the links of a page lead on this site; not those to files and sheets, nor the tablet's way out."""
    hrefs = HtmlPage(html).values("a[href]:not([download], [data-open])", "href")
    found = (urljoin(path, href).partition("#")[0] for href in hrefs)
    return [one for one in found if one.startswith("/") and not one.startswith("//") and "?own=" not in one]


def lobby(table: OpenNight) -> None:
    """Nothing is played yet."""


def in_a_hand(table: OpenNight) -> None:
    record(table, events.Hand("ben"), events.NoSale(), events.Collect("mia", "ten-hearts"))


def between_hands(table: OpenNight) -> None:
    in_a_hand(table)
    record(table, events.Out("mia", {"ruth": Chips(1), "ben": Chips(2)}), events.Poker(("ben",)))


def over(table: OpenNight) -> None:
    between_hands(table)
    record(table, events.End())


@pytest.mark.parametrize(("moment", "most"), [(lobby, 3), (in_a_hand, 2), (between_hands, 2), (over, 3)])
def test_every_page_that_the_tablet_leads_to_leads_back(
    site: Site, moment: Callable[[OpenNight], None], most: int
) -> None:
    host = site.host()
    code = site.open_night(host)
    add_people(host, code, "Ben", "Mia")
    for place, seat in zip(("a2", "d1", "b1"), ("ruth", "ben", "mia"), strict=True):
        host.post(f"/n/{code}/flat/sit", {"place": place, "seat": seat})
    moment(site.tables.get(code))
    tablet = f"/n/{code}/flat"
    links = Links(host, tablet)
    shown = [tablet, f"{tablet}/host/sheet", *(f"{tablet}/{seat}/sheet" for seat in ("ruth", "ben", "mia"))]
    ways = sorted({way for path in shown for way in links_in(host.get(path, HX_Request="true").text, path)})
    taps = {way: links.taps_back(way) for way in ways if way not in shown}
    assert len(taps) > 9
    assert {way: many for way, many in taps.items() if many > most} == {}
