"""Nights for the tests of the log, the end and the files: four people, hands that are over, phones in every role."""

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass
class SampleNight:
    """A table of four with its host's phone, Ben's, and one that only watches."""

    site: Site
    table: OpenNight
    host: ClientPhone
    ben: ClientPhone
    watcher: ClientPhone

    @property
    def base(self) -> str:
        return f"/n/{self.table.code}"

    def number(self, kind: str, which: int = 0) -> int:
        """Return the number of an entry of that kind: the first, or the one at that place."""
        return [entry.number for entry in self.table.entries if entry.event.kind == kind][which]


def sample_night(
    site: Site, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None
) -> SampleNight:
    """Return a table of four in its lobby, with these house rules from its first hand on."""
    host = site.host()
    code = site.open_night(host, "Ruth", preset)
    ben, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    table = site.tables.get(code)
    seat_everybody(table)
    if rules:
        record(table, events.Rule(rules))
    return SampleNight(site, table, host, ben, watcher)


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
