"""The advice to a table whose box holds too few chips counts the colours as every other page does."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.random_nights import every_preset
from support.sample_nights import record, sample_night

from tracker.core.events import Name, SeatId, Sit
from tracker.core.preset import ChipColour, Preset, antes_of
from tracker.extras.box.advice import BOX, SPARE, BoxAdvice, box_advice
from tracker.formats.built_in import built_in

POT_PRESETS = [preset for preset in every_preset() if preset.is_pot_game]
COIN = ChipColour("coin", "#C8702A", 2)


def advices(preset: Preset) -> Iterator[tuple[int, int, BoxAdvice]]:
    for people in range(1, 21):
        for stack in (20, 60, 100, 500):
            if advice := box_advice(preset, stack, people):
                yield stack, max(people, preset.seats.min), advice


@pytest.mark.parametrize("preset", POT_PRESETS, ids=lambda preset: preset.id)
def test_the_colours_are_the_boards_own_and_the_pieces_are_in_the_box(preset: Preset) -> None:
    boards = (preset, replace(preset, chips=()), replace(preset, chips=(COIN,)), replace(preset, chips=(COIN,) * 12))
    for board in boards:
        for _stack, people, advice in advices(board):
            assert advice.colours == board.chips or not board.chips
            assert len(advice.colours) == (len(board.chips) or 4)
            assert advice.of_each_colour * len(advice.colours) * people <= BOX
            assert advice.worth == advice.of_each_colour * sum(one.value for one in advice.colours)
            assert advice.do_colours_reach == (advice.worth >= max(antes_of(board, people)) + SPARE)


def test_a_board_that_does_not_say_what_its_colours_count_is_told_what_comes_nearest_to_its_stack() -> None:
    plain = replace(next(one for one in POT_PRESETS if one.id == "michigan-rummy"), chips=())
    told = {stack: [one.value for one in advice.colours] for stack, people, advice in advices(plain) if people == 6}
    assert told == {20: [1, 2, 5, 10], 60: [1, 2, 5, 10], 100: [1, 2, 5, 10], 500: [1, 5, 10, 25]}


def test_too_small_a_stack_and_too_small_a_box_of_96_chips_are_warned_about(host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben", "Mia", "Tom", "Ana", "Jo")
    page = host.get(f"/n/{code}/settings").text
    assert "Only 96 chips in the box?" in page
    assert "4 of each colour" in page
    host.post(f"/n/{code}/settings", {"stack": "16"})
    page = host.get(f"/n/{code}/lobby").text
    assert "too few" in page
    assert "puts 18" in page


@pytest.mark.parametrize(("people", "is_short"), [(3, False), (4, False), (5, True), (6, True), (8, True)])
def test_equal_shares_of_96_chips_reach_for_four_players(site: Site, people: int, is_short: bool) -> None:
    advice = box_advice(site.tables.library.find("michigan-rummy"), 100, people)
    assert (advice is not None) == is_short
    if advice:
        assert advice.each == 96 // people
        assert advice.dealer == 18
        assert advice.worth >= 54


def test_colours_that_are_too_few_as_well_are_not_recommended(site: Site) -> None:
    ones = replace(built_in("michigan-rummy"), id="only-ones", chips=(ChipColour("white", "#F5E8CC", 1),))
    site.tables.library.settings.own_presets.put(ones.id, ones)
    found = sample_night(site, ones.id)
    record(found.table, Sit(SeatId("jo"), Name("Jo")))
    page = HtmlPage(found.host.get(f"{found.base}/settings").text)
    assert "By colour it is too few as well" in page.text("details")
    assert not page.has(".box96")


@pytest.mark.parametrize("preset", [one for one in POT_PRESETS if one.chips], ids=lambda preset: preset.id)
def test_the_page_of_a_nights_options_says_what_each_colour_counts(site: Site, preset: Preset) -> None:
    found = sample_night(site, preset.id)
    for number in range(5, 10):
        record(found.table, Sit(SeatId(f"p-{number}"), Name(f"P{number}")))
    page = HtmlPage(found.host.get(f"{found.base}/settings").text)
    assert page.texts(".box96 li") == [f"{one.name} {one.value}" for one in preset.chips]
