"""Places and ties are the same wherever a night is shown: in its state, its summary, on its pages and in files."""

import csv
import re
from collections.abc import Mapping
from random import Random

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.random_nights import end_event, every_preset, legal_event, random_options

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
        check_pages(phone, code, {names[seat]: place for seat, place in places.items()})


def check_values(site: Site, code: str, places: Mapping[str, int]) -> None:
    """The state and the kept summary have these places."""
    table = site.tables.get(code)
    history = table.history()
    one = summarize(history.preset, history.entries, history.steps)
    assert {seat.seat: seat.place for seat in one.seats} == places
    assert set(summary(table.night)["winners"]) == {seat for seat, place in places.items() if place == 1}
    counted = [seat.seat for seat in one.seats if one.counts_for(seat)]
    assert {seat for seat, place in places.items() if place} == set(counted)


def check_pages(phone: ClientPhone, code: str, places: Mapping[str, int]) -> None:
    """What is rendered has these places, by name: the settlement, its text, the big screen and a spreadsheet."""
    settle = HtmlPage(phone.get(f"/n/{code}/settle").text)
    found = zip(settle.texts(".rank tbody th .nm bdi"), settle.texts(".rank tbody .place"), strict=True)
    assert {name: int(place) if place.isdigit() else 0 for name, place in found} == places
    lines = re.findall(r"^(\d+|–)\.? (\w+)", phone.get(f"/n/{code}/result.txt").text, re.MULTILINE)
    told = {name: int(place) if place.isdigit() else 0 for place, name in lines if name in places}
    assert {name: told[name] for name in places if name in told} == places
    for address in of_extras("watched"):
        screen = HtmlPage(phone.get(f"/n/{code}{address}").text)
        rows = zip(screen.texts(".tv-ranks .nm bdi"), screen.texts(".tv-ranks .place"), strict=True)
        assert {name: int(place) if place.isdigit() else 0 for name, place in rows} == places
    for address in of_extras("csv_of_nights")[:1]:
        table = [*csv.DictReader(phone.get(address).text.lstrip("\ufeff").splitlines())]
        assert {row["person"]: int(row["place"] or 0) for row in table if row["code"] == code} == places
