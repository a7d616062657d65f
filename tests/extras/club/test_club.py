"""Several hosts on one machine: how they come, that each sees only their own nights, and how they go."""

import re
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from extras._shared.api_scripts import with_command_token
from extras.club.club_hosts import become_assistant, become_host, become_screen, club_of, club_site, owner_id
from support.client_phones import ClientPhone, Clock, Site
from support.data_files import file_of
from support.html_page import HtmlPage
from support.of_extras import needs, of_extras
from support.polling import wait_until
from support.routes import app_rules, asked, may_use, page_rules, path_of
from support.sample_nights import Form

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.extras._backups import FOLDER, Backups
from tracker.extras.club.access import PAGES, kept_about
from tracker.extras.club.club import ASSISTANT, CLUB_ROLES, SCREEN, Club, ClubLimits
from tracker.extras.club.settings import Announcement, ClubNightSettings, ClubSettings, HostLink, RoomTable, Series
from tracker.storage import DataPlace, Store
from tracker.storage.sqlite_schema import NEW_ROLES
from tracker.web.access.rate_limits import GuessLimit
from tracker.web.access.roles import OWNER

# Becoming a host


def test_whoever_has_the_clubs_link_opens_a_table_and_is_its_host(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    assert "What are we playing?" in anna.get("/").text
    code = site.open_night(anna, "Anna")
    assert anna.get(f"/n/{code}/settings").status_code == 200
    assert club.owner_of(code) == owner_id(club, "Anna")
    assert 'value="Anna"' in anna.get("/new").text
    with site.app.app_context():
        found = [[one["name"] for one in kept_about(name, (), ())] for name in ("anna", "zoe")]
    assert found == [["Anna"], []], "a host of the club is found by name"


def test_somebody_without_the_link_is_let_in_by_the_house_or_sent_away(site: Site, club: Club) -> None:
    house, ben, eve = site.host(), site.phone(), site.phone()
    for name, phone in (("Ben", ben), ("Eve", eve)):
        assert phone.post("/club/ask", {"name": name}).location == "/club"
    assert "asked" in ben.get("/club").text
    ben.post("/club/enter")
    assert ben.get("/new").status_code == 403
    assert "Ben wants to open tables" in house.get("/house").text.replace("<bdi>", "").replace("</bdi>", "")
    for asking, answer in zip(site.access.devices.join_requests(None), ("in", "away"), strict=True):
        house.post(f"/house/knocks/{asking.id}/{answer}")
    assert "data-go" in ben.get("/club/answer").text
    assert ben.get("/new").status_code == 403
    assert ben.post("/club/enter").location == "/"
    assert ben.get("/new").status_code == 200
    assert "Not this time" in eve.get("/club/answer").text
    eve.post("/club/enter")
    assert [row.name for row in club.hosts()] == ["Ben"]


# Each sees only the own nights


def test_every_address_of_a_hosts_night_answers_another_host_as_a_stranger(site: Site) -> None:
    anna, ben, house = become_host(site, "Anna"), become_host(site, "Ben"), site.host()
    assistant, screen = become_assistant(site, house), become_screen(site, house)
    code = site.open_night(anna, "Anna")
    site.open_night(ben, "Ben")
    site.join(code, "Zoe")
    site.start_first_hand(anna, code, "anna")
    head, stranger = site.tables.get(code).head, site.phone()
    walked = 0
    for rule in app_rules(site.app):
        if "code" in rule.arguments:
            expected = {what: answer.status_code for what, answer in asked(stranger, rule, code)}
            for other in (ben, house, assistant, screen):
                assert {what: answer.status_code for what, answer in asked(other, rule, code)} == expected
            walked += len(expected)
    assert {phone.get("/nope").status_code for phone in (ben, house, assistant, screen)} == {404}
    assert walked > 70
    assert site.tables.get(code).head == head


def test_every_page_of_the_house_is_refused_to_hosts_assistants_and_screens_with_a_sentence(site: Site) -> None:
    house = site.host()
    phones = {OWNER: become_host(site, "Anna"), ASSISTANT: become_assistant(site, house)}
    phones[SCREEN] = become_screen(site, house)
    walked = 0
    for rule, (role, phone) in product(app_rules(site.app), phones.items()):
        if "code" in rule.arguments or may_use(site.app, rule.endpoint, role):
            continue
        for what, answer in asked(phone, rule, ""):
            is_night = (
                "night" in rule.arguments
                and "house" not in rule.rule
                and not page_rules(site.app, rule.endpoint).of_all_nights
            )
            is_hosts_night = role == OWNER and is_night
            assert answer.status_code == (404 if is_hosts_night else 403), what
            if answer.status_code == 403 and not rule.rule.startswith("/api/"):
                assert "whoever runs the house" in answer.text, what
            walked += 1
    assert walked > 210


def test_lists_have_only_the_own_nights(site: Site) -> None:
    anna, ben, house = become_host(site, "Anna"), become_host(site, "Ben"), site.host()
    codes = {name: site.open_night(phone, name) for name, phone in (("Anna", anna), ("Ben", ben), ("Ruth", house))}
    for name, phone in (("Anna", anna), ("Ben", ben), ("Ruth", house)):
        listed = phone.get("/").text
        for other, code in codes.items():
            assert (code in listed) == (other == name), (name, other)
            assert phone.get(f"/nights/{code}").status_code == (200 if other == name else 404)
            for act in ("name", "put-away", "again"):
                if other != name:
                    assert phone.post(f"/nights/{code}/{act}", {"title": "Mine", "where": "deleted"}).status_code == 404
    assert re.findall(r"/n/(\w+)", "".join(house.get(path).text for path in of_extras("lists"))) == []
    assert {row["code"] for row in house.get("/api/nights").get_json()["nights"]} == {codes["Ruth"]}
    for address in of_extras("csv_of_nights")[:1]:
        assert house.get(address).text.count("\n") == 2


def test_a_guest_of_another_host_sees_that_night_may_not_change_it_and_is_not_offered_its_people(site: Site) -> None:
    anna, ben = become_host(site, "Anna"), become_host(site, "Ben")
    code = site.open_night(anna, "Anna")
    site.join(code, "Zoe")
    ben.post("/join", {"token": site.join_link(code)[3:], "name": "Ben"})
    assert ben.get(f"/n/{code}/lobby").status_code == 200
    assert code in ben.get("/").text
    assert [ben.get(path).status_code for path in (f"/nights/{code}", f"/n/{code}/settings")] == [404, 403]
    assert anna.post(f"/n/{code}/address", {"address": "10.8.0.6:8000"}).status_code == 403, "it is that of all nights"
    needs("last_people")
    later = site.open_night(ben, "Ben")
    assert "Zoe" not in ben.get(f"/n/{later}/lobby").text
    ben.post(f"/n/{later}/same-people", {"key": "same"})
    assert site.names(later) == ["Ben"]


def test_the_token_of_the_command_enters_the_nights_of_the_house_only(site: Site) -> None:
    token = with_command_token(site).token
    of_house = site.open_night(site.host(), "Ruth")
    of_anna = site.open_night(become_host(site, "Anna"), "Anna")
    phone = site.phone()
    assert phone.get(f"/api/nights/{of_house}", Authorization=f"Bearer {token}").status_code == 200
    assert phone.get(f"/api/nights/{of_anna}", Authorization=f"Bearer {token}").status_code == 401


# Dismissing, and another browser


def test_a_dismissal_leaves_the_players_in_and_is_undone_with_cookie_and_nights(site: Site, club: Club) -> None:
    anna, house = become_host(site, "Anna"), site.host()
    code, owner = site.open_night(anna, "Anna"), owner_id(club, "Anna")
    link, zoe = club.new_link(owner), site.join(code, "Zoe")
    house.post(f"/house/hosts/{owner}/dismiss")
    assert [phone.get(f"/n/{code}/lobby").status_code for phone in (anna, zoe, house)] == [403, 200, 403]
    assert [house.get(f"/nights/{code}").status_code, house.post("/take-over", {"night": code}).status_code] == [
        404
    ] * 2
    address = f"/house/hosts/{owner}/back"
    form = HtmlPage(house.get("/house").text).form(f"form[action='{address}']")
    for _twice in range(2):
        assert house.post(address, {**form}).status_code == 303
    assert address not in house.get("/house").text
    assert "Host this night" in anna.get("/").text
    assert anna.get("/new").status_code == 200
    assert anna.post("/take-over", {"night": code}).status_code == 303
    assert anna.get(f"/n/{code}/settings").status_code == 200
    assert club.host_of_link(link) is None


def test_who_was_dismissed_is_not_taken_back_beside_another_host_of_that_name_who_is_given_the_nights(
    site: Site, club: Club
) -> None:
    anna, ben, house = become_host(site, "Anna"), become_host(site, "Ben"), site.host()
    code, before = site.open_night(anna, "Anna"), owner_id(club, "Anna")
    page = house.get(f"/house/hosts/{before}")
    assert re.search(r"<details[^>]*><summary>Dismiss Anna…", page.text), "it is asked before"
    house.post(f"/house/hosts/{owner_id(club, 'Ben')}/nights", {"from": before})
    assert (club.owner_of(code), ben.get(f"/n/{code}").status_code) == (before, 403), "who was not dismissed keeps them"
    house.post(f"/house/hosts/{before}/dismiss")
    again = become_host(site, "ANNA")
    assert f"/house/hosts/{before}/back" not in house.get("/house").text
    house.post(f"/house/hosts/{before}/back")
    assert anna.get("/new").status_code == 403
    assert [row.name for row in club.hosts()] == ["Ben", "ANNA"]
    assert f"/n/{code}" not in again.get("/").text
    address = f"/house/hosts/{owner_id(club, 'ANNA')}"
    form = HtmlPage(house.get(address).text).form(f"form[action='{address}/nights']")
    assert "Give the nights of Anna" in house.get(address).text
    for _twice in range(2):
        assert house.post(f"{address}/nights", {**form, "from": before}).status_code == 303
    assert "Give the nights of" not in house.get(address).text
    assert again.post("/take-over", {"night": code}).status_code == 303
    assert anna.get(f"/n/{code}").status_code == 403


def test_the_wifi_of_a_hosts_table_is_typed_by_the_house_only(site: Site) -> None:
    needs("wifi")
    anna = become_host(site, "Anna")
    code = site.open_night(anna, "Anna")
    assert anna.post(f"/n/{code}/wifi", {"name": "Evil"}).status_code == 403
    assert 'name="password"' not in anna.get(f"/n/{code}/wifi").text


def test_a_table_without_a_host_is_given_to_another_one(site: Site, club: Club) -> None:
    anna, ben, house = become_host(site, "Anna"), become_host(site, "Ben"), site.host()
    code = site.open_night(anna, "Anna")
    bens: Form = {"owner": owner_id(club, "Ben")}
    assert house.post(f"/house/tables/{code}/give", bens).status_code == 409
    house.post(f"/house/hosts/{owner_id(club, 'Anna')}/dismiss")
    assert ben.post("/take-over", {"night": code}).status_code == 404
    assert "Nobody hosts it" in house.get("/house").text
    assert house.post(f"/house/tables/{code}/give", bens).status_code == 303
    assert "Host this night" in ben.get("/").text
    assert ben.post("/take-over", {"night": code}).status_code == 303
    assert ben.get(f"/n/{code}/settings").status_code == 200


def test_a_lost_phone_is_replaced_by_a_link_of_the_house_that_is_good_for_a_day(site: Site, club: Club) -> None:
    anna, house, new, clock = become_host(site, "Anna"), site.host(), site.phone(), Clock()
    later = Club(site.tables.store, clock=clock)
    link = later.new_link(owner_id(later, "Anna"))
    for seconds, is_good in ((24 * 3600 - 1, True), (2, False)):
        clock.seconds += seconds
        assert (later.host_of_link(link) is not None) == is_good
    code = site.open_night(anna, "Anna")
    shown = house.post(f"/house/hosts/{owner_id(club, 'Anna')}/link").text
    (path,) = set(re.findall(r"/club/move/[\w-]+", shown))
    sent: Form = {"token": path.rpartition("/")[2]}
    for _ in range(2):  # a link preview uses nothing up
        assert "Anna" in site.phone().get(path).text
    assert new.post("/club/move", sent).location == "/"
    assert [new.get(page).status_code for page in (f"/n/{code}/settings", "/new")] == [200, 200]
    assert [anna.get(page).status_code for page in (f"/n/{code}", "/new")] == [403, 403]
    assert site.phone().post("/club/move", sent).status_code == 410
    assert site.access.devices.at_seat(code, "anna")[0].role == "host"


def test_neither_the_terminals_link_nor_one_for_assistants_ends_a_host_of_the_club(site: Site) -> None:
    anna, other = become_host(site, "Anna"), site.phone()
    become_assistant(site, site.host())
    token, assistant = site.access.mint_host_link().rsplit("/", 1)[1], club_of(site).settings.assistant_token
    assert anna.post("/host", {"token": token}).status_code == 409
    assert anna.get(f"/club/assist/{assistant}").status_code == 409
    assert anna.post("/club/assist", {"token": assistant}).status_code == 409
    assert anna.get("/new").status_code == 200
    code = site.open_night(anna, "Anna")
    assert code not in other.get(f"/host/{token}").text
    assert other.post("/host", {"token": token, "night": code}).status_code == 404


# What the house does with nights and data of others


def test_in_a_club_the_house_alone_erases_and_also_at_hosts_tables(tables: Nights) -> None:
    needs("erase")
    site = club_site(tables)
    anna, ben, house = become_host(site, "Anna"), become_host(site, "Ben"), site.host()
    code = site.open_night(anna, "Anna")
    typed: dict[str, str | list[str]] = {"typed": tables.get(code).name}

    for phone, answers in ((anna, (403, 403)), (ben, (403, 403)), (house, (200, 303))):
        page = f"/nights/{code}/erase"
        assert (phone.get(page).status_code, phone.post(page, typed).status_code) == answers
    assert tables.store.night(code) is None


# Without a club


def test_without_a_club_there_is_none_of_it(tables: Nights) -> None:
    with_club = club_site(tables)
    anna = become_host(with_club, "Anna")
    code = with_club.open_night(anna, "Anna")
    site = Site(tables)
    house = site.host()
    for rule in app_rules(site.app):
        if rule.endpoint.startswith(tuple(f"{page}." for page in PAGES)) and "GET" in (rule.methods or ()):
            assert house.get(path_of(rule, "")).status_code == 404
    stranger = ClientPhone(site.app)
    for name, value in anna.cookies.items():
        stranger.client.set_cookie(name, value, domain=stranger.host.split(":")[0])
    assert stranger.get("/new").status_code == 403
    assert house.get(f"/nights/{code}").status_code == 200


def test_devices_of_files_of_earlier_versions_get_the_roles_that_the_club_knows() -> None:
    assert {*NEW_ROLES.values()} == CLUB_ROLES


# What a host of a club may use, and what whoever runs the house sees of it.


def test_a_host_who_has_enough_tables_or_all_nights_is_told_what_to_do(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    site.open_night(anna, "Anna")
    form: Form = {"preset": "michigan-rummy", "host": "Anna", "key": "k" * 32}
    first, second = anna.post("/new", form), anna.post("/new", form)
    assert first.location == second.location, "the same form sent twice"
    code = first.location.split("/")[2]
    for where in ("", "deleted", "archived"):  # it goes on though it is put away
        site.tables.get(code).settings.put_away = where
        for page in ("/new", f"/nights/{code}/again"):
            refused = anna.post(page, {**form, "key": "again"})
            assert refused.status_code == 422
            assert "End one of them first" in refused.text
    assert len(site.tables.nights()) == club.limits.live_tables
    assert site.open_night(become_host(site, "Ben"), "Ben")
    club.set_owner(site.tables.open("michigan-rummy").code, owner_id(club, "Anna"))
    club.limits = ClubLimits(live_tables=99, nights=3)
    refused = anna.post("/new", {**form, "key": "again"})
    assert (refused.status_code, "Ask whoever runs the house" in refused.text) == (422, True)


def test_a_table_has_so_many_phones_and_the_next_hears_what_to_do(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    code = site.open_night(anna, "Anna")
    for number in range(club.limits.phones - 1):
        site.join(code, f"Guest {number}")
    full = site.phone().post("/join", {"token": site.join_link(code)[3:], "name": "Eve"})
    assert full.status_code == 429
    assert "This table is full" in full.text
    assert "Eve" not in site.names(code)
    assert anna.post("/join", {"token": site.join_link(code)[3:], "seat": "anna"}).status_code == 303


# The overview


def test_the_overview_shows_tables_hosts_what_was_refused_and_a_full_disk_and_no_chips(site: Site) -> None:
    anna, house = become_host(site, "Anna"), site.host()
    code = site.open_night(anna, "Anna")
    site.join(code, "Zoe")
    site.start_first_hand(anna, code, "anna")
    for path in ("/house", "/house/live"):
        text = house.get(path).text
        assert "Anna" in text
        assert "Michigan Rummy" in text
        assert "Zoe" not in text
        assert f"/n/{code}" not in text
        assert "chip" not in re.sub(r"<symbol.*?</symbol>", "", text, flags=re.DOTALL)
    site.access.tries, eve = GuessLimit(each=1), site.phone()
    for _ in range(3):
        eve.post("/join", {"typed": "AAAAAA", "name": "Eve"})
    site.tables.disk.trouble = "full"
    page = house.get("/house").text
    assert "2 guesses were refused" in page
    assert "Nothing can be recorded at any table" in page


def test_tables_stand_in_order_and_are_found_also_while_the_page_is_kept_up_to_date(site: Site, tables: Nights) -> None:
    for number in (10, 2, 1, 11):
        tables.open("michigan-rummy", name=f"Table {number}")
    text = site.host().get("/house/live").text
    assert re.findall(r"Table \d+", text) == ["Table 1", "Table 2", "Table 10", "Table 11"]
    assert "4 tables" in text
    for name in ("Anna", "Zoe"):
        site.open_night(become_host(site, name), name)
    house = site.host()
    page = HtmlPage(house.get("/house?q=zoe").text)
    assert page.has("form.find")
    assert page.values("#overview", "hx-get") == ["/house/live?q=zoe"]
    for address in ("/house?q=zoe", "/house/live?q=zoe"):
        names = " ".join(HtmlPage(house.get(address).text).texts(".rows .nm"))
        assert ("Zoe" in names, "Anna" in names, "Table" in names) == (True, False, False), address
    assert HtmlPage(house.get("/house/live?q=nobody").text).texts(".rows .nm") == []


# What a club keeps, how data files have it, and that every process of a database has the same.


NIGHT: dict[str, tuple[Any, dict[str, str]]] = {
    "hidden_announcement": ("a1", {"hidden-line": "a1"}),
    "owner": ("00ff00ff", {"owner": "00ff00ff"}),
}
FOLDER_WIDE: dict[str, tuple[Any, dict[str, str]]] = {
    "club_token": ("t0k3n", {"club-link": "t0k3n"}),
    "assistant_token": ("t0k3n", {"assistant-link": "t0k3n"}),
    "announcement": (Announcement("a1", "Last hand"), {"line": '{"id":"a1","text":"Last hand"}'}),
    "series": (Series(8, 0), {"series": '{"hands":8,"ends_at":0}'}),
    "drawn_seats": ({"abc234/ben": 2}, {"drawn-seats": '{"abc234/ben": 2}'}),
    "dismissed_hosts": ({"00ff": "Ruth"}, {"dismissed.00ff": "Ruth"}),
    "host_links": (
        {"00ff": HostLink(1795000000, "ab")},
        {"host-link.00ff": '{"ends_at":1795000000,"token_hash":"ab"}'},
    ),
    "room_tables": ({"7": RoomTable("t0k3n", "abc234")}, {"room-table.7": '{"token":"t0k3n","night":"abc234"}'}),
}
GROUPS = ("dismissed_hosts", "host_links", "room_tables")


@pytest.mark.every_place
def test_what_a_club_keeps_is_stored_by_its_type_and_read_back(tables: Nights) -> None:
    code = tables.open("michigan-rummy").code
    of_folder, of_night = ClubSettings(tables.store), ClubNightSettings(tables.store, code)
    for settings, written in ((of_folder, FOLDER_WIDE), (of_night, NIGHT)):
        for name, (value, texts) in written.items():
            before = dict(settings.texts())
            if name in GROUPS:
                for key, part in value.items():
                    getattr(settings, name).put(key, part)
                assert getattr(settings, name).all() == value
            else:
                setattr(settings, name, value)
                assert getattr(settings, name) == value
            assert {key: text for key, text in settings.texts().items() if before.get(key) != text} == texts


def test_a_copy_put_back_has_no_link_that_was_made_new_since(tmp_path: Path) -> None:
    command = pytest.importorskip("tracker.extras.copies.command", reason="nothing puts copies back")
    path = tmp_path / DATA_FILE
    with closing(Store(path)) as store:
        club = Club(store)
        old, copy = club.token, Backups(file_of(store), tmp_path / FOLDER).make()
        new = club.renew_link()
    command.put_back(path, copy.path, command.ways_in())
    with closing(Store(path)) as again:
        assert Club(again).token == new != old


@pytest.mark.every_place
def test_the_processes_of_a_place_have_the_same_link_line_and_clock(place: Path | DataPlace) -> None:
    with closing(Store(place)) as one, ExitStack() as opened:
        other = one if isinstance(place, Path) else opened.enter_context(closing(Store(place)))
        assert not other.settings(None).get("club-link")  # the other one has looked, and found none
        assert Club(one).token == Club(other).token
        settings = ClubSettings(one)
        settings.announcement, settings.series = Announcement("a1", "Last hand"), Series(8)
        there = ClubSettings(other)
        wait_until(lambda: (there.announcement, there.series) == (Announcement("a1", "Last hand"), Series(8)))
