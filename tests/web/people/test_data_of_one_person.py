"""What the house gives out of one person at all its tables, and who is said to be responsible for it."""

import json
from typing import Any

import pytest
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.sample_nights import record, visible_text

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.archive.people import LinkedSeat, People
from tracker.core import events
from tracker.core.events import Chips


class TwoTables:
    """Zoe plays with a phone at two tables of the house; at one she is a person."""

    def __init__(self, tables: Nights) -> None:
        self.site = Site(tables)
        self.house = self.site.host()
        self.own, self.other = (self.play(self.house, name) for name in ("Ruth", "Anna"))
        People(tables.store).add("Zoe", [LinkedSeat(self.own.code, "zoe")])

    def play(self, host: ClientPhone, name: str) -> OpenNight:
        code = self.site.open_night(host, name)
        self.site.tables.get(code).settings.strangers.put("zoe", True)  # which person she is, a test says
        for guest in ("Zoe", "Tom", "Uwe"):
            self.site.join(code, guest)
        table, dealer = self.site.tables.get(code), name.lower()
        record(table, events.Rule({"money.cents": 5}), events.Hand(dealer), events.NoSale())
        number = record(table, events.Collect("zoe", "ten-hearts"), by="zoe")
        record(table, events.Undo(number), events.Collect("tom", "ten-hearts"))
        record(table, events.Out("tom", {dealer: Chips(1), "zoe": Chips(2), "uwe": Chips(3)}))
        record(table, events.Poker(("uwe",)), events.Hand("zoe"), events.NoSale())
        record(table, events.Out("zoe", {dealer: Chips(1), "tom": Chips(2), "uwe": Chips(3)}))
        record(table, events.Poker(("uwe",)), events.End())
        return table

    def data(self, **changed: str | list[str]) -> dict[str, Any]:
        form = next(one for one in forms_at(self.house, "/people/data?name=zoe") if one.action == "/people/data")
        answer = self.house.post(form.action, {**form.fields, **changed})
        assert answer.status_code == 200
        assert "attachment" in answer.headers["Content-Disposition"]
        found: dict[str, Any] = json.loads(answer.text)
        return found


@pytest.fixture(name="both")
def _both(tables: Nights) -> TwoTables:
    return TwoTables(tables)


def test_the_file_has_somebody_of_all_tables_with_entries_payments_and_phones(both: TwoTables) -> None:
    kept = both.data()
    assert {night["code"] for night in kept["nights"]} == {both.own.code, both.other.code}
    assert [(person["name"], [one["kind"] for one in person["changes"]]) for person in kept["people"]] == [
        ("Zoe", ["add"])
    ]
    for night, table in ((one, both.site.tables.get(one["code"])) for one in kept["nights"]):
        about = {entry["number"] for entry in night["entries"]}
        for entry in table.entries:  # each that names her, was hers, or takes one of those back
            is_hers = "zoe" in str(entry.event).lower() or entry.by == "zoe" or entry.event.kind == "undo"
            assert (entry.number in about) == is_hers, entry
        owed = sum(one["cents"] * (-1 if one["from"] == "Zoe" else 1) for one in night["open payments"])
        assert owed == night["cents"] == table.night.net("zoe") * 5
        assert [phone["name"] for phone in night["phones"]] == ["Zoe"]
        assert all(phone["since"] <= phone["last seen"] for phone in night["phones"])


def test_others_stand_in_the_file_only_where_an_entry_needs_them(both: TwoTables) -> None:
    kept = both.data()
    outs = [entry for night in kept["nights"] for entry in night["entries"] if entry["kind"] == "out"]
    named = sorted(" ".join(sorted(entry["cards"])) for entry in outs)
    assert named == ["anna tom uwe", "ruth tom uwe", "zoe", "zoe"]
    assert {entry["by"] for night in kept["nights"] for entry in night["entries"]} <= {"host", "zoe", "somebody else"}
    sits = [entry["name"] for night in kept["nights"] for entry in night["entries"] if entry["kind"] == "sit"]
    assert sits == ["Zoe", "Zoe"]


def test_what_is_not_theirs_is_left_out_by_choice_and_nobody_else_asks(both: TwoTables) -> None:
    kept = both.data(seat=[f"{both.other.code}/zoe", f"{both.own.code}/tom"])
    assert [night["code"] for night in kept["nights"]] == [both.other.code]
    assert kept["people"] == []
    people = People(both.site.tables.store)
    people.rename(next(one.id for one in people.all() if one.name == "Zoe"), "Zora")
    assert len(HtmlPage(both.house.get("/people/data?name=zora").text).values("input[name=seat]", "value")) == 1
    assert len(HtmlPage(both.house.get("/people/data?name=zoe").text).values("input[name=seat]", "value")) == 2
    assert "No night found." in both.house.get("/people/data?name=nobody").text
    assert "No night found." not in both.house.get("/people/data").text
    stranger = both.site.phone()
    assert stranger.get("/people/data?name=zoe").status_code == 403
    assert stranger.post("/people/data", {"name": "zoe"}).status_code == 403


def test_the_trust_page_names_who_is_responsible_or_how_that_is_set(site: Site, host: ClientPhone) -> None:
    guest, form = site.phone(), {"name": " Ruth  Weiß ", "contact": "ruth@cards.example"}
    assert "Whoever runs this house is responsible for it. The name is set on" in visible_text(guest.get("/trust"))
    assert not HtmlPage(guest.get("/trust").text).has("main form")
    assert HtmlPage(host.get("/trust").text).has("form[action='/trust']")
    assert guest.post("/trust", {**form}).status_code == 403
    assert host.post("/trust", {**form}).location == "/trust"
    said = visible_text(guest.get("/trust"))
    assert "Responsible for it: Ruth Weiß, ruth@cards.example." in said
    assert "Whoever runs this house" not in said
    refused = host.post("/trust", {"name": "x" * 101, "contact": ""})
    assert refused.status_code == 422
    assert "at most 100 characters" in refused.text
    host.post("/trust", {"name": "", "contact": "nobody"})
    assert "Whoever runs this house" in visible_text(guest.get("/trust"))
