"""The pile that is drawn on a place has as many chips as lie there, on every board: all of them up to twelve."""

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.random_nights import every_preset
from support.table_nights import TableNight

from tracker.core.events import Amount, Buy, Move
from tracker.core.preset import Preset

AMOUNTS = (1, 2, 5, 12, 13, 18, 40, 250)
"""The places of a board get these in turn, then the next ones, so that each place holds several of them."""
BOARDS = [one for one in every_preset() if one.is_pot_game]


def drawn(phone: ClientPhone, code: str) -> dict[str, tuple[int, int]]:
    """Return the number beside each place, and how many chips its pile draws."""
    page = HtmlPage(phone.get(f"/n/{code}/live").text)
    found = {}
    for place in page.select(".board [data-pot]"):
        found[place.get("data-pot")] = (int(place.get("data-n")), len(place.select(".pile use")))
    return found


@pytest.mark.parametrize("preset", BOARDS, ids=lambda one: one.id)
def test_every_place_draws_the_chips_that_lie_there(site: Site, preset: Preset) -> None:
    night = TableNight(site, preset.id)
    night.record(Buy("ruth", Amount(5000)))
    assert drawn(night.host, night.code) == dict.fromkeys(preset.board, (0, 0))
    for turn in range(3):
        for at, pot in enumerate(preset.board):
            chips = AMOUNTS[(at + turn) % len(AMOUNTS)]
            night.record(Move("ruth", pot, Amount(chips)))
        shown = drawn(night.host, night.code)
        assert {pot: number for pot, (number, _) in shown.items()} == night.pots
        exact = {pot: count for pot, (number, count) in shown.items() if number <= 12}
        assert exact == {pot: chips for pot, chips in night.pots.items() if chips <= 12}
        by_chips = sorted(shown.values())
        assert [count for _, count in by_chips] == sorted(count for _, count in by_chips)
        assert all(12 <= count <= number for number, count in by_chips if number > 12)
