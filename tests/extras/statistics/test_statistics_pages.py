"""The pages of statistics: their numbers are those of the nights, each has its definition, only the host reads them."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from extras._shared.known_people import known_people
from extras._shared.score_nights import ScoreNight, round_won, scores
from extras.statistics.played_nights import played, rummy, score_night
from playwright.sync_api import Browser, expect
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.made_up_nights import add_demo_nights, demo_nights
from support.of_extras import needs, of_extras
from support.sample_nights import ended_night, play_hand, record, sample_night
from support.served_app import Screens, screens_at

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Score
from tracker.extras._kept_files import source_hash
from tracker.extras._night_summaries import summaries
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras.statistics.choice import group_options, unit_key
from tracker.extras.statistics.details import OFFENCES, full
from tracker.extras.statistics.figures import KINDS, figure_lines, unit_name
from tracker.extras.statistics.story import story_of
from tracker.extras.statistics.totals import Unit, money_of, nights_by_players, rivals, totals_of
from tracker.extras.statistics.view import moment_names
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.night_result import NightResult
from tracker.web.wording.texts import signed

NEWEST = date(2026, 3, 28)
PERSON = "emil"


@pytest.fixture(name="demo", scope="module")
def _demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a site with twenty nights of the demo, of two years; nothing in these tests changes it."""
    store, live = Store(tmp_path_factory.mktemp("data") / "nights.db"), StreamHub()
    tables = Nights(store, live)
    add_demo_nights(tables, demo_nights(20, 7, NEWEST))
    yield Site(tables)
    live.stop()
    store.close()


@pytest.fixture(name="host", scope="module")
def _host(demo: Site) -> ClientPhone:
    return demo.host()


def page(phone: ClientPhone, address: str) -> HtmlPage:
    answer = phone.get(address)
    assert answer.status_code == 200, address
    return HtmlPage(answer.text)


def rows(shown: HtmlPage) -> dict[str, list[str]]:
    """Return the table of people: their nights and their sum, by name."""
    names, nights, sums = (shown.texts(f".ranks tbody {part}") for part in ("th bdi", "th small", "td"))
    return {name: [how.split()[0], sum_] for name, how, sum_ in zip(names, nights, sums, strict=True)}


def test_a_page_says_how_far_figures_are_that_are_made_again(demo: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "MOST_SECONDS", 0.0)
    with demo.tables.store.connection.write() as db:
        db.execute("UPDATE summary SET version = 1")
    host = Site(Nights(demo.tables.store, StreamHub())).host()  # another start, with no night in memory
    for known in (1, 2):
        answer = host.get("/statistics", Accept="text/html")
        assert (answer.status_code, answer.headers["Refresh"]) == (503, "1")
        assert f"{known} of 20 nights" in answer.text
    assert host.get("/statistics", Accept="text/html", HX_Request="true").status_code == 200, "a part waits for all"
    shown = host.get("/statistics", Accept="text/html")
    assert (shown.status_code, "Refresh" in shown.headers) == (200, False)


def test_the_table_has_the_sum_of_everybodys_nights(demo: Site, host: ClientPhone) -> None:
    nights = [one for one in Summaries(demo.tables).all() if one.is_over]
    seats = known_people(demo.tables).seats()
    page(host, "/statistics/people/ruth")
    assert [row.code for row in demo.tables.nights() if demo.tables.if_open(row.code)] == [], "none is replayed for it"
    chips, times = Counter[str](), Counter[str]()
    for night in nights:
        for seat in night.seats:
            times[seats[night.code, seat.seat]] += 1
            if night.game == "pots" and not night.money[1]:
                chips[seat.name] += seat.net
    shown = rows(page(host, "/statistics?in=chips"))
    assert {name: cells[0] for name, cells in shown.items()} == {name.title(): str(n) for name, n in times.items()}
    assert {name: cells[1] for name, cells in shown.items() if cells[1] != "–"} == {
        name: signed(net) for name, net in chips.items()
    }
    assert [cells[1] for cells in rows(page(host, "/statistics?in=money")).values()] != [
        cells[1] for cells in shown.values()
    ]


@pytest.mark.parametrize("address", ["/statistics", "/statistics/people/ruth", "/statistics/pair?with=ruth&with=ben"])
def test_every_figure_has_its_definition_behind_one_tap(host: ClientPhone, address: str) -> None:
    shown = page(host, address)
    defined = dict(KINDS.values())
    labels = shown.select(".figures details, .sides details")
    assert len(labels) > 8
    for one in labels:
        label = HtmlPage(str(one)).texts("summary span")[0]
        small = HtmlPage(str(one)).texts("summary span small")
        label = label.removesuffix(small[0]).strip() if small else label
        assert HtmlPage(str(one)).text(".meaning") == defined[label]


def test_a_game_a_season_and_a_group_choose_nights(host: ClientPhone) -> None:
    def counted(query: str) -> int:
        return int(page(host, f"/statistics?{query}").text(".shown p").split()[0])

    everything = counted("")
    assert counted("season=2025") + counted("season=2026") == everything == 19
    assert counted("season=dates&from=2026-01-01") == counted("season=2026")
    assert counted("season=dates&from=nonsense") == everything
    assert 0 < counted("with=emil&with=ruth") < counted("with=ruth") <= everything
    assert "No night found." in host.get("/statistics?with=nobody").text
    shown = page(host, "/statistics?game=michigan-rummy")
    assert [text.partition(" paid in ")[0] for text in shown.texts(".places tbody th")][:2] == [
        "Ten of hearts",
        "Queen of hearts",
    ]
    assert "No night found." in host.get("/statistics?game=nothing&season=99999").text


def test_two_people_are_compared_in_the_nights_of_both_and_one_alone_in_the_own(host: ClientPhone) -> None:
    shown = page(host, "/statistics/pair?with=ruth&with=ben")
    ahead = [int(part) for part in shown.text(".duel p b").split(" : ")]
    both = int(page(host, "/statistics?with=ruth&with=ben").text(".shown p").split()[0])
    assert 0 < sum(ahead) <= both
    other_way = page(host, "/statistics/pair?with=ben&with=ruth").text(".duel p b")
    assert other_way == f"{ahead[1]} : {ahead[0]}"
    for wrong in ("", "?with=ruth", "?with=ruth&with=ruth", "?with=ruth&with=ben&with=mia", "?with=ruth&with=nobody"):
        assert host.get(f"/statistics/pair{wrong}").status_code == 404
    ruth = page(host, "/statistics/people/ruth")
    [night] = ruth.values(".note-of a", "href")
    assert host.get(night).status_code == 200
    assert host.get("/statistics/people/nobody").status_code == 404
    count = rows(page(host, "/statistics"))["Ruth"][0]
    assert ruth.text(".figures details summary").startswith(f"Nights {count}")


def test_a_first_night_has_its_figures_by_name_people_count_the_same_nights_and_the_hidden_are_in_no_list(
    tables: Nights, site: Site
) -> None:
    tables.on_recorded.clear()  # nobody is known again by the name
    found, opened = sample_night(site), sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    play_hand(opened.table, "ruth", "ben", "mia")
    assert "Statistics begin when a night has ended." in found.host.get("/statistics").text
    assert found.host.get("/statistics/2026").status_code == 404
    record(found.table, events.End())
    summary = next(one for one in Summaries(tables).all() if one.is_over)
    shown = page(found.host, "/statistics")
    assert {name: cells[1] for name, cells in rows(shown).items()} == {
        one.name: signed(one.net) for one in summary.seats
    }
    assert "4 seats are counted by their names." in shown.text()
    for address in shown.values(".ranks tbody a", "href"):
        assert page(found.host, address).text(".figures").startswith("Nights 1 ")
    people = known_people(tables)
    for one in summary.seats:  # of the night that goes on, too: it does not count yet
        people.add(one.name, [(found.table.code, one.seat), (opened.table.code, one.seat)])
    listed = page(found.host, "/people")
    counted = {name: text.split()[0] for name, text in zip(listed.texts(".nm"), listed.texts(".sub"), strict=True)}
    assert counted == {name: cells[0] for name, cells in rows(page(found.host, "/statistics")).items()}
    tom = people.person_of(found.table.code, "tom")
    people.unlink(found.table.code, "mia")
    shown = page(found.host, "/statistics")
    assert set(rows(shown)) == {"Ruth", "Ben", "Mia", "Tom"}, "one is known by the seat alone"
    assert "1 seat is counted by its name." in shown.text()
    people.hide(tom.id)
    people.forget(people.person_of(found.table.code, "ben").id)
    assert set(rows(page(found.host, "/statistics"))) == {"Ruth", "Mia"}
    assert found.host.get(f"/statistics/people/{tom.id}").status_code == 404


def test_a_night_that_is_over_has_result_moments_and_chart_and_its_names_lead_to_the_people(site: Site) -> None:
    needs("hand_by_hand")
    tables = site.tables
    tables.on_recorded.clear()  # nobody is known again by the name
    add_demo_nights(tables, demo_nights(3, 7, NEWEST))
    night = next(one for one in Summaries(tables).all() if one.is_over and one.game == "pots")
    shown = page(site.host(), f"/n/{night.code}/settle")
    assert shown.has(".podium h2")
    assert shown.has(".chart")
    assert 1 <= len(shown.select(".best li")) <= 3
    assert {*shown.values(".rank a", "href")} == {f"/statistics/people/{seat.seat}" for seat in night.seats}
    guest = sample_night(site)
    play_hand(guest.table, "ruth", "ben", "mia")
    record(guest.table, events.End())
    known_people(tables).link(guest.table.code, "ruth", "ruth")
    assert page(guest.host, f"{guest.base}/settle").values(".rank a", "href") == ["/statistics/people/ruth"]
    assert page(guest.ben, f"{guest.base}/settle").values(".rank a", "href") == []


# A year


def test_a_year_on_one_page_has_its_nights_people_and_moments_and_a_small_file_that_fetches_nothing(
    demo: Site, host: ClientPhone
) -> None:
    shown = page(host, "/statistics/2026")
    nights = [one for one in Summaries(demo.tables).all() if one.is_over and one.began_at.startswith("2026")]
    assert shown.text(".r-head li b") == str(len(nights))
    assert len(shown.select(".r-moments li")) >= 4
    assert {*shown.texts("tbody th bdi")} == {seat.name for night in nights for seat in night.seats}
    assert shown.has(".chart")
    assert host.get("/statistics/1999").status_code == 404
    assert "2026 on one page" in page(host, "/statistics?season=2026").text()
    answer = host.get("/statistics/2026.html")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="2026.html"'
    assert len(answer.data) < 300_000
    file = HtmlPage(answer.text)
    assert file.values("[src], link[href]", "src") == []
    assert [href for href in file.values("[href]", "href") if not href.startswith("#")] == []
    [style] = file.select("style")
    assert source_hash(style.get_text()) in file.value("meta[http-equiv]", "content")
    assert file.text(".recap") == shown.text(".recap")


def test_a_season_from_one_day_to_another_has_its_sheet_and_file_like_a_year(demo: Site, host: ClientPhone) -> None:
    days = sorted(one.evening for one in Summaries(demo.tables).all() if one.is_over and one.evening)
    first, last = days[2], days[-3]
    [link] = page(host, f"/statistics?season=dates&from={first}&to={last}").values("a.btn.act.wide", "href")
    assert link.startswith("/statistics/sheet?")
    shown = page(host, link)
    assert shown.text(".r-head li b") == str(sum(first <= day <= last for day in days))
    assert all(str(day.year) in shown.text("h1") for day in (first, last))
    [file] = shown.values("a[download]", "href")
    assert page(host, file).text(".recap") == shown.text(".recap")
    assert host.get("/statistics/sheet?season=dates&from=1999-01-01&to=1999-02-01").status_code == 404
    assert page(host, "/statistics?season=2026").values("a.btn.act.wide", "href") == ["/statistics/2026"]


def test_the_axis_names_months_and_where_a_year_begins_and_groups_stand_by_name() -> None:
    days = [date(2025, 11, 1), date(2025, 12, 6), date(2026, 1, 3), date(2026, 1, 10), date(2026, 2, 7)]
    assert moment_names([None, *days]) == ["", "2025", "Dec", "2026", "", "Feb"]
    assert [name for name in moment_names([date(2015 + year, 5, 1) for year in range(12)]) if name] == [
        str(2015 + year) for year in range(0, 12, 2)
    ]
    named = [name for _, name in group_options({"Zoë", "Ägidius", "adam", "Anton"})]
    assert named == ["Everybody", "adam", "Ägidius", "Anton", "Zoë"]


# What statistics know, in words


def words(seconds: float) -> str:
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    hours, minutes = divmod((round(seconds) + 30) // 60, 60)
    return f"{hours} h {minutes} min" if hours and minutes else f"{hours} h" if hours else f"{minutes} min"


def plain(shown: HtmlPage) -> str:
    return shown.text().replace("\N{NO-BREAK SPACE}", " ")


def test_a_night_a_person_and_a_year_say_how_long_was_played(demo: Site, host: ClientPhone) -> None:
    needs("hand_by_hand")
    nights = [night for night in Summaries(demo.tables).all() if night.is_over]
    times = {night.code: time for night in nights if (time := full(night).figures.time)}
    assert len(times) == 19
    for code, time in [*times.items()][:3]:
        each, wait = time.hands, time.longest_wait
        said = (
            f"Played for {words(sum(each))}. The longest hand ({each.index(max(each)) + 1}) took {words(max(each))}, "
        )
        said += f"the longest wait {words(wait)}. Breaks of over ten minutes are left out."
        shown = page(host, f"/n/{code}/settle")
        assert said in plain(shown)
        rows = shown.texts(".numbers-table tbody tr")
        for row, one in zip(rows[1 : len(each) + 1], each, strict=True):
            assert row.replace("\N{NO-BREAK SPACE}", " ").endswith(f" {words(one)}")
    total, hands = sum(time.played for time in times.values()), sum(len(time.hands) for time in times.values())
    longest = max(time.longest_wait for time in times.values())
    theirs = sum(times[night.code].played for night in nights if PERSON in night.place_of)
    assert total > theirs > 0
    overview = plain(page(host, "/statistics"))
    assert f"Time played {words(total)}" in overview
    assert f"{words(total / hands)} a hand" in overview
    assert f"Longest wait {words(longest)}" in overview
    assert f"Time played {words(theirs)}" in plain(page(host, f"/statistics/people/{PERSON}"))
    sheet = plain(page(host, "/statistics/sheet"))
    assert f"{round(total / 3600)} hours played" in sheet
    assert f"A hand took {words(total / hands)}, the longest wait {words(longest)}. Breaks of over ten" in sheet


def test_whom_a_person_wins_from_and_how_large_the_tables_were(demo: Site, host: ClientPhone) -> None:
    nights = played([night for night in Summaries(demo.tables).all() if night.is_over and "ruth" in night.place_of])
    found = rivals(nights, "ruth", Unit("chips", 1))
    said = plain(page(host, "/statistics/people/ruth?in=chips"))
    for label, rival in (("Wins most from", found[0]), ("Loses most to", found[-1])):
        assert f"{label} {signed(rival.sum)}" in said
        assert f"{rival.person.title()} · {rival.nights} nights" in said
    for count, some in nights_by_players(nights).items():
        assert f"{count} players {len(some)} night" in said
    assert "Wins most from" not in plain(page(host, "/statistics/people/ruth?game=hearts"))


def test_every_figure_has_a_label_and_a_definition_and_is_shown_only_of_games_that_have_it() -> None:
    labels, definitions = zip(*KINDS.values(), strict=True)
    assert all(labels)
    assert all(definition.endswith(".") for definition in definitions)
    assert len({*labels}) == len({*definitions}) == len(KINDS)
    assert set(OFFENCES) < KINDS.keys()
    shown = {
        person: {line.key: line.note for line in figure_lines(totals_of(played([night]), person), {})}
        for person, night in (("w", score_night("snake-two-penalties")), ("c", rummy()))
    }
    assert "rounds" in shown["w"]
    assert not {"outs", "pots", "richest", "dummies"} & shown["w"].keys()
    assert (shown["c"]["won"], shown["c"]["outs"]) == ("1 of 1", "2 of 4")


def test_where_the_fewest_points_win_who_took_most_did_not_win_most(site: Site) -> None:
    night = ScoreNight(site, "hearts", people=("Ben", "Mia"))
    for points in ({"ruth": 6, "ben": 12, "mia": 8}, {"ruth": 8, "ben": 10, "mia": 8}):
        night.table.record(scores({seat: Score(one) for seat, one in points.items()}), id=f"{points}", by="host")
    night.table.record(events.End(), id="end", by="host")
    shown = page(night.host, "/statistics?in=points-hearts-low")
    assert rows(shown) == {"Ruth": ["1", "+10"], "Mia": ["1", "+4"], "Ben": ["1", "−14"]}
    sheet = page(night.host, "/statistics/sheet").text()
    assert "Ruth won most" in sheet
    assert "Ben won most" not in sheet
    why = page(night.host, f"/n/{night.code}/settle").text()
    assert "points of the rounds +22" in why
    assert "deals won" not in why


# What other pages show of statistics, and statistics of some nights only: of a group, in one kind of money.


SATURDAY = "The Saturday table"


def test_money_of_other_decimals_is_never_added_up(site: Site) -> None:
    for decimals in (2, 0):
        ended_night(site, {"money.cents": 125, "money.decimals": decimals})
    units = {money_of(night) for night in Summaries(site.tables).all()}
    assert {(unit_key(unit), unit_name(unit, {})) for unit in units} == {("money", "money"), ("money-0", "money (1)")}
    for unit in units:
        assert "money (1)" in page(site.host(), f"/statistics?in={unit_key(unit)}").text()


@pytest.fixture(name="nights")
def _nights(site: Site) -> list[OpenNight]:
    """Give two nights of a group, and one of none."""
    nights = [ended_night(site, {"money.cents": 5}).table for _ in range(3)]
    for table in nights[:2]:
        table.settings.group = SATURDAY
    return nights


def test_statistics_and_the_year_of_a_group_are_those_of_its_nights_and_its_page_leads_there(
    site: Site, nights: list[OpenNight]
) -> None:
    host, group, year = site.host(), SATURDAY.replace(" ", "+"), nights[0].began_at[:4]

    def counted(address: str) -> dict[str, str]:
        return {name: sum_ for name, (_, sum_) in rows(page(host, address)).items()}

    shown = counted(f"/statistics?group={group}&in=money")
    for seat in nights[0].night.seats:
        cents = sum(table.night.net(seat) * 5 for table in nights[:2])
        assert shown[nights[0].night.name(seat)].replace("−", "-").lstrip("+±") == f"{cents / 100:.2f}", seat
    assert counted("/statistics?in=money") != shown
    assert "No night found." in host.get("/statistics?group=nobody").text
    pair = page(host, f"/statistics?group={group}").select("form[action='/statistics/pair']")[0]
    assert [one.get("value") for one in pair.select("input[name=group]")] == [SATURDAY]
    sheet = page(host, f"/statistics/sheet?group={group}&season={year}")
    assert f"{SATURDAY} · {year}" in sheet.text()
    assert "2 nights" in sheet.text("main")
    nights_page = "/nights" if "earlier_nights.nights" in site.app.view_functions else "/"
    assert "/statistics" in page(host, nights_page).values("main a", "href")
    needs("groups")
    links = page(host, f"/group?name={group}").values("main a", "href")
    found = [one for one in links if one.startswith("/statistics")]
    assert [one.partition("?")[0] for one in found] == ["/statistics", "/statistics/sheet"]
    assert [host.get(one).status_code for one in found] == [200, 200]


def test_a_person_has_the_main_figures_in_place_and_the_way_to_all_of_them(site: Site, nights: list[OpenNight]) -> None:
    host, people = site.host(), known_people(site.tables)
    ruth = people.add("Ruth", [(table.code, "ruth") for table in nights[:2]])
    page = HtmlPage(host.get(f"/people/{ruth.id}").text)
    assert page.text(".figures").startswith("Nights 2 ")
    assert "Won or lost" in page.text(".figures")
    assert f"/statistics/people/{ruth.id}" in page.values("main a", "href")
    nobody = people.add("Zoe")
    assert not HtmlPage(host.get(f"/people/{nobody.id}").text).has(".figures")
    people.hide(ruth.id)
    assert not HtmlPage(host.get(f"/people/{ruth.id}").text).has(".figures")


# The best moments on the pages of a night


def test_the_best_moments_are_those_of_the_log(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    moments = [sentence.striptags() for _, sentence in story_of(NightResult(here.table.history())).moments]
    assert moments == [
        "Mia went out first 2 times",
        "Best hand: Mia, +11 in hand 1",
        "Ben took 5 from Ten of hearts in hand 1",
    ]
    record(here.table, events.End())
    for address in ("", "/settle", *of_extras("watched")):
        assert [
            one for one in moments if one not in HtmlPage(here.host.get(here.base + address).text).text(".best")
        ] == []


def test_the_end_of_a_score_game_names_the_seat_with_most_rounds(site: Site) -> None:
    night = ScoreNight(site, "eight-round-rummy")
    record(night.table, *[round_won("ben")] * 4, events.End())
    for page in ("", *of_extras("watched")):
        assert "Ben won 4 rounds" in HtmlPage(night.host.get(f"/n/{night.code}{page}").text).text(".best")


# In a browser


@pytest.fixture(name="screens", scope="module")
def _screens(browser: Browser, demo: Site) -> Iterator[Screens]:
    with screens_at(browser, demo.app, demo.tables.live) as screens:
        yield screens


def test_a_choice_is_shown_at_once_and_a_tap_on_a_figure_says_its_meaning(screens: Screens, host: ClientPhone) -> None:
    page = screens.open(host, "/statistics")
    before = page.locator(".shown p").first.inner_text()
    page.select_option("#f-game", "michigan-rummy")
    expect(page.locator(".places")).to_be_visible()
    assert "game=michigan-rummy" in page.url
    page.select_option("#f-season", "dates")
    page.fill("#f-from", "2026-03-01")
    expect(page.locator(".shown p").first).not_to_contain_text("2025")
    page.locator(".group summary").click()
    page.locator(".whos label", has_text="Mia").click()
    expect(page.locator(".shown p").first).to_contain_text("with Mia")
    page.goto(f"{screens.url}/statistics")
    expect(page.locator(".shown p").first).to_have_text(before)
    page.go_back()
    expect(page.locator("#f-game")).to_have_value("michigan-rummy")
    for address, place in (("people/mia", ".figures"), ("pair?with=ruth&with=ben", ".sides")):
        page.goto(f"{screens.url}/statistics/{address}")
        meaning = page.locator(f"{place} .meaning").first
        expect(meaning).to_be_hidden()
        page.locator(f"{place} summary").first.click()
        expect(meaning).to_be_visible()


def test_a_year_fits_on_one_sheet_of_paper_and_its_file_opens_without_a_network(
    screens: Screens, host: ClientPhone, browser: Browser, tmp_path: Path
) -> None:
    page = screens.open(host, "/statistics/2026")
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, "it fits on one sheet of paper"
    file = tmp_path / "2026.html"
    file.write_bytes(host.get("/statistics/2026.html").data)
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", screens.note)
    page.goto(file.as_uri())
    expect(page.locator(".r-first h2")).to_contain_text("won most")
    assert page.evaluate("document.fonts.check('20px Besley')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".chart .c-line").count() >= 5
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []
    context.close()
