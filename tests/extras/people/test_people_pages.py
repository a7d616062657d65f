"""The pages of people: made from names by choice, changed, taken back, and forgotten; the host's alone."""

import json

import pytest
from support.api_scripts import with_command_token
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.routes import app_rules
from support.sample_nights import play_hand, record, sample_night, seat_everybody

from tracker.app.known_people import KnownPerson
from tracker.core import events
from tracker.extras.people.people import People
from tracker.extras.people.stored_changes import PeopleTable


class SamplePeople:
    """Two nights of the same four names, over, and the host."""

    def __init__(self, site: Site) -> None:
        site.tables.on_recorded.clear()  # nobody is known again by the name: the tests say who is who
        first = sample_night(site)
        self.site, self.host, self.phones = site, first.host, (first.ben, first.watcher, site.phone())
        self.tables = [first.table, site.tables.open("michigan-rummy", name="Later")]
        for table in self.tables:
            seat_everybody(table)
            play_hand(table, "ruth", "ben", "mia")
            record(table, events.End())
        self.people = People(site.tables.store)

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


def test_two_are_merged_and_one_tap_takes_it_back(sample: SamplePeople) -> None:
    first, second = sample.seats("mia")
    mia, other = sample.add("Mia", first), sample.add("Mia P.", second)
    sample.post(f"/people/{mia.id}/merge", other=other.id)
    page = sample.get(f"/people/{mia.id}")
    assert "Mia P. is the same person as Mia." in page.text(".last-change")
    assert sample.host.get(f"/people/{other.id}").status_code == 404
    sample.post("/people/undo", **page.form(".last-change"))
    assert {one.name: len(sample.people.seats_of(one.id)) for one in sample.people.all()} == {"Mia": 1, "Mia P.": 1}


def test_nights_are_taken_away_for_somebody_else(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    sample.post(f"/people/{mia.id}/split", seat=sample.seats("mia")[1], name="Mia the other")
    assert [len(sample.people.seats_of(one.id)) for one in sample.people.all()] == [1, 1]
    assert "1 night of Mia became Mia the other’s." in sample.get("/people").text(".last-change")
    refused = sample.host.post(f"/people/{mia.id}/split", {"seat": sample.seats("mia")[1], "name": "Again"})
    assert refused.status_code == 422
    assert "not this person’s" in refused.text


def test_name_colour_and_hiding(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    sample.post(f"/people/{mia.id}/name", name="Maria")
    sample.post(f"/people/{mia.id}/colour", colour="7")
    sample.post(f"/people/{mia.id}/hide", hidden="1")
    changed = sample.people.find(mia.id)
    assert (changed.name, changed.colour, changed.is_hidden) == ("Maria", 7, True)
    assert sample.get("/people").values("details .rows a", "href") == [f"/people/{mia.id}"]
    assert sample.host.post(f"/people/{mia.id}/name", {"name": " "}).status_code == 422
    for colour in ("", "9", "0", "x", "²"):
        assert sample.host.post(f"/people/{mia.id}/colour", {"colour": colour}).status_code == 400
    assert sample.people.find(mia.id) == changed


def test_everything_kept_is_a_page_and_a_file(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    page = sample.get(f"/people/{mia.id}/kept")
    assert "as Mia" in page.text("main")
    answer = sample.host.get(f"/people/{mia.id}/kept.json")
    assert "mia.json" in answer.headers["Content-Disposition"]
    kept = json.loads(answer.text)
    assert kept["name"] == "Mia"
    assert [one["kind"] for one in kept["people"][0]["changes"]] == ["add"]
    assert {one["code"] for one in kept["nights"]} == {table.code for table in sample.tables}
    assert {"sit", "out"} <= {entry["kind"] for entry in kept["nights"][0]["entries"]}
    assert '"Tom"' not in answer.text


def test_somebody_forgotten_is_gone_from_the_list_and_is_not_offered_again(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    assert "each the name still stands in its log" in sample.get(f"/people/{mia.id}/forget").text("main")
    for _ in range(2):
        sample.post(f"/people/{mia.id}/forget")
    assert "Mia" not in sample.get("/people").text("main")
    assert sample.tables[0].night.people["mia"].name == "Mia"
    assert all("mia" not in (row.body or "").lower() for row in PeopleTable(sample.site.tables.store.connection).rows())


def test_no_page_file_or_answer_over_many_nights_has_the_name_of_somebody_forgotten(sample: SamplePeople) -> None:
    site, host = sample.site, sample.host
    sits = [{"kind": "sit", "seat": name[0].lower(), "name": name} for name in ("Wilma", "Otto", "Paul")]
    hand = [{"kind": "hand", "dealer": "p"}, {"kind": "out", "seat": "w", "cards": {"o": 1, "p": 2}}, {"kind": "end"}]
    rules = {"money.cents": 5, "poker.when": "off", "dummy": "unused"}
    frame = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "options": rules}
    wilma = site.tables.import_night(json.dumps({**frame, "name": "Third", "events": [*sits, *hand]}))
    person = sample.add("Wilma", f"{wilma.code}/w")
    year = wilma.began_at[:4]
    script = with_command_token(site)
    paths = [rule.rule for rule in app_rules(site.app) if not rule.arguments and "GET" in (rule.methods or ())]
    paths += [*of_extras("csv_of_nights"), "/nights?q=wilma", "/nights?q=michigan"]
    of_year = [path.format(year=year) for path in of_extras("lists_of_year")]
    paths += [*of_year, f"/nights/{wilma.code}"]

    def named() -> set[str]:
        told = {path: host.get(path).get_data() for path in paths}
        told["/api/nights"] = json.dumps(script.get("/api/nights").json).encode()
        return {path for path, text in told.items() if b"wilma" in text.replace(b'value="wilma"', b"").lower()}

    lists = {"/", *of_extras("csv_of_nights")[:2], "/api/nights", f"/nights/{wilma.code}"}
    assert {*lists, *of_extras("lists"), *of_year} <= named()
    sample.post(f"/people/{person.id}/forget")
    assert named() == set()


def test_a_damaged_row_is_told_and_the_others_are_shown(sample: SamplePeople) -> None:
    sample.add("Mia", *sample.seats("mia"))
    PeopleTable(sample.site.tables.store.connection).append("2026-01-01T00:00:00Z", "{ }")
    sample.add("Ben", *sample.seats("ben"))
    text = sample.get("/people").text("main")
    assert "(number 2)" in text
    assert "Mia" in text
    assert "Ben" in text


def test_people_are_the_hosts_alone(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    paths: tuple[str, ...] = ("/people", "/people/names?name=Ben", f"/people/{mia.id}")
    paths += tuple(f"/people/{mia.id}/{page}" for page in ("kept", "kept.json", "forget"))
    for phone in sample.phones:
        assert {phone.get(path).status_code for path in paths} == {403}
        for path in ("name", "colour", "hide", "merge", "split", "forget"):
            assert phone.post(f"/people/{mia.id}/{path}", {"name": "Eve"}).status_code == 403
        assert phone.post("/people", {"name": "Eve"}).status_code == 403
        assert phone.post("/people/undo", {"number": "1"}).status_code == 403
    assert sample.people.all() == [mia]


def test_what_is_not_there_is_refused(sample: SamplePeople) -> None:
    mia = sample.add("Mia", *sample.seats("mia"))
    assert sample.host.post("/people", {"name": "Eve", "seat": "nowhere/eve"}).status_code == 400
    for number in ("", "x", "²", "9" * 30):
        assert sample.host.post("/people/undo", {"number": number}).status_code == 400
    assert sample.host.post("/people/undo", {"number": "77"}).status_code == 422
    assert sample.host.post(f"/people/{mia.id}/merge", {"other": mia.id}).status_code == 422
    assert sample.host.post("/people/nobody/name", {"name": "Eve"}).status_code == 404
