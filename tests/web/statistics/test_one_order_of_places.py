"""Places and ties are the same wherever a night's result stands: on its pages, in files, in statistics and ladder."""

import csv
import re
from collections.abc import Mapping
from itertools import combinations
from random import Random

import pytest
from support.client_phones import ClientPhone, Site
from support.core_nights import CoreNight, kitty
from support.html_page import HtmlPage
from support.played_nights import played
from support.random_nights import end_event, every_preset, legal_event, random_options

from tracker.archive.night_summary import NightSummary
from tracker.archive.statistics import POINTS, ladder_nights, times_ahead, totals_of
from tracker.archive.summarize import summarize
from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import leaders, ranking, summary

EVENTS, NIGHTS = 45, 2
GAMES = every_preset()


def random_ended(site: Site, preset: Preset, seed: str) -> str:
    """Play a random night to its end in a real app: people come late and leave, and hands are given up."""
    chance = Random(seed)
    host = site.host()
    code = site.open_night(host, "", preset.id)
    table = site.tables.get(code)
    for name in ("Ann", "Bob", "Cara", "Dan"):
        host.post(f"/n/{code}/seats", {"name": name})
    rules = {key: value for key, value in random_options(preset, chance).items() if not key.startswith("game")}
    for at in range(10 * EVENTS):
        night = table.night
        if night.is_over:
            break
        is_late = at > EVENTS
        event = (end_event(night, chance) if is_late else None) or legal_event(night, chance, may_end=is_late)
        if event.kind in ("rule", "sit") and at > 3 and chance.random() < 0.5:
            continue
        try:
            table.record(event, id=f"id-{at}", by="host")
        except TableError:
            continue
    assert table.night.is_over, rules
    return code


def places_of(night: Night) -> dict[str, int]:
    return {one.seat: one.place for one in ranking(night)}


@pytest.mark.parametrize("preset", GAMES, ids=lambda preset: preset.id)
def test_every_list_of_places_of_any_night_agrees(site: Site, preset: Preset) -> None:
    for number in range(NIGHTS):
        code = random_ended(site, preset, f"{preset.id} {number}")
        night, phone = site.tables.get(code).night, site.host()
        places, names = places_of(night), {seat: night.name(seat) for seat in night.all_seats}
        if not night.players:
            continue
        shown = [places[one.seat] for one in ranking(night)]
        assert sorted(places.values(), key=lambda place: (not place, place)) == shown
        assert {seat for seat, place in places.items() if place == 1} == set(leaders(night))
        check_values(site, code, places)
        check_pages(phone, code, night, {names[seat]: place for seat, place in places.items()})


def check_values(site: Site, code: str, places: Mapping[str, int]) -> None:
    """The state, the kept summary, statistics over nights and a ladder have these places."""
    table = site.tables.get(code)
    history = table.history()
    one = summarize(history.preset, history.entries, history.steps)
    assert {seat.seat: seat.place for seat in one.seats} == places
    assert set(summary(table.night)["winners"]) == {seat for seat, place in places.items() if place == 1}
    counted = [seat.seat for seat in one.seats if one.counts_for(seat)]
    assert {seat for seat, place in places.items() if place} == set(counted)
    nights = played([one])
    assert {seat for seat in places if totals_of(nights, seat).won} == {seat for seat in counted if places[seat] == 1}
    for mine, other in combinations(counted, 2):
        expected = (places[mine] < places[other], places[mine] > places[other], places[mine] == places[other])
        assert times_ahead(nights, mine, other) == expected
    check_ladder(one, places, counted)


def check_ladder(one: NightSummary, places: Mapping[str, int], counted: list[str]) -> None:
    [in_ladder] = ladder_nights([one], POINTS)
    points = {seat.seat: seat.score for seat in in_ladder.summary.seats}
    for mine, other in combinations(counted, 2):
        assert (points[mine] > points[other]) == (places[mine] < places[other])
        assert (points[mine] == points[other]) == (places[mine] == places[other])
    assert [points[seat] for seat in places if seat not in counted] == [0] * (len(places) - len(counted))
    assert sum(points.values()) == len(counted) * (len(counted) - 1)  # two for each pair, whoever did better


def check_pages(phone: ClientPhone, code: str, night: Night, places: Mapping[str, int]) -> None:
    """What is rendered has these places, by name: the settlement, its text and the film."""
    settle = HtmlPage(phone.get(f"/n/{code}/settle").text)
    found = zip(settle.texts(".rank tbody th .nm bdi"), settle.texts(".rank tbody .place"), strict=True)
    assert {name: int(place) if place.isdigit() else 0 for name, place in found} == places
    lines = re.findall(r"^(\d+|–)\.? (\w+)", phone.get(f"/n/{code}/result.txt").text, re.MULTILINE)
    told = {name: int(place) if place.isdigit() else 0 for place, name in lines if name in places}
    assert {name: told[name] for name in places if name in told} == places
    table = [*csv.DictReader(phone.get("/tables/nights.csv").text.lstrip("\ufeff").splitlines())]
    assert {row["person"]: int(row["place"] or 0) for row in table if row["code"] == code} == places
    shown = HtmlPage(phone.get(f"/n/{code}/film").text).texts(".film-nets bdi")
    assert [places[name] for name in shown] == [places[night.name(one.seat)] for one in ranking(night)]


# The faces of it, worked by hand


def in_ladder(night: CoreNight) -> dict[str, int]:
    """Return the ladder points of a night that ends now."""
    night.record("end")
    [found] = ladder_nights([summarize(night.preset, night.entries, night.steps)], POINTS)
    return {seat.seat: seat.score for seat in found.summary.seats}


def hearts(**points: int) -> CoreNight:
    return CoreNight("hearts", points).record("scores", points=points)


def test_equal_winners_have_equal_points_in_the_ladder() -> None:
    night = hearts(a=6, b=12, c=8).record("sit", seat="d", name="Dot")
    night.record("scores", points={"a": 8, "b": 10, "c": 6, "d": 2})
    assert night.winners == ["a", "c", "d"]
    assert in_ladder(night) == {"a": 4, "b": 0, "c": 4, "d": 4}


def test_second_and_third_are_in_the_ladder_as_on_the_page() -> None:
    night = hearts(a=0, b=12, c=14).record("sit", seat="d", name="D")
    night.record("scores", points={"a": 13, "b": 0, "c": 13, "d": 0})
    assert in_ladder(night) == {"a": 4, "b": 6, "c": 0, "d": 2}


def test_who_left_early_stands_behind_those_who_stayed_in_the_ladder_too() -> None:
    night = hearts(a=0, b=12, c=14).record("leave", seat="a")
    night.record("scores", points={"b": 13, "c": 13})
    assert in_ladder(night) == {"a": 0, "b": 4, "c": 2}


def test_who_played_no_hand_of_a_board_has_no_points_and_no_night() -> None:
    night = kitty("pqr").hand("p").out("q", p=1, r=2).record("sit", seat="s", name="S")
    assert in_ladder(night) == {"p": 2, "q": 4, "r": 0, "s": 0}


def test_a_night_whose_only_hand_was_given_up_counts_nowhere() -> None:
    night = kitty("pqr").hand("p").record("abandon").record("end")
    one = summarize(night.preset, night.entries, night.steps)
    assert (one.hands, one.winners, ladder_nights([one], POINTS), played([one])) == (0, (), [], [])


def test_two_seats_of_one_name_are_one_person_with_the_better_place() -> None:
    night = CoreNight("hearts", "").record("sit", seat="a", name="Ann").record("sit", seat="b", name="Ben")
    night.record("sit", seat="x", name="ann").record("scores", points={"a": 3, "b": 5, "x": 9})
    assert in_ladder(night) == {"a": 2, "b": 0, "x": 0}
