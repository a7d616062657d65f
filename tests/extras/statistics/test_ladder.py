"""The ladder of a club: which tables are in it, what its page and the screen of the room show of it."""

import re
from collections import Counter
from itertools import combinations

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.core.events import End
from tracker.core.queries.summary import summary

# Tables of several hosts are another extra's: where that is not there, nothing has a ladder.
club_hosts = pytest.importorskip("extras.club.club_hosts", exc_type=ImportError)
become_host, become_screen = club_hosts.become_host, club_hosts.become_screen
become_assistant = club_hosts.become_assistant


@pytest.fixture(name="site")
def _site(tables: Nights) -> Site:
    return Site(tables, options={"club": True})


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


@pytest.mark.every_place
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


def test_lobby_and_next_night_say_how_a_night_counts_and_the_screen_who_stands_first(site: Site) -> None:
    house, anna = site.host(), become_host(site, "Anna")
    nets = play(site, anna, "chips", "mia tom")
    screen = become_screen(site, house)
    for path in ("/house/screen", "/house/screen/live"):
        ladder = screen.get(path).text.partition("<ol>")[2]
        assert re.findall(r"<bdi>(\w+)</bdi><b[^>]*>(−?\d+)", ladder)[0][1] == str(max(nets.values()))
    code = anna.post("/new", {"preset": "michigan-rummy", "host": "Anna", "ladder": "points"}).location.split("/")[2]
    assert "The club’s ladder · by points" in HtmlPage(anna.get(f"/n/{code}/lobby").text).text("#chip-values")
    seat_everybody(site.tables.get(code))
    record(site.tables.get(code), End())
    again = anna.post(f"/n/{code}/again", {"key": "again"}).location.split("/")[2]
    assert again != code
    assert "The club’s ladder · by points" in HtmlPage(anna.get(f"/n/{again}/lobby").text).text("#chip-values")
