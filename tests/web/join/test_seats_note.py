"""More or fewer people than a game is meant for are warned before they begin, and nobody is sent away."""

from dataclasses import replace

import pytest
from support.client_phones import ClientPhone, Site
from support.sample_nights import record

from tracker.core.events import End, Name, SeatId, Sit
from tracker.core.preset import Preset, Seats
from tracker.formats.built_in import all_built_in, built_in

WARNING = "This game is meant for"


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_the_lobby_and_the_question_for_the_dealer_warn_whenever_the_number_of_people_does_not_fit(
    site: Site, host: ClientPhone, preset: Preset
) -> None:
    code = site.open_night(host, preset=preset.id)
    table = site.tables.get(code)
    for people in range(len(table.night.seats), preset.seats.max + 3):
        if people > len(table.night.seats):
            record(table, Sit(SeatId(f"p-{people}"), Name(f"P{people}")))
        fits = people < 2 or preset.seats.min <= people <= preset.seats.max
        said = f"{WARNING} {preset.seats.min} to {preset.seats.max} people, and {people} sit here."
        pages = ["/lobby", "/dealer"] if preset.is_pot_game else ["/lobby"]
        shown = [host.get(f"/n/{code}{page}").text for page in pages]
        assert [said in page for page in shown] == [not fits] * len(pages), people
        assert [WARNING in page for page in shown] == [not fits] * len(pages), people
    ben = site.join(code, "Ben")
    assert f"{WARNING} {preset.seats.min} to {preset.seats.max} people" in ben.get(f"/n/{code}/lobby").text
    record(table, End())
    assert WARNING not in ben.get(f"/n/{code}/lobby").text


def test_a_board_of_ones_own_warns_by_its_own_numbers(site: Site) -> None:
    own = replace(built_in("michigan-rummy"), id="our-board", seats=Seats(4, 5))
    site.tables.library.add(own)
    host = site.host()
    code = site.open_night(host, preset="our-board")
    for name in ("Ben", "Mia"):
        site.join(code, name)
    assert f"{WARNING} 4 to 5 people, and 3 sit here." in host.get(f"/n/{code}/lobby").text
