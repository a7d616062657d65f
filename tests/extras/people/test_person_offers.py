"""People of earlier nights at a new one: known by a name that is theirs alone, else asked about."""

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.events import Hand
from tracker.extras.people.people import People


@pytest.fixture(name="people")
def _people(tables: Nights) -> People:
    """Give the people of a night that is over: Mia is a person, the others are names."""
    table = tables.open("michigan-rummy", name="Earlier")
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    record(table, events.End())
    people = People(tables.store)
    people.add("Mia", [(table.code, "mia")], person="m1")
    return people


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    return site.host()


def opened(phone: ClientPhone, **form: str) -> str:
    answer = phone.post("/new", {"preset": "michigan-rummy", "host": "", "key": new_id(), **form})
    assert answer.status_code == 303
    return answer.location.split("/")[2]


def lobby(phone: ClientPhone, code: str) -> HtmlPage:
    answer = phone.get(f"/n/{code}/lobby")
    assert answer.status_code == 200
    return HtmlPage(answer.text)


def owner(people: People, code: str, seat: str) -> str:
    person = people.person_of(code, seat)
    return person.name if person else ""


def test_a_tapped_name_sits_down_and_is_linked(site: Site, host: ClientPhone, people: People) -> None:
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


def test_a_name_of_one_known_person_is_that_person_and_nobody_is_asked(
    site: Site, host: ClientPhone, people: People
) -> None:
    code = opened(host)
    host.post(f"/n/{code}/seats", {"name": "mia", "key": new_id()})
    site.join(code, "Ben")
    assert owner(people, code, "mia") == "Mia"
    assert [len(people.seats_of(one.id)) for one in people.all() if one.name == "Ben"] == [2]
    assert not lobby(host, code).has(".like")
    assert "This is Mia of earlier nights." in HtmlPage(host.get(f"/n/{code}/seat/mia").text).text(".like")


def test_who_is_said_to_be_somebody_else_is_asked_about_from_the_next_night_on(
    host: ClientPhone, people: People
) -> None:
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


def test_on_a_seats_page_the_link_is_taken_away_and_made(host: ClientPhone, people: People) -> None:
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
    site: Site, host: ClientPhone, people: People
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


def test_whoever_opens_a_night_is_the_known_person_of_the_typed_name(host: ClientPhone, people: People) -> None:
    code = opened(host, host="Mia")
    assert owner(people, code, "mia") == "Mia"
    page = HtmlPage(host.get("/new").text)
    assert page.value("#host", "value") == "Mia"
    assert "earlier nights" not in page.text("main")
    assert owner(people, opened(host, host="Zoe"), "zoe") == ""


def test_playing_again_carries_the_links_over(site: Site, host: ClientPhone, people: People) -> None:
    earlier = site.tables.nights()[0].code
    again = host.post(f"/nights/{earlier}/again", {"key": new_id()}).location.split("/")[2]
    assert {seat: owner(people, again, seat) for seat in site.tables.get(again).night.seats} == {
        "ben": "Ben", "mia": "Mia", "tom": "Tom", "ruth": "Ruth",
    }  # fmt: skip
    assert not lobby(host, again).has(".like")
    code = opened(host)
    host.post(f"/n/{code}/same-people", {"key": new_id()})
    assert owner(people, code, "mia") == "Mia"


def test_the_host_seats_somebody_of_earlier_nights_while_hands_are_played(
    site: Site, host: ClientPhone, people: People
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


def test_playing_again_does_not_ask_again_which_mia_somebody_is(host: ClientPhone, people: People) -> None:
    code = opened(host, host="Mia")
    host.post(f"/n/{code}/seat/mia/who", {"person": "stranger"})
    again = host.post(f"/nights/{code}/again", {"key": new_id()}).location.split("/")[2]
    assert not lobby(host, again).has(".like")
    assert people.person_of(again, "mia") == people.person_of(code, "mia")


def test_who_is_hidden_or_forgotten_is_not_offered(host: ClientPhone, people: People) -> None:
    code = opened(host)
    people.hide("m1")
    assert "m1" not in lobby(host, code).values(".offer", "value")
    people.forget("m1")
    assert lobby(host, code).values(".offer", "value") == ["name:Ben", "name:Ruth", "name:Tom"]
    host.post(f"/n/{code}/seats", {"name": "Mia", "key": new_id()})
    assert not lobby(host, code).has(".like")


def test_a_persons_colour_is_a_wish_for_the_next_sitting_and_the_later_of_two_gets_the_next_free_one(
    host: ClientPhone, people: People
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
