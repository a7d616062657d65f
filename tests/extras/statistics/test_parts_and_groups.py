"""What other pages show of statistics, and statistics of some nights only: of a group, in one kind of money."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.known_people import known_people
from support.sample_nights import ended_night, visible_text

from tracker.app.open_night import OpenNight
from tracker.archive.summaries import Summaries
from tracker.extras.statistics.choice import group_options, unit_key
from tracker.extras.statistics.figures import unit_name
from tracker.extras.statistics.totals import money_of

SATURDAY = "The Saturday table"


def test_money_of_other_decimals_is_never_added_up(site: Site) -> None:
    one, other = ended_night(site, {"money.cents": 125}), ended_night(site, {"money.cents": 125, "money.decimals": 0})
    units = {money_of(night) for night in Summaries(site.tables).all()}
    assert {(unit_key(unit), unit_name(unit, {})) for unit in units} == {("money", "money"), ("money-0", "money (1)")}
    host = site.host()
    for unit in units:
        assert host.get(f"/statistics?in={unit_key(unit)}").status_code == 200
    assert "money (1)" in visible_text(host.get("/statistics"))
    assert one.table.code != other.table.code


@pytest.fixture(name="nights")
def _nights(site: Site) -> list[OpenNight]:
    """Give two nights of a group, and one of none."""
    nights = [ended_night(site, {"money.cents": 5}).table for _ in range(3)]
    for table in nights[:2]:
        table.settings.group = SATURDAY
    return nights


def test_statistics_and_the_year_of_a_group_are_those_of_its_nights(site: Site, nights: list[OpenNight]) -> None:
    host, group, year = site.host(), SATURDAY.replace(" ", "+"), nights[0].began_at[:4]

    def counted(address: str) -> dict[str, str]:
        page = HtmlPage(host.get(address).text)
        names, sums = page.texts(".ranks tbody th bdi"), page.texts(".ranks tbody td")
        return dict(zip(names, sums, strict=True))

    shown = counted(f"/statistics?group={group}&in=money")
    for seat in nights[0].night.seats:
        cents = sum(table.night.net(seat) * 5 for table in nights[:2])
        assert shown[nights[0].night.name(seat)].replace("−", "-").lstrip("+±") == f"{cents / 100:.2f}", seat
    assert counted("/statistics?in=money") != shown
    assert "No night found." in host.get("/statistics?group=nobody").text
    pair = HtmlPage(host.get(f"/statistics?group={group}").text).select("form[action='/statistics/pair']")[0]
    assert [one.get("value") for one in pair.select("input[name=group]")] == [SATURDAY]
    sheet = host.get(f"/statistics/sheet?group={group}&season={year}").text
    assert f"{SATURDAY} · {year}" in sheet
    assert "2 nights" in HtmlPage(sheet).text("main")


def test_the_pages_of_nights_and_of_a_group_lead_to_their_statistics(site: Site, nights: list[OpenNight]) -> None:
    host, group = site.host(), SATURDAY.replace(" ", "+")
    assert len(nights) == 3
    assert "/statistics" in HtmlPage(host.get("/nights").text).values("#past a", "href")
    if "groups.page" not in site.app.view_functions:  # where no extra has a page of a group
        return
    links = HtmlPage(host.get(f"/group?name={group}").text).values("main a", "href")
    found = [one for one in links if one.startswith("/statistics")]
    assert [one.partition("?")[0] for one in found] == ["/statistics", "/statistics/sheet"]
    assert [host.get(one).status_code for one in found] == [200, 200]


def test_groups_stand_by_name() -> None:
    assert [name for _, name in group_options({"Zoë", "Ägidius", "adam", "Anton"})] == [
        "Everybody",
        *("adam", "Ägidius", "Anton", "Zoë"),
    ]


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
