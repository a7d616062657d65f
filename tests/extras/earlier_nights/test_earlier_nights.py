"""The list of all nights: which are shown and found, put away and brought back, and each night's one day of play."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from extras._shared.api_scripts import with_command_token
from extras._shared.night_folder import night_file
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.made_up_nights import add_demo_nights, demo_nights
from support.of_extras import needs, of_extras
from support.sample_nights import SampleNight
from support.transcripts import opened

from tracker.app.nights import Nights
from tracker.app.settings import ARCHIVED, NightSettings
from tracker.cli import main
from tracker.cli.data_folder import DATA_FILE
from tracker.core.apply import EVERY_GAME
from tracker.core.game import Game, add_game, remove_game
from tracker.core.preset import Preset, Seats
from tracker.extras._night_lists import SEARCHED_FROM, is_found
from tracker.extras._night_summaries import summaries
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

NEWEST = date(2026, 3, 28)


@pytest.fixture(name="demo")
def _demo(tables: Nights) -> Nights:
    """Give thirty nights, one a week."""
    add_demo_nights(tables, demo_nights(30, 5, NEWEST, events=40))
    return tables


def past(phone: ClientPhone, address: str = "/nights") -> HtmlPage:
    answer = phone.get(address)
    assert answer.status_code == 200
    return HtmlPage(answer.text)


def rows(page: HtmlPage) -> list[str]:
    return page.values(".past-nights > li > a:first-child", "href")


def test_the_list_goes_on_by_months_with_every_night_once_and_replays_none(host: ClientPhone, demo: Nights) -> None:
    newest, listed, address, found = rows(past(host, "/")), rows(past(host)), "/nights", []
    assert newest == listed[:3]
    assert len(listed) >= 20
    while address:
        page = past(host, address)
        found += rows(page)
        address = next(iter(page.values("a[href^='/nights?until=']", "href")), "")
    assert len(found) == len(set(found)) == len(demo.nights())
    assert [row.code for row in demo.nights() if demo.if_open(row.code)] == []


def test_while_nights_are_worked_out_anew_the_newest_are_shown_and_another_can_be_opened(
    demo: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Site(demo).host()
    order = rows(past(host))
    with demo.store.connection.write() as db:
        db.execute("UPDATE summary SET version = 1")
    monkeypatch.setattr(summaries, "MOST_SECONDS", 0.0)
    host = Site(Nights(demo.store, StreamHub())).host()  # another start, with no summary in memory
    assert past(host, "/").select("a[href='/new']")
    for known in range(2, 30):
        page = past(host)
        assert rows(page) == order[:known]
        assert page.text("#past > [hx-get]").startswith(f"{30 - known} earlier night")
    page = past(host)
    assert rows(page) == order
    assert not page.has("#past > [hx-get]")


def test_a_deleted_night_leaves_the_list_and_comes_back_with_one_tap(ended: SampleNight) -> None:
    host, table = ended.host, ended.table
    away = f"/nights/{table.code}/put-away"
    page = past(host, host.post(away, {"where": "deleted"}).location)
    assert rows(page) == []
    assert "is deleted." in page.text("form.note")
    assert page.value("form.note", "action") == away
    assert f"/nights/{table.code}" in rows(past(host, "/put-away"))
    assert host.get(f"/n/{table.code}/settle").status_code == 200  # nothing is lost
    assert host.post(away, {"where": "burnt"}).status_code == 400
    host.post(away)
    assert rows(past(host)) == [f"/n/{table.code}/settle"]
    assert rows(past(host, "/put-away")) == []


def test_nights_that_were_put_away_are_searched_like_the_others(host: ClientPhone, demo: Nights) -> None:
    codes = [one.code for one in demo.nights()][:SEARCHED_FROM]
    for number, code in enumerate(codes):
        assert not past(host, "/put-away").has("form.find")
        host.post(f"/nights/{code}/name", {"title": f"Evening x{number}"})
        host.post(f"/nights/{code}/put-away", {"where": ("archived", "deleted")[number % 2]})
    assert past(host, "/put-away").has("form.find")
    assert not [row for row in rows(past(host)) if any(code in row for code in codes)]
    assert len(rows(past(host, "/put-away"))) == len(codes)
    assert rows(past(host, "/put-away?q=even+x1")) == [f"/nights/{codes[1]}"]
    assert "No night found." in host.get("/put-away?q=nobody").text


def test_a_name_is_found_by_its_bare_letters() -> None:
    names = "Jürgen Jürgen Jurgen Łukasz Øystein François Weiß Ñandú İbrahim Dvořák Jürgen"
    typed = "jurgen jürgen jürgen lukasz oyst francois weiss nandu ibrahim dvorak JU\u0308R"
    for name, letters in zip(names.split(), typed.split(), strict=True):
        assert is_found(letters, [f"Evening of {name}"]), name
        assert not is_found(f"{letters}x", [name]), name


class Towers(Game):
    """A game that is there until it is forgotten."""

    name = "towers"
    handlers = EVERY_GAME


def test_a_night_and_a_preset_of_a_game_that_is_not_there_say_so_and_take_down_no_list(
    site: Site, host: ClientPhone, code: str
) -> None:
    assert site.phone().get("/nights").location == "/", "a stranger is led away"
    assert host.get("/?q=mia+x&until=2026-01").location == "/nights?q=mia+x&until=2026-01"
    assert code in host.get("/nights?q=ruth").text, "a night that goes on is found"
    preset = Preset("our-towers", "Our towers", "towers", Seats(2, 6))
    add_game(Towers())
    site.tables.library.settings.own_presets.put(preset.id, preset)
    towers = site.open_night(host, "", preset.id)
    remove_game("towers")
    site.tables._open.pop(towers)
    pages = [host.get(page) for page in (f"/nights/{towers}", f"/n/{towers}", "/nights", "/new")]
    assert [page.status_code for page in pages if page.status_code >= 500] == []
    options, table, nights, games = (HtmlPage(page.text) for page in pages)
    assert "its game is not in this program" in options.text()
    assert "ame must be one of pots" in table.text()
    assert nights.has(f'a[href^="/n/{code}"]')
    assert "Michigan Kitty" in games.text()
    assert "Our towers" not in games.text()


# Pages, files, tables, the API and the command say the same day of play, in the same order


BEGUN = (
    "2025-11-15T01:00:00Z",  # 7 pm of the 14th in Chicago, 2 am in Berlin
    "2026-01-01T02:00:00Z",  # New Year's Eve in both
    "2026-01-01T13:00:00+01:00",
    "2026-04-05T03:01:00Z",
    "2026-04-05T03:59:00Z",  # two nights of one evening in Berlin, a minute before 6 am
    "2026-04-05T04:00:00Z",
    "2026-10-25T00:30:00Z",  # the clocks go back that night
    "2026-11-01T11:59:59Z",  # a second before 6 am in Chicago
)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAY = re.compile(rf"\b(\d{{1,2}})\s({'|'.join(MONTHS)})\s(\d{{4}})")


class Filled:
    """Nights that were opened in another order than they were played, each of known moments."""

    def __init__(self, nights: Nights, zone: str) -> None:
        self.site, self.zone, self.codes = Site(nights), ZoneInfo(zone), dict[str, str]()
        for begun in sorted(BEGUN, key=lambda one: one[-3:] + one[:16:-1]):
            self.codes[begun] = opened(nights, night_file(f"Night {BEGUN.index(begun)}", begun)).code

    def evening(self, begun: str) -> date:
        """Work the day of play out by other means than the program: by the name of the zone."""
        local = datetime.fromisoformat(begun).astimezone(self.zone)
        return local.date() - timedelta(days=local.hour < 6)

    @property
    def in_order(self) -> list[str]:
        return sorted(BEGUN, key=datetime.fromisoformat, reverse=True)

    @property
    def days(self) -> list[date]:
        return [self.evening(begun) for begun in self.in_order]


@pytest.fixture(name="filled", params=["America/Chicago", "Europe/Berlin"])
def _filled(request: pytest.FixtureRequest, tmp_path: Path, in_zone: Callable[[str], None]) -> Iterator[Filled]:
    in_zone(request.param)
    with closing(Store(tmp_path / DATA_FILE)) as store:
        yield Filled(Nights(store, StreamHub()), request.param)


def days_on(phone: ClientPhone, address: str, part: str = "main") -> list[date]:
    answer = phone.get(address)
    assert answer.status_code == 200, address
    words = HtmlPage(answer.text).text(part).replace("\N{NO-BREAK SPACE}", " ")
    return [date(int(year), MONTHS.index(month) + 1, int(day)) for day, month, year in DAY.findall(words)]


def test_every_page_file_and_answer_has_the_same_days_in_the_same_order(filled: Filled, tmp_path: Path) -> None:
    needs("exports")
    needs("commands")
    site, days = filled.site, filled.days
    host, nights = site.host(), site.tables
    assert len(set(days)) < len(days), "some nights are of one evening"
    # Lists
    assert days_on(host, "/nights", "#past") == days
    assert {tuple(days_on(host, *one.split(maxsplit=1))) for one in of_extras("days_in")} <= {tuple(days)}
    # One night
    for begun, code in filled.codes.items():
        day = filled.evening(begun)
        for address in (f"/nights/{code}", f"/n/{code}/settle", f"/n/{code}/files"):
            assert set(days_on(host, address, "body")) == {day}, address
        name = host.get(f"/n/{code}/night.json").headers["Content-Disposition"]
        assert f"-{day.day}-{MONTHS[day.month - 1].lower()}-{day.year}" in name
    # Years
    for year in {day.year for day in days}:
        for address in of_extras("lists_of_year"):
            assert f"{sum(day.year == year for day in days)} nights" in host.get(address.format(year=year)).text
    # Tables and scripts
    for table in of_extras("csv_of_nights"):
        rows = csv.DictReader(io.StringIO(host.get(table).text.removeprefix("\ufeff")))
        by_code = {row["code"]: row["day"] for row in rows}
        assert list(by_code.values()) == [str(day) for day in days], table
    answer = with_command_token(site).get("/api/nights").json["nights"]
    assert [one["day"] for one in answer] == [str(day) for day in days]
    # The command
    run = CliRunner().invoke(main, ["export", "--all", str(tmp_path / "out"), "--data", str(tmp_path)])
    assert run.exit_code == 0, run.output
    for begun, code in filled.codes.items():
        assert [one.name[:10] for one in (tmp_path / "out").glob(f"*-{code}.json")] == [str(filled.evening(begun))]
    lines = CliRunner().invoke(main, ["nights", "--data", str(tmp_path)]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [filled.codes[begun] for begun in filled.in_order]
    # Put away
    for code in filled.codes.values():
        NightSettings(nights.store, code).put_away = ARCHIVED
    assert days_on(host, "/put-away", ".past-nights") == days


def test_a_night_is_found_by_every_name_month_place_and_note_and_by_nothing_else(filled: Filled) -> None:
    host, store = filled.site.host(), filled.site.tables.store
    begun = filled.in_order[0]
    code, day = filled.codes[begun], filled.evening(begun)
    month = f"{MONTHS[day.month - 1]} {day.year}"
    form = HtmlPage(host.get(f"/nights/{code}").text).form(f"form[action='/nights/{code}/name']")
    host.post(f"/nights/{code}/name", {**form, "note": "At the lake; Ann cooked"})
    assert "At the lake; Ann cooked" in host.get("/nights").text
    assert "At the lake; Ann cooked" in host.get(f"/n/{code}/settle").text

    def found(address: str, query: str) -> int:
        page = HtmlPage(host.get(f"{address}?{urlencode({'q': query})}").text)
        return len(page.select(".past-nights > li > a:first-child, ul.rows form"))

    everywhere, that_month = len(BEGUN), sum((one.year, one.month) == (day.year, day.month) for one in filled.days)
    for query, count in {
        **dict.fromkeys(("bob", "BOB", "ann bob"), everywhere),
        **dict.fromkeys(("michigan rummy", "king hearts", "jackpot"), everywhere),
        **dict.fromkeys((month, month.lower(), f"{day:%Y-%m}"), that_month),
        **dict.fromkeys(("lake", "cooked lake", f"lake {month}"), 1),
        **dict.fromkeys(("nobody", "lake 1999", f"{month} nobody", "obert"), 0),
    }.items():
        assert found("/nights", query) == count, query
    assert NightSettings(store, code).note
