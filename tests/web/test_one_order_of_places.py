"""Places and ties are the same wherever a night is shown: in its state, its summary, on its pages and in files."""

import csv
import re
from collections.abc import Mapping
from contextlib import suppress
from random import Random

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import functions_of_extras, of_extras
from support.random_nights import end_event, every_preset, legal_event
from support.sample_nights import record

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Name, SeatId, Sit
from tracker.core.preset import Preset
from tracker.core.queries.summary import leaders, ranking, summary

EVENTS, NIGHTS = 45, 2


def play_to_the_end(table: OpenNight, chance: Random) -> None:
    """Play a random night to its end: people come late and leave, rules change and hands are given up."""
    for name in ("Ann", "Bob", "Cara", "Dan"):
        record(table, Sit(SeatId(name.lower()), Name(name)))
    for at in range(10 * EVENTS):
        is_late = at > EVENTS
        event = end_event(table.night, chance) if is_late else None
        with suppress(TableError):
            record(table, event or legal_event(table.night, chance, may_end=is_late))
        if table.night.is_over:
            return
    pytest.fail(f"{table.preset.id} does not end")


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_every_list_of_places_of_any_night_agrees(site: Site, preset: Preset) -> None:
    for number in range(NIGHTS):
        table = site.tables.open(preset)
        play_to_the_end(table, Random(f"{preset.id} {number}"))
        night, ranked = table.night, ranking(table.night)
        if night.players:
            places = {one.seat: one.place for one in ranked}
            assert sorted(places.values(), key=lambda place: (not place, place)) == [one.place for one in ranked]
            assert {seat for seat, place in places.items() if place == 1} == set(leaders(night))
            check_values(table, places)
            check_pages(site.host(), table.code, {night.name(seat): place for seat, place in places.items()})


def check_values(table: OpenNight, places: Mapping[str, int]) -> None:
    """The state, and what extras keep of the night, have these places."""
    assert set(summary(table.night)["winners"]) == {seat for seat, place in places.items() if place == 1}
    for check in functions_of_extras("check_places"):
        check(table, places)


def check_pages(phone: ClientPhone, code: str, places: Mapping[str, int]) -> None:
    """What is rendered has these places, by name: the settlement, its text, the big screen and a spreadsheet."""
    settle = HtmlPage(phone.get(f"/n/{code}/settle").text)
    found = zip(settle.texts(".rank tbody th .nm bdi"), settle.texts(".rank tbody .place"), strict=True)
    assert {name: int(place) if place.isdigit() else 0 for name, place in found} == places
    for address in of_extras("result_text"):
        lines = re.findall(r"^(\d+|–)\.? (\w+)", phone.get(f"/n/{code}{address}").text, re.MULTILINE)
        told = {name: int(place) if place.isdigit() else 0 for place, name in lines if name in places}
        assert {name: told[name] for name in places if name in told} == places
    for address in of_extras("watched"):
        screen = HtmlPage(phone.get(f"/n/{code}{address}").text)
        rows = zip(screen.texts(".tv-ranks .nm bdi"), screen.texts(".tv-ranks .place"), strict=True)
        assert {name: int(place) if place.isdigit() else 0 for name, place in rows} == places
    for address in of_extras("csv_of_nights")[:1]:
        table = [*csv.DictReader(phone.get(address).text.lstrip("\ufeff").splitlines())]
        assert {row["person"]: int(row["place"] or 0) for row in table if row["code"] == code} == places
