"""The fine for being stuck, switched on by the host in the middle of a night, on every board."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.random_nights import every_preset
from support.sample_nights import TableNight

from tracker.core.events import GoOn, Hand, NoSale, SeatId
from tracker.core.night import DUMMY, PLAY
from tracker.core.preset import Preset


@pytest.mark.parametrize("preset", [one for one in every_preset() if one.is_pot_game], ids=lambda one: one.id)
def test_one_tap_pays_into_the_place_that_the_rule_card_names_and_any_other_place_is_chosen_beside_it(
    site: Site, preset: Preset
) -> None:
    night, pots = TableNight(site, preset=preset.id), list(preset.board.values())

    def choose(**fields: str) -> int:
        """Send the page of house rules with what is typed into it."""
        form = rules_page(night).form("form:has([name='stop.fine'])")
        more = {name.replace("_", "."): value for name, value in fields.items()}
        return night.host.post(f"/n/{night.code}/rules", {**form, **more}).status_code

    assert choose(stop_fine="2") == 303
    night.record(Hand(SeatId("ruth")))
    while night.table.night.phase != PLAY:
        night.record(NoSale() if night.table.night.phase == DUMMY else GoOn())
    pot, stacks = night.table.preset.fines_pot, night.stacks
    assert pot
    before = night.pots[pot.id]
    assert HtmlPage(night.page(night.phones["mia"])).text(".a-rest [name=do][value=fine]") == "I am stuck pays 2"
    assert night.tap("fine", night.phones["mia"]).status_code == 200
    assert (night.stacks, night.pots[pot.id]) == (stacks | {"mia": stacks["mia"] - 2}, before + 2)
    page = rules_page(night)
    assert f"Whoever can’t play or lead puts 2 chips in: {pot.name}." in page.text("main")
    assert page.values("[name='stop.pot'] option", "value") == ["by_board", *preset.board]
    assert page.text("[name='stop.pot']").endswith(pots[-1].name)
    assert choose(stop_pot="cellar") == 422
    assert choose(stop_pot=pots[-1].id) == 303
    assert f"Stuck: into which place: {pots[-1].name}" in rules_page(night).text("main")
    assert night.table.night.preset.with_options(night.table.night.new_rules).fines_pot == pots[-1]


def rules_page(night: TableNight) -> HtmlPage:
    return HtmlPage(night.host.get(f"/n/{night.code}/rules").text)
