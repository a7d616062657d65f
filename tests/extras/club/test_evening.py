"""An evening of a club with several tables: printed codes, a line to all tables, seats by lot, an assistant."""

import re
import time
from collections import Counter
from datetime import UTC, datetime
from random import Random

from extras.club.club_hosts import become_assistant, become_host, become_screen, club_of, owner_id
from hypothesis import given, strategies as st
from playwright.sync_api import expect
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import Form, play_hand, record
from support.served_app import Screens

from tracker.app.steady_clock import SteadyClock
from tracker.core.events import End, Leave
from tracker.extras.club.club import Club, deal_out
from tracker.extras.club.settings import Series


def codes_of(house: ClientPhone) -> dict[str, str]:
    """Return the addresses that are printed, by the names of their tables."""
    page = house.get("/house/codes").text
    return dict(re.findall(r"<h2>(Table \d+)</h2>.*?<p[^>]*>http://[^/]+(/t/[^<]+)</p>", page, re.DOTALL))


# The printed code of a table


def test_a_printed_code_leads_to_the_night_of_its_table_and_before_follows_when_it_opens(site: Site) -> None:
    house, anna = site.host(), become_host(site, "Anna")
    assert house.post("/house/tables", {"count": "2"}).location == "/house/codes"
    printed = codes_of(house)
    assert [*printed] == ["Table 1", "Table 2"]
    path, zoe = printed["Table 2"], site.phone()
    assert "Nobody plays here yet" in zoe.get(path).text
    assert "data-go" not in zoe.get(path, HX_Request="true").text
    assert "/new?room-table=2" in anna.get(path).text
    assert "<option selected>2</option>" in anna.get("/new?room-table=2").text
    answer = anna.post("/new", {"preset": "michigan-rummy", "host": "Anna", "room-table": "2"})
    code = answer.location.split("/")[2]
    assert "data-go" in zoe.get(path, HX_Request="true").text
    assert zoe.get(path).location == site.join_link(code)
    assert site.phone().get(printed["Table 1"]).status_code == 200
    assert re.search(r"Table 2 · ", house.get("/house/live").text)

    zoe.post("/join", {"token": site.join_link(code)[3:], "name": "Zoe"})
    site.start_first_hand(anna, code, "anna")
    late = site.phone()
    assert late.get(path).location == site.join_link(code), "whoever comes later is led there too, and asks the table"


def test_the_code_goes_on_with_the_next_night_and_the_same_table_is_offered_again(site: Site, club: Club) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    house.post("/house/tables", {"count": "3"})
    path = codes_of(house)["Table 2"]
    form: Form = {"preset": "michigan-rummy", "host": "Anna", "room-table": "2"}
    first = anna.post("/new", form).location.split("/")[2]
    assert "<option>2</option>" not in ben.get("/new").text, "somebody else plays there"
    taken = ben.post("/new", {**form, "host": "Ben"}).location.split("/")[2]
    assert club.place_of(taken) == 0
    site.join(first, "Zoe")
    site.tables.get(first).record(End(), id="end", by="host")
    assert "Nobody plays here yet" in site.phone().get(path).text
    again = anna.post(f"/nights/{first}/again", {"key": "again"}).location.split("/")[2]
    assert site.phone().get(path).location == site.join_link(again)
    assert "<option selected>2</option>" in anna.get("/new").text


def test_fewer_tables_end_their_codes_and_the_others_stay(site: Site, club: Club) -> None:
    house = site.host()
    house.post("/house/tables", {"count": "3"})
    before = codes_of(house)
    for count in ("2", "2", "100", "-1", "x"):
        house.post("/house/tables", {"count": count})
    assert codes_of(house) == {name: path for name, path in before.items() if name != "Table 3"}
    assert site.phone().get(before["Table 3"]).status_code == 404
    house.post("/house/tables", {"count": "3"})
    assert codes_of(house)["Table 3"] != before["Table 3"]
    assert len({table.token for table in club.room_tables().values()}) == 3


# A line to all tables


def test_a_line_of_the_house_stands_on_every_screen_until_it_is_taken_away_and_nothing_is_tapped_in_the_room(
    site: Site, club: Club
) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    screen = become_screen(site, house)
    house.post("/house/tables", {"count": "2"})
    codes = [site.open_night(anna, "Anna"), site.open_night(ben, "Ben", "eight-round-rummy")]
    zoe = site.join(codes[0], "Zoe")
    lobby = site.open_night(ben, "Ben")
    site.join(codes[1], "Tom")
    site.start_first_hand(anna, codes[0], "anna")
    ben.post(f"/n/{codes[1]}/dealer")
    club.place(codes[1], 2)
    assert screen.get("/").location == "/house/screen"
    of_room = [(screen, f"/house/screen{part}") for part in ("", "/live")]
    for _, path in of_room:
        shown = screen.get(path).text
        assert ["Table 2 · " in shown, "<form" in shown, "<a " in shown] == [True, False, False], path
    lobbies = ("/lobby", *of_extras("watched_lobby"))
    pages = [*of_room, (zoe, f"/n/{codes[0]}"), *((ben, f"/n/{lobby}{page}") for page in lobbies)]
    pages += [
        (phone, f"/n/{code}{page}")
        for phone, code in ((anna, codes[0]), (ben, codes[1]))
        for page in ("", "/log", *of_extras("watched"))
    ]
    assert house.post("/house/line", {"line": "  Last <b>hand</b>\u202e " + "x" * 99}).status_code == 303
    said = f"Last &lt;b&gt;hand&lt;/b&gt; {'x' * 43}</p>"
    for phone, page in pages:
        assert said in phone.get(page).text, page
    form = re.search(r'action="(/n/\w+/line)".*?name="line" value="(\w+)"', anna.get(f"/n/{codes[0]}").text, re.DOTALL)
    assert form
    assert zoe.post(form[1], {"line": form[2]}).status_code == 403
    assert form[1] not in zoe.get(f"/n/{codes[0]}").text
    assert anna.post(form[1], {"line": form[2]}).status_code == 303
    assert [said in phone.get(page).text for phone, page in pages] == [codes[0] not in page for _, page in pages]
    house.post("/house/line", {"line": "Last hand"})
    assert anna.post(form[1], {"line": form[2]}).status_code == 303, "a page that shows the old line"
    assert all("Last hand</p>" in phone.get(page).text for phone, page in pages)
    house.post("/house/line")
    assert not any('class="announced"' in phone.get(page).text for phone, page in pages)


# One clock for all tables


def test_one_clock_runs_at_all_tables_that_have_none_of_their_own_and_on_the_screen(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    codes = [site.open_night(anna, "Anna"), site.open_night(ben, "Ben")]
    for phone, code, name in zip((anna, ben), codes, ("anna", "ben"), strict=True):
        site.join(code, "Zoe")
        site.start_first_hand(phone, code, name)
    pages = [(anna, f"/n/{codes[0]}{page}") for page in ("", *of_extras("watched"))]
    pages = [(house, "/house/screen"), *pages, (ben, f"/n/{codes[1]}")]

    def clocks() -> list[str]:
        found = (re.search(r'<i id="clock" hidden([^>]*)>', phone.get(path).text) for phone, path in pages)
        return [one[1].strip() if one else "" for one in found]

    assert set(clocks()) == {""}
    before = int(time.time())
    assert house.post("/house/series", {"length": "45", "of": "minutes"}).status_code == 303
    (clock,) = {*clocks()}
    ends = re.search(r'data-ends="(\d+)" data-over="Time!"', clock)
    assert ends
    assert before + 45 * 60 <= int(ends[1]) <= time.time() + 45 * 60
    ben.post(f"/n/{codes[1]}/settings", {"title": "Ben", "clock": "hand 300"})
    assert set(clocks()[:-1]) == {clock} != {clocks()[-1]}, "a table's own clock stays"
    house.post("/house/series")
    house.post("/house/series", {"length": "8", "of": "hands"})
    assert set(clocks()[1:-1]) == {'data-words="8 hands"'}
    assert "8 hands" in house.get("/house/screen").text
    for typed in ("0", "-1", "x", "9999"):
        house.post("/house/series", {"length": typed, "of": "hands"})
        assert set(clocks()[1:-1]) == {""}, typed


# Seats by lot


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0))
def test_a_draw_seats_everybody_once_and_sizes_differ_by_at_most_one(people: int, tables: int, chance: int) -> None:
    seats, numbers = [f"night/{number}" for number in range(people)], [3 * number for number in range(1, tables + 1)]
    drawn = deal_out(seats, numbers, Random(chance))
    assert {*drawn} == {*seats}
    sizes = [[*drawn.values()].count(number) for number in numbers]
    assert sum(sizes) == people
    assert max(sizes) - min(sizes) <= 1


def test_all_draws_are_as_likely() -> None:
    counts = Counter(tuple(sorted(deal_out("abc", [1, 2], Random(chance)).items())) for chance in range(600))
    assert len(counts) == 6
    assert all(70 < count < 130 for count in counts.values()), counts


def open_at(phone: ClientPhone, number: int, host: str, *people: str) -> str:
    """Open a night at a table of the room, and seat people without phones."""
    form: Form = {"preset": "michigan-rummy", "host": host, "room-table": str(number)}
    code = phone.post("/new", form).location.split("/")[2]
    add_people(phone, code, *people)
    return code


def drawn_at(page: str) -> dict[str, str]:
    """Return the table that a page says was drawn for each person, by name."""
    lists = re.findall(r">Table (\d+)</(?:span|b)>\s*<span[^>]*>(.*?)</span>", page, re.DOTALL)
    return {name: number for number, names in lists for name in re.findall(r"<bdi>(\w+)</bdi>", names)}


def test_seats_by_lot_stand_on_the_screen_and_each_phone_until_the_house_takes_them_away(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    house.post("/house/tables", {"count": "9"})
    first = open_at(anna, 2, "Anna", "Mia", "Tom", "Leo")
    assert "/house/seats" not in house.get("/house").text, "one table"
    second = open_at(ben, 9, "Ben", "Ida")
    zoe, eve = site.join(second, "Zoe"), site.request_join(second, watch="1")
    assert anna.post("/new", {"preset": "score-sheet", "host": "Nia"}).status_code == 303, "at no table of the room"
    helping, screen = become_assistant(site, house), become_screen(site, house)
    site.start_first_hand(anna, first, "anna")
    assert 'name="draw"' in house.get("/house/live").text
    settings, draws = club_of(site).settings, []
    for _again in range(9):
        assert house.post("/house/seats", {"draw": "1"}).status_code == 303
        draws.append(settings.drawn_seats)
    assert any(draw != draws[0] for draw in draws)
    at = drawn_at(house.get("/house/live").text)
    assert sorted(at) == ["Anna", "Ben", "Ida", "Leo", "Mia", "Tom", "Zoe"]
    assert sorted(Counter(at.values()).items()) in ([("2", 3), ("9", 4)], [("2", 4), ("9", 3)])
    for phone, path in ((helping, "/house"), (screen, "/house/screen"), (screen, "/house/screen/live")):
        assert drawn_at(phone.get(path).text) == at
        assert "/house/seats" not in phone.get(path).text
    places = [(anna, f"/n/{first}", "Anna"), (anna, f"/n/{first}/log", "Anna"), (ben, f"/n/{second}/lobby", "Ben")]
    places += [(zoe, f"/n/{second}/lobby", "Zoe")]
    for phone, path, name in places:
        assert f">You sit at table {at[name]}</p>" in phone.get(path).text, (path, name)
    screens = [(anna, f"/n/{first}{page}") for page in of_extras("watched")]
    screens += [(ben, f"/n/{second}{page}") for page in of_extras("watched_lobby")]
    for phone, path in (*screens, (eve, f"/n/{second}/lobby")):
        assert "You sit at" not in phone.get(path).text
    house.post("/house/line", {"line": "Last hand"})
    line = re.search(r'name="line" value="(\w+)"', anna.get(f"/n/{first}").text)
    assert line
    assert f">You sit at table {at['Anna']} · Last hand</p>" in anna.get(f"/n/{first}").text
    anna.post(f"/n/{first}/line", {"line": line[1]})
    assert f">You sit at table {at['Anna']}</p>" in anna.get(f"/n/{first}").text
    assert "</bdi>" in screen.get("/house/screen").text
    assert site.names(second) == ["Ben", "Ida", "Zoe"], "a draw moves nobody"
    assert house.post("/house/seats").status_code == 303
    assert not any("You sit at" in phone.get(path).text for phone, path, _ in places)
    assert not drawn_at(house.get("/house").text) | drawn_at(screen.get("/house/screen").text)


def test_a_table_that_has_two_more_than_another_is_said_with_who_could_move(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    house.post("/house/tables", {"count": "2"})
    first = open_at(anna, 1, "Anna", "Mia", "Tom", "Leo")
    second = open_at(ben, 2, "Ben", "Zoe")
    helping = become_assistant(site, house)
    assert "Leo from table 1 (4) to table 2 (2)" in helping.get("/house").text
    assert "Tell all tables" not in helping.get("/house").text
    play_hand(site.tables.get(first), "anna", "tom", "leo")
    said = "Mia from table 1 (4) to table 2 (2)"
    assert f'name="line" value="{said}"' in house.get("/house/live").text, "who deals next"
    house.post("/house/line", {"line": said})
    assert f">{said}</p>" in ben.get(f"/n/{second}/lobby").text
    assert len(site.names(first)) == 4, "nobody is moved"
    add_people(ben, second, "Mia")
    assert "To even" not in house.get("/house").text
    record(site.tables.get(second), Leave("zoe"))
    assert said in house.get("/house").text
    record(site.tables.get(first), Leave("mia"))
    assert "To even" not in house.get("/house").text


def test_the_house_is_told_that_the_series_is_over_where_it_draws_again(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    house.post("/house/tables", {"count": "2"})
    tables = [site.tables.get(open_at(anna, 1, "Anna", "Mia", "Tom"))]
    tables += [site.tables.get(open_at(ben, 2, "Ben", "Mia", "Tom"))]
    house.post("/house/seats", {"draw": "1"})
    before = club_of(site).settings.drawn_seats
    assert "Draw again" in house.get("/house").text
    house.post("/house/series", {"length": "2", "of": "hands"})
    for table, dealer, taker in [(tables[0], "mia", "anna"), (tables[1], "mia", "ben")] * 2:
        assert "The series is over" not in house.get("/house/live").text
        play_hand(table, dealer, taker, "tom")
    assert "The series is over" in house.get("/house/live").text
    for seconds, is_over in ((-1, True), (60, False)):
        club_of(site).settings.series = Series(0, int(time.time()) + seconds)
        assert ("The series is over" in house.get("/house/live").text) == is_over
    assert club_of(site).settings.drawn_seats == before, "it never draws by itself"


def test_a_series_lasts_as_long_as_it_should_though_the_machines_clock_is_set(site: Site) -> None:
    wall, passed = [1.7e9], [400.0]
    site.tables.seconds = SteadyClock(lambda: wall[0], lambda: passed[0])
    house, anna = site.host(), become_host(site, "Anna")
    code = open_at(anna, 1, "Anna", "Mia", "Tom")
    play_hand(site.tables.get(code), "mia", "anna", "tom")
    house.post("/house/series", {"length": "45", "of": "minutes"})

    def left() -> int:
        """Return the seconds that a page which is opened now counts down from."""
        page = HtmlPage(anna.get(f"/n/{code}").text)
        (ends,), (now,) = page.values("#clock", "data-ends"), page.values("[data-now]", "data-now")
        return int(ends) - int(now)

    for jump in (365, -730, -19_000):  # to 1970, where a clock begins that was never set
        wall[0] += jump * 24 * 3600
        passed[0] += 600
        assert left() == 45 * 60 - (passed[0] - 400)
        ends = datetime.fromtimestamp(wall[0] + left(), UTC).astimezone()
        assert f"until {ends:%H:%M}" in house.get("/house").text, "by the clock as it is set now"
    passed[0] += 900
    assert left() == 0


# An assistant of the house


def test_an_assistant_sees_tables_and_lets_people_in_until_the_house_ends_it(site: Site, club: Club) -> None:
    house, anna = site.host(), become_host(site, "Anna")
    site.open_night(anna, "Anna")
    dora = site.phone()
    dora.post("/club/ask", {"name": "Dora"})
    helping = become_assistant(site, house)
    page = helping.get("/house").text
    assert "Michigan Rummy" in page
    assert helping.get("/").location == "/house"
    secrets = (club.token, club.settings.assistant_token, owner_id(club, "Anna"))
    assert not [secret for secret in secrets if secret in page]
    (asking,) = site.access.devices.join_requests(None)
    assert helping.post(f"/house/knocks/{asking.id}/in").status_code == 303
    assert dora.post("/club/enter").location == "/"
    assert dora.get("/new").status_code == 200
    link = f"/club/assist/{club.settings.assistant_token}"
    assert house.post("/house/assistant/withdraw").status_code == 303
    assert site.phone().get(link).status_code == 404
    assert site.phone().post("/club/assist", {"token": ""}).status_code == 404
    assert [row.name for row in club.hosts()] == ["Anna", "Dora"]


# In browsers


def test_an_evening_of_host_house_and_screens_that_follow_without_a_touch(
    screens: Screens, site: Site, club: Club
) -> None:
    screens.expected = "status of 403"
    house = screens.open(None, site.access.mint_host_link())
    house.get_by_role("link", name="Tables and hosts").tap()
    expect(house.get_by_text("No table goes on.")).to_be_visible()
    rooms = [screens.open(None, way_in) for way_in in of_extras("ways_in_of_screens")]
    for screen in rooms:
        screen.set_viewport_size({"width": 1280, "height": 720})
        screen.get_by_role("button", name="Show all tables").tap()
        house.get_by_role("button", name="Let in").tap()
        expect(screen.get_by_text("No table goes on.")).to_be_visible()

    anna = screens.open(None, f"/club/link/{club.token}")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Become a host").tap()
    expect(anna.get_by_text("What are we playing?")).to_be_visible()
    expect(anna.get_by_label("Your name")).to_have_value("Anna")
    anna.locator("button[name=preset]").first.tap()
    anna.wait_for_url("**/lobby")
    house.goto(f"{screens.url}/house")
    house.get_by_label("It stands on every phone and TV").fill("Last hand")
    house.get_by_role("button", name="Show it").tap()
    house.get_by_role("button", name="minutes").tap()
    for screen in rooms:
        expect(screen.get_by_text("Michigan Rummy")).to_be_visible()
        expect(screen.locator("header .clock")).to_have_text(re.compile(r"^(60:00|59:\d\d)$"))
    for page in (*rooms, anna):
        expect(page.locator(".announced")).to_have_text("Last hand")

    (night,) = site.tables.nights()
    site.join(night.code, "Zoe")
    expect(anna.locator("#main")).to_contain_text("Zoe")
    tables = house.locator("#overview")
    expect(tables).to_contain_text("1 phone connected")  # the page asks by itself every five seconds
    house.get_by_role("link", name="Anna").tap()
    house.locator("summary", has_text="Dismiss").tap()
    house.get_by_role("button", name="Dismiss").tap()
    expect(house.get_by_text("Nobody hosts it.")).to_be_visible()
    lobby = f"{screens.url}/n/{night.code}/lobby"  # asked without the page, which reloads itself when its stream ends
    assert anna.request.get(lobby).status == 403
