"""The pages of people: made from names by choice, changed, taken back, and forgotten; the host's alone."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from extras._shared.api_scripts import with_command_token
from extras._shared.known_people import known_people
from extras._shared.night_folder import night_file
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.of_extras import needs, of_extras
from support.routes import app_rules
from support.sample_nights import play_hand, record, sample_night, seat_everybody

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips, Hand
from tracker.extras._night_files.importing import import_night
from tracker.extras._people import KnownPerson, LinkedSeat
from tracker.extras._removal import remove_nights
from tracker.extras.people.people import PeopleTable, SeatSettings, StoredPeople
from tracker.storage import Store
from tracker.storage.files import log_of
from tracker.streaming.hub import StreamHub


class SamplePeople:
    """Two nights of the same four names, over, and the host."""

    def __init__(self, site: Site) -> None:
        site.tables.on_recorded.clear()  # nobody is known again by the name: the tests say who is who
        first = sample_night(site)
        self.site, self.host = site, first.host
        self.tables = [first.table, site.tables.open("michigan-rummy", name="Later")]
        for table in self.tables:
            seat_everybody(table)
            play_hand(table, "ruth", "ben", "mia")
            record(table, events.End())
        self.people = StoredPeople(site.tables.store)

    def get(self, path: str) -> HtmlPage:
        answer = self.host.get(path)
        assert answer.status_code == 200
        return HtmlPage(answer.text)

    def post(self, path: str, **form: str | list[str]) -> None:
        answer = self.host.post(path, dict(form))
        assert answer.status_code == 303, answer.text

    def seats(self, name: str) -> list[str]:
        return [f"{table.code}/{name}" for table in self.tables]

    def add(self, name: str, *seats: str) -> KnownPerson:
        self.post("/people", name=name, seat=[*seats])
        return next(one for one in self.people.all() if one.name == name)


@pytest.fixture(name="sample")
def _sample(site: Site) -> SamplePeople:
    return SamplePeople(site)


def test_a_name_of_earlier_nights_becomes_a_person_with_the_nights_that_were_chosen(sample: SamplePeople) -> None:
    assert sample.people.all() == []
    page = sample.get("/people")
    assert "/people/names?name=Mia" in page.values(".rows a", "href")
    offered = sample.get("/people/names?name=mia").values("input[name=seat]", "value")
    assert sorted(offered) == sorted(sample.seats("mia"))
    mia = sample.add("Mia", offered[0])
    assert [f"{code}/{seat}" for code, seat in sample.people.seats_of(mia.id)] == offered[:1]
    assert sample.get("/people/names?name=Mia").values("input[name=seat]", "value") == offered[1:]
    sample.post("/people", person=mia.id, seat=offered[1])
    assert len(sample.people.seats_of(mia.id)) == 2
    assert sample.host.get("/people/names?name=Mia").status_code == 404


def test_nights_go_to_somebody_else_two_become_one_that_is_undone_and_one_is_forgotten(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    assert "/people" in sample.get("/files").values("main a", "href")
    address = f"/people/{mia.id}"
    page = sample.get(f"{address}/kept")
    assert "as Mia" in page.text("main")
    answer = sample.host.get(f"{address}/kept.json")
    assert "mia.json" in answer.headers["Content-Disposition"]
    assert {one["code"] for one in json.loads(answer.text)["nights"]} == {table.code for table in sample.tables}
    assert '"Tom"' not in answer.text
    sample.post(f"{address}/split", seat=sample.seats("mia")[1], name="Mia P.")
    assert "1 night of Mia became Mia P.’s." in sample.get("/people").text(".last-change")
    (other,) = (one for one in sample.people.all() if one.name == "Mia P.")
    assert other.id in sample.get(address).values("[name=other]", "value")
    sample.post(f"{address}/merge", other=other.id)
    page = sample.get(address)
    assert "Mia P. is the same person as Mia." in page.text("main")
    assert "2 nights," in page.text(".bar")
    sample.post("/people/undo", **page.form(".last-change"))
    assert "1 night," in sample.get(address).text(".bar")
    sample.post(f"{address}/forget")
    page = sample.get("/people")
    assert page.texts(".rows .nm") == ["Mia P.", "Ben", "Ruth", "Tom"]
    assert not page.has(".last-change")


def test_name_colour_and_hiding_change_and_a_damaged_row_is_told_beside_the_others(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    PeopleTable(sample.site.tables.store.connection).append("2026-01-01T00:00:00Z", "{ }")
    text = sample.get("/people").text("main")
    assert "(number 2)" in text
    assert "Mia" in text
    sample.post(f"/people/{mia.id}/name", name="Maria")
    sample.post(f"/people/{mia.id}/colour", colour="7")
    sample.post(f"/people/{mia.id}/hide", hidden="1")
    changed = sample.people.find(mia.id)
    assert (changed.name, changed.colour, changed.is_hidden) == ("Maria", 7, True)
    assert sample.get("/people").values("details .rows a", "href") == [f"/people/{mia.id}"]


def test_what_does_not_fit_is_refused_and_changes_nothing(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia")[:1])
    page = f"/people/{mia.id}"
    for path, form, status in (
        ("/people", {"name": "Eve", "seat": "nowhere/eve"}, 400),
        *(("/people/undo", {"number": number}, 400) for number in ("", "x", "²", "9" * 30)),
        ("/people/undo", {"number": "77"}, 422),
        *((f"{page}/merge", {"other": other}, 422) for other in (mia.id, "", "x" * 300)),
        *((f"{page}/name", {"name": name}, 422) for name in ("", " ", "x" * 300)),
        *((f"{page}/colour", {"colour": colour}, 400) for colour in ("", "9", "0", "x", "²")),
        ("/people/nobody/name", {"name": "Eve"}, 404),
        ("/people/nobody/forget", {}, 303),  # as when it was tapped twice
    ):
        refused = sample.host.post(path, {**form})
        assert refused.status_code == status, (path, form)
    refused = sample.host.post(f"{page}/split", {"seat": sample.seats("mia")[1], "name": "Other"})
    assert (refused.status_code, "not this person’s" in refused.text) == (422, True)
    assert sample.people.all() == [mia]
    assert [row.number for row in PeopleTable(sample.site.tables.store.connection).rows()] == [1]


def test_no_page_file_or_answer_over_many_nights_has_the_name_of_somebody_forgotten(sample: SamplePeople) -> None:
    site, host = sample.site, sample.host
    sits = [{"kind": "sit", "seat": name[0].lower(), "name": name} for name in ("Wilma", "Otto", "Paul")]
    hand = [{"kind": "hand", "dealer": "p"}, {"kind": "out", "seat": "w", "cards": {"o": 1, "p": 2}}, {"kind": "end"}]
    rules = {"money.cents": 5, "poker.when": "off", "dummy": "unused"}
    frame = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "options": rules}
    wilma = import_night(site.tables, json.dumps({**frame, "name": "Third", "events": [*sits, *hand]}))
    person = sample.add("Wilma", f"{wilma.code}/w")
    year = wilma.began_at[:4]
    script = with_command_token(site)
    paths = [rule.rule for rule in app_rules(site.app) if not rule.arguments and "GET" in (rule.methods or ())]
    tables = of_extras("csv_of_nights")
    tables += [one.replace("nights.csv", f"{name}.csv") for one in tables for name in ("hands", "pots")]
    paths += [*tables, *(one.format(word=word) for one in of_extras("searches") for word in ("wilma", "michigan"))]
    of_year = [path.format(year=year) for path in of_extras("lists_of_year")]
    paths += [*of_year, f"/nights/{wilma.code}"]

    def named() -> set[str]:
        told = {path: host.get(path).get_data() for path in paths}
        told["/api/nights"] = json.dumps(script.get("/api/nights").json).encode()
        return {path for path, text in told.items() if b"wilma" in text.replace(b'value="wilma"', b"").lower()}

    lists = {"/", *of_extras("csv_of_nights"), "/api/nights", f"/nights/{wilma.code}"}
    assert {*lists, *of_extras("lists"), *of_year} <= named()
    sample.post(f"/people/{person.id}/forget")
    assert named() == set()


# What the house gives out of one person at all its tables, and who is said to be responsible for it.


class TwoTables:
    """Zoe plays with a phone at two tables of the house; at one she is a person."""

    def __init__(self, tables: Nights) -> None:
        self.site = Site(tables)
        self.house = self.site.host()
        self.own, self.other = (self.play(self.house, name) for name in ("Ruth", "Anna"))
        StoredPeople(tables.store).add("Zoe", [LinkedSeat(self.own.code, "zoe")])

    def play(self, host: ClientPhone, name: str) -> OpenNight:
        code = self.site.open_night(host, name)
        SeatSettings(self.site.tables.store, code).strangers.put("zoe", True)  # which person she is, a test says
        for guest in ("Zoe", "Tom", "Uwe"):
            self.site.join(code, guest)
        table, dealer = self.site.tables.get(code), name.lower()
        record(table, events.Rule({"money.cents": 5}), events.Hand(dealer), events.NoSale())
        number = record(table, events.Collect("zoe", "ten-hearts"), by="zoe")
        record(table, events.Undo(number), events.Collect("tom", "ten-hearts"))
        record(table, events.Out("tom", {dealer: Chips(1), "zoe": Chips(2), "uwe": Chips(3)}), by="tom")
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
    outs = [entry for night in kept["nights"] for entry in night["entries"] if entry["kind"] == "out"]
    named = sorted(" ".join(sorted(entry["cards"])) for entry in outs)
    assert named == ["anna tom uwe", "ruth tom uwe", "zoe", "zoe"], "others only where an entry needs them"
    assert {entry["by"] for night in kept["nights"] for entry in night["entries"]} == {"host", "zoe", "somebody else"}
    sits = [entry["name"] for night in kept["nights"] for entry in night["entries"] if entry["kind"] == "sit"]
    assert sits == ["Zoe", "Zoe"]
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


def test_what_is_not_theirs_is_left_out_by_choice(both: TwoTables) -> None:
    kept = both.data(seat=[f"{both.other.code}/zoe", f"{both.own.code}/tom"])
    assert [night["code"] for night in kept["nights"]] == [both.other.code]
    assert kept["people"] == []
    people = StoredPeople(both.site.tables.store)
    people.rename(next(one.id for one in people.all() if one.name == "Zoe"), "Zora")
    assert len(HtmlPage(both.house.get("/people/data?name=zora").text).values("input[name=seat]", "value")) == 1
    assert len(HtmlPage(both.house.get("/people/data?name=zoe").text).values("input[name=seat]", "value")) == 2
    assert "No night found." in both.house.get("/people/data?name=nobody").text
    assert "No night found." not in both.house.get("/people/data").text


# Days of play on the pages of people, and nights that are found by every name that somebody ever had.


DAYS = {
    "2026-03-07T20:00:00Z": "7 Mar 2026",
    "2025-10-04T20:00:00Z": "4 Oct 2025",
    "2025-01-18T20:00:00Z": "18 Jan 2025",
}
"""When nights began, the newest first, and their days."""


def words_on(host: ClientPhone, address: str, part: str = "main") -> str:
    answer = host.get(address)
    assert answer.status_code == 200, address
    return HtmlPage(answer.text).text(part).replace("\N{NO-BREAK SPACE}", " ")


def test_the_pages_of_people_have_the_days_of_play_in_order_and_a_night_is_found_by_every_name_somebody_there_ever_had(
    site: Site, host: ClientPhone
) -> None:
    people: StoredPeople = known_people(site.tables)
    in_other_order = sorted(DAYS, key=lambda one: one[5:])
    codes = [import_night(site.tables, night_file(begun[:4], begun)).code for begun in in_other_order]
    ann = people.add("Ann", [LinkedSeat(code, "ann") for code in codes])
    for address, part in (
        (f"/people/{ann.id}", ".their-nights"),
        ("/people/names?name=Bob", "main"),
        (f"/people/{ann.id}/kept", "main"),
    ):
        said = words_on(host, address, part)
        places = [said.find(day) for day in DAYS.values()]
        assert places == sorted(places), address
        assert places[0] >= 0, address
    for address in ("/people", f"/people/{ann.id}"):
        assert f"last on {next(iter(DAYS.values()))}" in words_on(host, address, "body"), address
    needs("earlier_nights")
    bobs = [LinkedSeat(code, "bob") for code in codes]
    robert = people.add("Bobby", bobs[:1]).id
    people.rename(robert, "Robert")
    people.merge(people.add("Bertie", bobs[1:]).id, robert)
    for query, count in {
        **dict.fromkeys(("bob", "Bobby", "ROBERT", "bertie", "ann robert"), len(codes)),
        **dict.fromkeys(("nobody", "obert"), 0),
    }.items():
        page = HtmlPage(host.get(f"/nights?{urlencode({'q': query})}").text)
        assert len(page.select(".past-nights > li > a:first-child")) == count, query


# What is removed for good leaves the list of people, and the bytes of the data file, at once.


def stored(path: Path) -> bytes:
    """Return the bytes of a data file and of its log, in small letters."""
    return b"".join(one.read_bytes() for one in (path, log_of(path)) if one.exists()).lower()


@pytest.mark.every_place
def test_a_removed_night_takes_its_seats_along_and_leaves_the_others(tables: Nights) -> None:
    gone, stays = tables.open("michigan-rummy"), tables.open("michigan-rummy")
    people: StoredPeople = known_people(tables)
    for table in (gone, stays):
        seat_everybody(table)
    mia = people.add("Mia", [LinkedSeat(table.code, "mia") for table in (gone, stays)])
    tom = people.add("Tom", [LinkedSeat(gone.code, "tom")])
    people.rename(tom.id, "Nobody in particular")
    assert remove_nights(tables, {gone.code: gone.head}) == [gone.code]
    assert people.seats() == {LinkedSeat(stays.code, "mia"): mia.id}
    assert {one.name for one in people.all()} == {"Mia", "Nobody in particular"}
    rows = [row.body or "" for row in PeopleTable(tables.store.connection).rows()]
    assert gone.code not in "".join(rows)
    assert remove_nights(tables, {gone.code: gone.head}) == []
    assert [row.body for row in PeopleTable(tables.store.connection).rows()] == rows


def test_somebody_forgotten_and_a_removed_seat_leave_the_file_at_once(store: Store, tmp_path: Path) -> None:
    tables = Nights(store, StreamHub())
    people: StoredPeople = known_people(tables)
    with store.connection.read() as db:
        db.execute("PRAGMA secure_delete = 0")  # as SQLite is built on other machines
    gone = tables.open("michigan-rummy")
    person = people.add("Xaver", [LinkedSeat(gone.code, "quirina")])
    people.rename(person.id, "Nobody in particular")
    assert b"quirina" in stored(tmp_path / "nights.db")
    forgotten = people.add("Wilma", [LinkedSeat("abc234", "wilma")])
    people.rename(forgotten.id, "Wilma the second")
    people.forget(forgotten.id)
    assert b"wilma" not in stored(tmp_path / "nights.db")
    remove_nights(tables, {gone.code: gone.head})
    assert b"quirina" not in stored(tmp_path / "nights.db")


# People of earlier nights at a new one: known by a name that is theirs alone, else asked about.


@pytest.fixture(name="people")
def _people(tables: Nights) -> StoredPeople:
    """Give the people of a night that is over: Mia is a person, the others are names."""
    table = tables.open("michigan-rummy", name="Earlier")
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    record(table, events.End())
    people = StoredPeople(tables.store)
    people.add("Mia", [(table.code, "mia")], person="m1")
    return people


def opened(phone: ClientPhone, **form: str) -> str:
    answer = phone.post("/new", {"preset": "michigan-rummy", "host": "", "key": new_id(), **form})
    assert answer.status_code == 303
    return answer.location.split("/")[2]


def lobby(phone: ClientPhone, code: str) -> HtmlPage:
    answer = phone.get(f"/n/{code}/lobby")
    assert answer.status_code == 200
    return HtmlPage(answer.text)


def owner(people: StoredPeople, code: str, seat: str) -> str:
    person = people.person_of(code, seat)
    return person.name if person else ""


def test_a_tapped_name_sits_down_and_is_linked(site: Site, host: ClientPhone, people: StoredPeople) -> None:
    code = opened(host)
    assert lobby(host, code).values(".offer", "value") == ["m1", "name:Ben", "name:Ruth", "name:Tom"]
    assert host.post(f"/n/{code}/seats", {"person": "m1", "name": "", "key": new_id()}).status_code == 303
    again = {"person": "name:Ben", "name": "", "key": new_id()}
    for _ in range(2):
        assert host.post(f"/n/{code}/seats", {**again}).status_code == 303
    assert site.names(code) == ["Mia", "Ben"]
    assert owner(people, code, "mia") == "Mia"
    assert [len(people.seats_of(one.id)) for one in people.all() if one.name == "Ben"] == [2]
    assert lobby(host, code).values(".offer", "value") == ["name:Ruth", "name:Tom"]


def test_a_name_of_one_known_person_is_that_one_unasked(site: Site, host: ClientPhone, people: StoredPeople) -> None:
    code, other = opened(host, host="Mia"), opened(host, host="Zoe")
    host.post(f"/n/{other}/seats", {"name": "mia", "key": new_id()})
    site.join(code, "Ben")
    assert [owner(people, at, "mia") for at in (code, other)] == ["Mia", "Mia"]
    assert owner(people, other, "zoe") == ""
    page = HtmlPage(host.get("/new").text)
    assert page.value("#host", "value") == "Zoe"
    assert "earlier nights" not in page.text("main")
    assert [len(people.seats_of(one.id)) for one in people.all() if one.name == "Ben"] == [2]
    assert not lobby(host, code).has(".like")
    assert "This is Mia of earlier nights." in HtmlPage(host.get(f"/n/{code}/seat/mia").text).text(".like")


def test_who_is_said_to_be_somebody_else_is_asked_about_next_time(host: ClientPhone, people: StoredPeople) -> None:
    code = opened(host, host="Mia")
    host.post(f"/n/{code}/seat/mia/who", {"person": "stranger"})
    second = people.person_of(code, "mia")
    assert second
    assert (second.name, second.id == "m1") == ("Mia", False)
    assert not lobby(host, code).has(".like")
    later = opened(host)
    host.post(f"/n/{later}/seats", {"name": "Mia", "key": new_id()})
    page = lobby(host, later)
    assert "Which Mia is this?" in page.text(".like")
    assert sorted(page.values(".like button", "value")) == sorted([second.id, "m1", "stranger"])
    assert host.post(f"/n/{later}/seat/mia/who", {"person": "m1"}).status_code == 303
    assert people.person_of(later, "mia") == people.get("m1")
    assert not lobby(host, later).has(".like")


def test_on_a_seats_page_the_link_is_taken_away_and_made(host: ClientPhone, people: StoredPeople) -> None:
    code = opened(host)
    host.post(f"/n/{code}/seats", {"person": "m1", "key": new_id()})
    assert host.post(f"/n/{code}/seat/mia/who", {"person": "", "from": "seat"}).location == f"/n/{code}/seat/mia"
    assert owner(people, code, "mia") == ""
    page = HtmlPage(host.get(f"/n/{code}/seat/mia").text)
    assert "m1" in page.values(".offer", "value")
    host.post(f"/n/{code}/seat/mia/who", {"person": "m1", "from": "seat"})
    assert "This is Mia of earlier nights." in HtmlPage(host.get(f"/n/{code}/seat/mia").text).text(".like")
    host.post(f"/n/{code}/seat/mia/remove", {"key": new_id()})
    assert owner(people, code, "mia") == ""


def test_guests_and_who_was_handed_the_table_see_nobody_of_earlier_nights(
    site: Site, host: ClientPhone, people: StoredPeople
) -> None:
    code = opened(host, host="Zoe")
    guest = site.join(code, "Mia")
    for path in ("lobby", "lobby/seats", "seat/mia"):
        answer = guest.get(f"/n/{code}/{path}")
        assert answer.status_code == 200
        assert "earlier nights" not in answer.text
        assert "Tom" not in answer.text
    assert guest.post(f"/n/{code}/seat/mia/who", {"person": "stranger"}).status_code == 403
    row = next(one for one in site.access.devices.devices_of(code) if one.seat == "mia")
    site.tables.store.devices.change(row.id, role="host")
    assert "Tom" not in HtmlPage(guest.get(f"/n/{code}/lobby").text).text("#add")
    assert guest.post(f"/n/{code}/seat/mia/who", {"person": "stranger"}).status_code == 403
    guest.post(f"/n/{code}/seats", {"person": "name:Tom", "name": "", "key": new_id()})
    assert site.names(code) == ["Zoe", "Mia"]
    assert owner(people, code, "mia") == "Mia"


def test_playing_again_carries_the_links_over(site: Site, host: ClientPhone, people: StoredPeople) -> None:
    earlier = site.tables.nights()[0].code
    again = host.post(f"/nights/{earlier}/again", {"key": new_id()}).location.split("/")[2]
    assert {seat: owner(people, again, seat) for seat in site.tables.get(again).night.seats} == {
        "ben": "Ben", "mia": "Mia", "tom": "Tom", "ruth": "Ruth",
    }  # fmt: skip
    assert not lobby(host, again).has(".like")
    needs("last_people")
    code = opened(host)
    host.post(f"/n/{code}/same-people", {"key": new_id()})
    assert owner(people, code, "mia") == "Mia"
    host.post(f"/n/{code}/seat/mia/who", {"person": "stranger"})
    again = host.post(f"/nights/{code}/again", {"key": new_id()}).location.split("/")[2]
    assert not lobby(host, again).has(".like"), "nobody asks again which Mia it is"
    assert people.person_of(again, "mia") == people.person_of(code, "mia") != people.get("m1")


def test_earlier_people_are_seated_while_hands_are_played_too_but_for_who_is_hidden_or_forgotten(
    site: Site, host: ClientPhone, people: StoredPeople
) -> None:
    code = opened(host, host="Zoe")
    for name in ("Anna", "Ida"):
        host.post(f"/n/{code}/seats", {"name": name, "key": new_id()})
    table = site.tables.get(code)
    table.record(Hand(table.night.seats[0]), id=new_id(), by="host")
    assert HtmlPage(host.get(f"/n/{code}").text).values("a.free", "href") == [f"/n/{code}/lobby"]
    assert "m1" in lobby(host, code).values(".offer", "value")
    host.post(f"/n/{code}/seats", {"person": "m1", "name": "", "key": new_id()})
    assert owner(people, code, "mia") == "Mia"
    code = opened(host)
    people.hide("m1")
    assert "m1" not in lobby(host, code).values(".offer", "value")
    people.forget("m1")
    assert not {"m1", "name:Mia"} & {*lobby(host, code).values(".offer", "value")}
    host.post(f"/n/{code}/seats", {"name": "Mia", "key": new_id()})
    assert not lobby(host, code).has(".like")


def test_a_persons_colour_is_a_wish_for_the_next_sitting_and_the_later_of_two_gets_the_next_free_one(
    host: ClientPhone, people: StoredPeople
) -> None:
    people.set_colour("m1", 5)
    earlier = people.seats_of("m1")[0].code
    people.link(earlier, "tom", people.add("Tom", colour=5, person="t1").id)
    code = opened(host)

    def colours() -> list[str]:
        return [mark.split()[1].removeprefix("p") for mark in lobby(host, code).values(".ring4 .tok", "class")]

    for form in ({"person": "m1"}, {"person": "t1"}, {"name": "Zoe"}):
        host.post(f"/n/{code}/seats", {"key": new_id(), **form})
    assert colours() == ["5", "6", "3"]
    host.post("/people/m1/colour", {"colour": "8"})
    host.post(f"/n/{code}/seat/tom/who", {"person": "stranger"})
    assert colours() == ["5", "6", "3"]  # a night keeps the colours in which people sat down
    code = opened(host, host="Mia")
    assert colours() == ["8"]
