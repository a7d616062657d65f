"""Groups: nights under the name of those who play together, begun again by one tap, with figures of their own."""

import re
from contextlib import closing

import pytest
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core import events
from tracker.core.events import Name, SeatId
from tracker.extras._night_files.importing import import_night
from tracker.extras.groups.pages import rename_in_nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

SATURDAY, FAMILY = "The Saturday table", "Family"


def ended(tables: Nights, day: int, *more: str, end: str = "equal") -> OpenNight:
    """Bring in a night of November of one hand for money, of four people and some more."""
    played = Nights(Store(None), StreamHub()).open(
        "michigan-rummy", {"money.chips": 1, "money.cents": 5, "ante.each": 2, "end": end}, f"Evening {day}"
    )
    seat_everybody(played)
    record(played, *(events.Sit(SeatId(one.lower()), Name(one)) for one in more))
    play_hand(played, "ruth", "ben", "mia")
    record(played, events.End())
    return import_night(tables, re.sub(r'"at": "[^"]*"', f'"at": "2024-11-{day:02}T20:00:00Z"', played.export()))


def put(host: ClientPhone, table: OpenNight, group: str = "", typed: str = "") -> int:
    return host.post(f"/nights/{table.code}/name", {"group": group, "new-group": typed}).status_code


@pytest.fixture(name="nights")
def _nights(site: Site, host: ClientPhone) -> list[OpenNight]:
    """Give two nights of one group, one of another, and one of none."""
    nights = [ended(site.tables, day, *(["Zoe"] if day == 2 else [])) for day in (1, 2, 3, 4)]
    for table, name in zip(nights, (SATURDAY, SATURDAY, FAMILY), strict=False):
        assert put(host, table, typed=name) == 303
    return nights


def groups(nights: list[OpenNight]) -> list[str]:
    return [table.settings.group for table in nights]


def test_a_night_is_in_one_group_at_most_by_choice(site: Site, host: ClientPhone, nights: list[OpenNight]) -> None:
    assert groups(nights) == [SATURDAY, SATURDAY, FAMILY, ""]
    page = HtmlPage(host.get(f"/nights/{nights[3].code}").text)
    assert page.values("input[name=group]", "value") == ["", FAMILY, SATURDAY]
    put(host, nights[3], typed="  the saturday TABLE ")
    put(host, nights[2], SATURDAY)
    assert groups(nights) == [SATURDAY] * 4
    put(host, nights[0], "a group that is not there")
    put(host, nights[1])
    assert groups(nights)[:2] == ["", ""]
    refused = host.post(f"/nights/{nights[0].code}/name", {"group": SATURDAY, "new-group": "x" * 25})
    assert refused.status_code == 422
    assert "too long" in refused.text
    host.post(f"/nights/{nights[2].code}/name", {"title": "Renamed"})  # a form without groups, of a page from before
    assert groups(nights)[2] == SATURDAY
    code = site.open_night(host)
    for group in ("Aces", "</title>" + "x" * 200):  # the form of a night's settings neither refuses nor keeps one
        answer = host.post(f"/n/{code}/settings", {"everyone": "on", "group": group, "new-group": group})
        assert answer.status_code == 303
    assert site.tables.get(code).settings.is_open_to_all
    assert NightSettings(site.tables.store, code).group == ""


def test_the_first_page_has_the_groups_only_where_there_are_several(host: ClientPhone, nights: list[OpenNight]) -> None:
    def words() -> str:
        return HtmlPage(host.get("/").text).text("main")

    assert [name for name in (SATURDAY, FAMILY) if name in words()] == [SATURDAY, FAMILY]
    put(host, nights[2])
    with_one = words()
    put(host, nights[0])
    put(host, nights[1])
    assert SATURDAY not in with_one
    assert with_one == words()


def test_one_tap_on_a_group_opens_a_lobby_with_everybody_its_board_and_its_rules(
    site: Site, host: ClientPhone, nights: list[OpenNight]
) -> None:
    def tap() -> str:
        form = next(one for one in forms_at(host, "/") if one.action == f"/nights/{nights[1].code}/again")
        return str(host.post(form.action, form.fields).location)

    found = re.fullmatch(r"/n/(\w+)/lobby", tap())
    assert found
    table, shown = site.tables.get(found[1]), host.get(f"/n/{found[1]}/lobby").text
    assert [table.night.name(seat) for seat in table.night.seats] == ["Ruth", "Ben", "Mia", "Tom", "Zoe"]
    assert all(name in shown for name in ("Ruth", "Ben", "Mia", "Tom", "Zoe"))
    assert table.night.preset == nights[1].night.preset
    assert table.settings.group == SATURDAY
    page = HtmlPage(host.get("/").text)  # it goes on now: the tap leads there, and opens none
    assert f"/n/{table.code}/" in page.values(".past-nights a", "href")
    assert not [one for one in forms_at(host, "/") if one.action == f"/nights/{table.code}/again"]


def test_a_board_that_was_left_is_asked_about_before(site: Site, host: ClientPhone, nights: list[OpenNight]) -> None:
    left = ended(site.tables, 5, end="leave")
    put(host, left, FAMILY)
    form = next(one for one in forms_at(host, "/") if one.action == f"/nights/{left.code}/again")
    assert host.post(form.action, form.fields).location == f"/nights/{left.code}"
    assert left.settings.next_night == ""
    assert len(site.tables.nights()) == len(nights) + 1


def test_nights_of_a_group_are_found_from_its_page_and_it_is_renamed_and_removed_and_they_stay(
    site: Site, host: ClientPhone, nights: list[OpenNight]
) -> None:
    for typed, said in ((" family", "There is a group of that name."), (" ", "Please type a name.")):
        refused = host.post("/group/name", {"group": SATURDAY, "name": typed})
        assert (refused.status_code, said in refused.text) == (422, True)
    assert host.post("/group/name", {"group": SATURDAY, "name": "Sunday"}).location == "/group?name=Sunday"
    assert groups(nights) == ["Sunday", "Sunday", FAMILY, ""]
    assert host.get("/group?name=The+Saturday+table").status_code == 404
    links = HtmlPage(host.get("/group?name=Sunday").text).values("main a", "href")
    for address in links:
        assert host.get(address).status_code == 200, address
    addresses = sorted(f"/n/{table.code}/settle" for table in nights[:2])
    if "earlier_nights.nights" in site.app.view_functions:  # where an extra lists all nights
        assert "/nights" in {href.partition("?")[0] for href in links}
        found = HtmlPage(host.get("/nights?q=Sunday").text).values(".past-nights a:first-child", "href")
        assert sorted(found) == addresses
    host.post("/group/remove", {"group": "Sunday"})
    assert groups(nights) == ["", "", FAMILY, ""]
    assert [host.get(address).status_code for address in addresses] == [200, 200]


@pytest.mark.every_place
def test_a_file_carries_a_group_which_is_renamed_in_all_nights_and_nothing_else_is(tables: Nights) -> None:
    nights = [tables.open("michigan-rummy") for _ in range(3)]
    for table, group in zip(nights, (SATURDAY, SATURDAY, FAMILY), strict=True):
        table.settings.group, table.settings.note = group, SATURDAY
    rename_in_nights(tables.store, SATURDAY, "Sunday")
    assert groups(nights) == ["Sunday", "Sunday", FAMILY]
    with closing(Store(None)) as store:
        assert import_night(Nights(store, tables.live), nights[0].export()).settings.group == "Sunday"
    rename_in_nights(tables.store, "Sunday", None)
    assert groups(nights) == ["", "", FAMILY]
    assert [table.settings.note for table in nights] == [SATURDAY] * 3


def test_an_app_that_no_other_device_reaches_has_groups_too(tables: Nights) -> None:
    only_phone = pytest.importorskip("tracker.extras.one_phone.bridge", reason="there is no one_phone").OnlyPhone
    for day, name in ((1, FAMILY), (2, SATURDAY)):
        ended(tables, day).settings.group = name
    access = Access(tables, Addresses(list), has_others=False)
    access.devices = only_phone(tables.store)
    phone = ClientPhone(create_app(tables, access=access))
    page = phone.get("/").text
    assert SATURDAY in page
    action = re.findall(r'formaction="(/nights/\w+/again)"', page)[0]
    lobby = phone.post(action, {"key": re.findall(r'name="key" value="(\w+)"', page)[0], "ask": "board"}).location
    assert lobby.endswith("/lobby")
    assert "Mia" in phone.get(lobby).text
