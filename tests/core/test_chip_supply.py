"""The advice to a table whose box holds too few chips counts the colours as every other page does."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.random_nights import every_preset

from tracker.core.preset import ChipColour, Preset
from tracker.core.queries.chip_supply import BOX, SPARE, BoxAdvice, antes_of, box_advice

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
