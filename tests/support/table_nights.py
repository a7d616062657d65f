"""A night of four people at its table's page, whose forms are sent as the page would send them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from werkzeug.test import TestResponse

from tracker.app.open_night import OpenNight
from tracker.core.events import Event, Rule


class TableNight:
    """A night of Ruth, its host, and others with phones, with these house rules from its first hand on.

    Forms are sent as the page would send them.
    """

    def __init__(
        self,
        site: Site,
        preset: str = "michigan-rummy",
        people: tuple[str, ...] = ("Ben", "Mia", "Tom"),
        rules: Mapping[str, int | str] | None = None,
    ) -> None:
        self.site = site
        self.host = site.host()
        self.code = site.open_night(self.host, preset=preset)
        self.phones = {name.lower(): site.join(self.code, name) for name in people}
        self.table: OpenNight = site.tables.get(self.code)
        if rules:
            self.record(Rule(rules))

    def record(self, *made: Event) -> Self:
        """Record events without a page, as the host's."""
        for event in made:
            self.table.record(event, id=f"e{self.table.head}", by="host")
        return self

    def page(self, phone: ClientPhone | None = None) -> str:
        answer = (phone or self.host).get(f"/n/{self.code}/live")
        assert answer.status_code == 200
        return answer.text

    def sheet(self, seat: str = "", phone: ClientPhone | None = None) -> HtmlPage:
        """Return the sheet of a person as a phone shows it; the menu without one."""
        path = f"/n/{self.code}/sheet{seat and '/'}{seat}"
        return HtmlPage((phone or self.host).get(path, HX_Request="true").text)

    def tap(
        self,
        do: str,
        phone: ClientPhone | None = None,
        *,
        old: str = "",
        fields: dict[str, str] | None = None,
        **more: str,
    ) -> TestResponse:
        """Send the form of the page as it is now, or of an `old` one, with one button pressed."""
        hidden = HtmlPage(old or self.page(phone)).hidden_fields("#move")
        own = {name: value for name, value in hidden.items() if name in ("key", "head", "hand", "seat", "claim")}
        form: dict[str, str | list[str]] = {**own, **(fields or {}), **more, "do": do}
        return (phone or self.host).post(f"/n/{self.code}/record", form, HX_Request="true")

    def count(self, **cards: int) -> TableNight:
        """Have the host type how many cards each seat has left."""
        for seat, left in cards.items():
            assert self.tap(f"say:{left}", seat=seat).status_code == 200
        return self

    def begin(self, dealer: str = "mia") -> TableNight:
        assert self.tap(f"ante:{dealer}", seat=dealer).status_code == 200
        assert self.tap("no-sale").status_code == 200
        return self

    @property
    def stacks(self) -> dict[str, int]:
        return {seat: self.table.night.stack(seat) for seat in self.table.night.seats}

    @property
    def pots(self) -> dict[str, int]:
        return {pot: self.table.night.pot(pot) for pot in self.table.preset.board}


def dock_text(answer: TestResponse) -> str:
    """Return what the first row of the dock says; a notice that lies over it comes first."""
    page = HtmlPage(answer.text)
    return page.text("#notice" if page.has("#notice") else "#last", inline=("b", "bdi"))
