"""Nights for the tests of the log, the end and the files: four people, hands that are over, phones in every role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from phones import House, Phone
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.core.events import Chips, Event, Name, SeatId
from tracker.sealing import new_id
from tracker.table import Table

PEOPLE = {"ruth": "Ruth", "ben": "Ben", "mia": "Mia", "tom": "Tom"}


Form = dict[str, str | list[str]]


def record(table: Table, *made: Event, by: str = "host") -> int:
    """Record events and return the number of the last."""
    for event in made:
        table.record(event, id=new_id(), by=by)
    return table.head


def seat_everybody(table: Table) -> None:
    for seat, name in PEOPLE.items():
        if seat not in table.night.people:
            record(table, events.Sit(SeatId(seat), Name(name)))


def play_hand(table: Table, dealer: str, taker: str, winner: str, left: int = 2) -> None:
    """Play a hand of Michigan Rummy: one place taken, somebody out, everybody else with so many cards left."""
    cards = {seat: Chips(left) for seat in table.night.seats if seat != winner}
    record(table, events.Hand(dealer), events.NoSale(), events.Collect(taker, "ten-hearts"))
    record(table, events.Out(winner, cards))
    if table.night.preset.won_by("poker"):
        record(table, events.Poker((winner,)))


@dataclass
class Evening:
    """A table of four with its host's phone, Ben's, and one that only watches."""

    house: House
    table: Table
    host: Phone
    ben: Phone
    watcher: Phone

    @property
    def base(self) -> str:
        return f"/n/{self.table.code}"

    def number(self, kind: str, which: int = 0) -> int:
        """Return the number of an entry of that kind: the first, or the one at that place."""
        return [entry.number for entry in self.table.entries if entry.event.kind == kind][which]


def evening(house: House, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None) -> Evening:
    """Return a table of four in its lobby, with these house rules from its first hand on."""
    host = house.host()
    code = house.open_night(host, "Ruth", preset)
    ben, watcher = house.join(code, "Ben"), house.ask(code, watch="1")
    table = house.tables.get(code)
    seat_everybody(table)
    if rules:
        record(table, events.Rule(rules))
    return Evening(house, table, host, ben, watcher)


def played(house: House) -> Evening:
    """Return a table in its third hand: two are over, and in this one Mia and Ben have taken a place."""
    found = evening(house)
    play_hand(found.table, "ruth", "ben", "mia")
    play_hand(found.table, "ben", "tom", "ruth")
    record(found.table, events.Hand("mia"), events.NoSale())
    record(found.table, events.Collect("mia", "ace-hearts"))
    record(found.table, events.Collect("ben", "queen-hearts"), by="ben")
    return found


def hidden(page: TestResponse, action: str) -> Form:
    """Return the hidden fields of the form that goes to `action`."""
    found = re.search(rf'<form[^>]*method="post" action="{re.escape(action)}".*?</form>', page.text, re.DOTALL)
    assert found, f"no form to {action}"
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', found[0])
    return {name: unescape(value) for name, value in fields}


def words_of(page: TestResponse) -> str:
    """Return a page's words without markup."""
    text = re.sub(r"<svg.*?</svg>", "", page.text, flags=re.DOTALL)
    text = re.sub(r"</?(b|bdi|s|i|time)\b[^>]*>", "", text)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text))).strip()
