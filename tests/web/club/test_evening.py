"""An evening of a club with several tables: printed codes, a line to all tables, an assistant."""

import re
import time
from collections import Counter
from itertools import combinations

import pytest
from support.client_phones import ClientPhone, Site
from support.club_hosts import become_assistant, become_host, become_screen, owner_id
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.club import Club
from tracker.core.events import End
from tracker.core.queries.summary import summary

pytestmark = pytest.mark.both_databases


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
    form: dict[str, str | list[str]] = {"preset": "michigan-rummy", "host": "Anna", "room-table": "2"}
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


def test_a_line_of_the_house_stands_on_every_phone_and_tv_until_it_is_taken_away(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    codes = [site.open_night(anna, "Anna"), site.open_night(ben, "Ben", "eight-round-rummy")]
    zoe = site.join(codes[0], "Zoe")
    lobby = site.open_night(ben, "Ben")
    site.join(codes[1], "Tom")
    site.start_first_hand(anna, codes[0], "anna")
    ben.post(f"/n/{codes[1]}/dealer")
    pages = [(zoe, f"/n/{codes[0]}"), (ben, f"/n/{lobby}/lobby"), (ben, f"/n/{lobby}/lobby/tv")]
    pages += [
        (phone, f"/n/{code}{page}")
        for phone, code in ((anna, codes[0]), (ben, codes[1]))
        for page in ("", "/tv", "/log")
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


# The ladder over all tables


def standings(page: str) -> dict[str, str]:
    """Return what stands in the table of a ladder's page, by name, in its order."""
    rows = re.findall(r"<bdi>([^<]+)</bdi>.*?<td[^>]*>([^<]+)</td>", page, re.DOTALL)
    return {name: text.strip() for name, text in rows}


def play(site: Site, phone: ClientPhone, ladder: str, winners: str, preset: str = "michigan-rummy") -> dict[str, int]:
    """Play a night of four with a hand for each winner, and return everybody's net by name, as `replay` counts it."""
    code = phone.post("/new", {"preset": preset, "host": "Ruth", "ladder": ladder}).location.split("/")[2]
    table = site.tables.get(code)
    seat_everybody(table)
    for number, winner in enumerate(winners.split()):
        dealer = table.night.seats[number]
        taker = next(seat for seat in table.night.seats if seat not in (dealer, winner))
        play_hand(table, dealer, taker, winner, left=1 + number)
    record(table, End())
    return {table.night.name(seat): net for seat, net in summary(table.night, "")["net"].items()}


def points_of(nets: dict[str, int]) -> Counter[str]:
    """Return the ladder points of a table, pair by pair."""
    points = Counter(dict.fromkeys(nets, 0))
    for one, other in combinations(nets, 2):
        points[one] += (nets[one] > nets[other]) + (nets[one] >= nets[other])
        points[other] += (nets[other] > nets[one]) + (nets[other] >= nets[one])
    return points


def test_the_ladder_has_the_tables_whose_hosts_agreed_as_they_agreed(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    first, second = play(site, anna, "points", "ben"), play(site, ben, "points", "mia tom mia")
    in_chips = play(site, ben, "chips", "tom ruth")
    play(site, anna, "", "mia")
    refused = anna.post("/new", {"preset": "score-sheet", "host": "Anna", "ladder": "chips"})
    assert refused.status_code == 422
    assert "has no chips" in refused.text
    points = points_of(first) + points_of(second)
    for phone in (house, anna, ben, become_assistant(site, house)):
        page = phone.get("/ladder").text
        shown = standings(page)
        assert {name: int(text) for name, text in shown.items()} == {name: points[name] for name in first}
        assert [*map(int, shown.values())] == sorted(points.values(), reverse=True)
        assert "2 nights" in HtmlPage(page).text()
        assert "hands won" not in page
        chips = standings(phone.get("/ladder?in=chips").text)
        assert {name: int(text.replace("−", "-").replace("±", "")) for name, text in chips.items()} == in_chips
    assert "No night found" in anna.get("/ladder?season=2019").text
    assert site.phone().get("/ladder").status_code == 403
    assert Site(site.tables).host().get("/ladder").status_code == 404


# One clock for all tables


def test_one_clock_runs_at_all_tables_that_have_none_of_their_own_and_on_the_screen(site: Site) -> None:
    house, anna, ben = site.host(), become_host(site, "Anna"), become_host(site, "Ben")
    codes = [site.open_night(anna, "Anna"), site.open_night(ben, "Ben")]
    for phone, code, name in zip((anna, ben), codes, ("anna", "ben"), strict=True):
        site.join(code, "Zoe")
        site.start_first_hand(phone, code, name)
    pages = [(anna, f"/n/{codes[0]}"), (anna, f"/n/{codes[0]}/tv"), (ben, f"/n/{codes[1]}"), (house, "/house/screen")]

    def clocks() -> list[str]:
        found = (re.search(r'<i id="clock" hidden([^>]*)>', phone.get(path).text) for phone, path in pages)
        return [one[1].strip() if one else "" for one in found]

    assert clocks() == [""] * 4
    before = int(time.time())
    assert house.post("/house/series", {"length": "45", "of": "minutes"}).status_code == 303
    (clock,) = {*clocks()}
    ends = re.search(r'data-ends="(\d+)" data-over="Time!"', clock)
    assert ends
    assert before + 45 * 60 <= int(ends[1]) <= time.time() + 45 * 60
    ben.post(f"/n/{codes[1]}/settings", {"title": "Ben", "clock": "hand 300"})
    assert clocks()[0] == clocks()[3] == clock != clocks()[2], "a table's own clock stays"
    house.post("/house/series")
    house.post("/house/series", {"length": "8", "of": "hands"})
    assert clocks()[:2] == ['data-words="8 hands"'] * 2
    assert "8 hands" in house.get("/house/screen").text
    for typed in ("0", "-1", "x", "9999"):
        house.post("/house/series", {"length": typed, "of": "hands"})
        assert clocks()[:2] == ["", ""], typed


# The screen of the room


def test_a_screen_shows_the_tables_and_the_ladder_until_the_house_ends_it(site: Site) -> None:
    house, anna = site.host(), become_host(site, "Anna")
    nets = play(site, anna, "chips", "mia tom")
    screen = become_screen(site, house)
    assert screen.get("/").location == "/house/screen"
    house.post("/house/tables", {"count": "2"})
    anna.post("/new", {"preset": "michigan-rummy", "host": "Anna", "room-table": "2"})
    house.post("/house/line", {"line": "Last hand"})
    for path in ("/house/screen", "/house/screen/live"):
        page = screen.get(path).text
        assert "Table 2 · " in page
        assert "<p>Last hand</p>" in page
        ladder = page[page.index("<ol>") :]
        first = max(nets.values())
        assert re.findall(r"<bdi>(\w+)</bdi><b[^>]*>(−?\d+)", ladder)[0][1] == str(first)
        assert "<form" not in page
        assert "<a " not in page
    for _twice in range(2):
        assert house.post("/house/screen/end").status_code == 303
    assert screen.get("/house/screen").status_code == 403


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
    assert anna.get(link).status_code == 409, "a host of the club would be none any more"
    assert anna.post("/club/assist", {"token": link.rpartition("/")[2]}).status_code == 409
    for _twice in range(2):
        assert house.post("/house/assistant/withdraw").status_code == 303
    assert helping.get("/house").status_code == 403
    assert site.phone().get(link).status_code == 404
    assert site.phone().post("/club/assist", {"token": ""}).status_code == 404
    assert [row.name for row in club.hosts()] == ["Anna", "Dora"]
