"""A night of four with its phones: what their pages show and offer, and what is posted from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.page_offers import Offer, PageReader
from werkzeug.test import TestResponse

from tracker.app.event_rows import new_id
from tracker.core.events import Undo
from tracker.web.access.rate_limits import PostRateLimit

PEOPLE = ("Ruth", "Ben", "Mia", "Tom")


@dataclass(frozen=True)
class Table:
    """The chips of every person and place of a night, or everybody's points."""

    numbers: Mapping[str, int]

    def change_to(self, other: Table) -> dict[str, int]:
        accounts = {*self.numbers, *other.numbers}
        changes = {one: other.numbers.get(one, 0) - self.numbers.get(one, 0) for one in accounts}
        return {one: chips for one, chips in changes.items() if chips}


class NightPages:
    """A new night of four; `phones`: "one" for all, "own" for all but the last, or "open" to all."""

    def __init__(self, site: Site, preset: str, phones: str, form: Mapping[str, str], language: str) -> None:
        self.site, self.preset, self.language = site, preset, language
        self.offers = 0
        self._read: dict[str, HtmlPage] = {}
        site.access.pace = PostRateLimit(burst=1_000_000)
        host = site.host()
        answer = host.post("/new", {"preset": preset, "host": PEOPLE[0], "full": "1", **form})
        assert answer.status_code == 303, answer.text
        self.code = answer.location.split("/")[2]
        self.phones: dict[str, ClientPhone] = {"host": host}
        for name in PEOPLE[1:]:
            if phones == "one" or name == PEOPLE[-1]:
                assert host.post(f"/n/{self.code}/seats", {"name": name}).status_code in (200, 303)
            else:
                self.phones[name.lower()] = site.join(self.code, name)
        self.table = site.tables.get(self.code)
        if phones == "open":
            self.table.settings.is_open_to_all = True

    def read(self, phone: str) -> HtmlPage:
        """Return what a phone shows; it is fetched once between two things that are done."""
        if phone not in self._read:
            answer = self.phones[phone].get(f"/n/{self.code}/live", Accept_Language=self.language)
            assert answer.status_code == 200, answer.text
            self._read[phone] = HtmlPage(answer.text)
        return self._read[phone]

    def read_all(self) -> dict[str, HtmlPage]:
        return {phone: self.read(phone) for phone in self.phones}

    def sheet(self, phone: str, address: str) -> HtmlPage:
        answer = self.phones[phone].get(f"/n/{self.code}{address}", HX_Request="true", Accept_Language=self.language)
        assert answer.status_code == 200, f"{address}: {answer.text}"
        return HtmlPage(answer.text)

    def offers_of(self, phone: str, page: HtmlPage) -> list[Offer]:
        """Return the offers of a page and of all its sheets."""
        found, reader = PageReader(page).offers(), PageReader(page)
        open_sheets = reader.sheet_addresses() if page.has("#move[data-ask]") else []
        for address in open_sheets:
            sheet = self.sheet(phone, address)
            more = [f"/sheet/{link.rpartition('/')[2]}" for link in sheet.values("a[href][data-open]", "href")]
            open_sheets += [inner for inner in more if inner not in open_sheets]
            found += reader.sheet(address, sheet)
        return found

    def post(self, phone: str, offer: Offer) -> TestResponse:
        self.offers += 1
        return self.post_form(phone, offer.form)

    def post_form(self, phone: str, form: Mapping[str, str | list[str]]) -> TestResponse:
        self._read.clear()
        headers = {"HX_Request": "true", "Accept_Language": self.language}
        return self.phones[phone].post(f"/n/{self.code}/record", dict(form), **headers)

    def undo_newest(self) -> None:
        """Undo the newest event without a page."""
        self._read.clear()
        self.table.record(Undo(self.table.head), id=new_id(), by="host")

    def numbers(self) -> Table:
        night = self.table.night
        accounts = {
            **{seat: night.stack(seat) for seat in night.people},
            **{pot: night.pot(pot) for pot in night.preset.board},
        }
        return Table(accounts if night.preset.game == "pots" else dict(night.points))
