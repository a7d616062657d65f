"""Nights in a real app with phones in every role: in their lobby, after hands that are over, at their table's page."""

from collections.abc import Mapping, Sequence
from typing import Self

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from werkzeug.test import TestResponse

from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips, Event, Name, SeatId

PEOPLE = {"ruth": "Ruth", "ben": "Ben", "mia": "Mia", "tom": "Tom"}


Form = dict[str, str | list[str]]


def record(table: OpenNight, *made: Event, by: str = "host") -> int:
    """Record events and return the number of the last."""
    for event in made:
        table.record(event, id=new_id(), by=by)
    return table.head


def seat_everybody(table: OpenNight) -> None:
    for seat, name in PEOPLE.items():
        if seat not in table.night.people:
            record(table, events.Sit(SeatId(seat), Name(name)))


def play_hand(table: OpenNight, dealer: str, taker: str, winner: str, left: int = 2) -> None:
    """Play a hand of Michigan Rummy: one place taken, somebody out, everybody else with so many cards left.

    The poker pool goes to whoever took the place, or to another one who still holds cards.
    """
    cards = {seat: Chips(left) for seat in table.night.seats if seat != winner}
    record(table, events.Hand(dealer), events.NoSale(), events.Collect(taker, "ten-hearts"))
    record(table, events.Out(winner, cards))
    if table.night.preset.won_by("poker"):
        record(table, events.Poker((taker if taker in cards else next(iter(cards)),)))


class SampleNight:
    """A night of Ruth, its host, and of others with phones, with these house rules from its first hand on."""

    def __init__(
        self,
        site: Site,
        preset: str = "michigan-rummy",
        people: Sequence[str] = ("Ben", "Mia", "Tom"),
        rules: Mapping[str, int | str] | None = None,
        *,
        form: Mapping[str, str] | None = None,
    ) -> None:
        """`form` has further fields of the form that opens the night."""
        self.site = site
        self.host = site.host()
        self.code = site.open_night(self.host, preset=preset, **form or {})
        self.phones = {"ruth": self.host, **{name.lower(): site.join(self.code, name) for name in people}}
        self.table: OpenNight = site.tables.get(self.code)
        if rules:
            self.record(events.Rule(rules))

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    @property
    def ben(self) -> ClientPhone:
        return self.phones["ben"]

    @property
    def watcher(self) -> ClientPhone:
        """The phone that only watches a sample night."""
        return self.phones["watcher"]

    def record(self, *made: Event) -> Self:
        """Record events without a page, as the host's."""
        record(self.table, *made)
        return self

    def number(self, kind: str, which: int = 0) -> int:
        """Return the number of an entry of that kind: the first, or the one at that place."""
        return [entry.number for entry in self.table.entries if entry.event.kind == kind][which]


def sample_night(
    site: Site, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None
) -> SampleNight:
    """Return a table of four in its lobby: only Ben has a phone besides the host, and somebody who watches."""
    found = SampleNight(site, preset, ("Ben",))
    found.phones["watcher"] = site.request_join(found.code, watch="1")
    seat_everybody(found.table)
    return found.record(events.Rule(rules)) if rules else found


def night_in_third_hand(site: Site) -> SampleNight:
    """Return a table in its third hand: two are over, and in this one Mia and Ben have taken a place."""
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    play_hand(found.table, "ben", "tom", "ruth")
    record(found.table, events.Hand("mia"), events.NoSale())
    record(found.table, events.Collect("mia", "ace-hearts"))
    record(found.table, events.Collect("ben", "queen-hearts"), by="ben")
    return found


def ended_night(site: Site, rules: Mapping[str, int | str] | None = None) -> SampleNight:
    """Return a table that has ended after two hands."""
    found = sample_night(site, rules=rules)
    play_hand(found.table, "ruth", "ben", "mia", left=5)
    play_hand(found.table, "ben", "tom", "mia", left=3)
    record(found.table, events.End())
    return found


def hidden_fields(page: TestResponse, action: str) -> Form:
    """Return the hidden fields of the form that goes to `action`."""
    return {**HtmlPage(page.text).hidden_fields(f'form[method="post"][action="{action}"]')}


def visible_text(page: TestResponse) -> str:
    """Return a page's words without markup."""
    return HtmlPage(page.text).text()


class TableNight(SampleNight):
    """A night at its table's page, whose forms are sent as the page would send them."""

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

    def count(self, **cards: int) -> Self:
        """Have the host type how many cards each seat has left."""
        for seat, left in cards.items():
            assert self.tap(f"say:{left}", seat=seat).status_code == 200
        return self

    def begin(self, dealer: str = "mia") -> Self:
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
