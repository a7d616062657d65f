"""The fine for being stuck, switched on by the host in the middle of a night: one tap on every board."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.page_offers import PageReader
from support.random_nights import every_preset
from support.sample_nights import Form
from support.table_nights import TableNight

from tracker.core.events import GoOn, Hand, NoSale, SeatId
from tracker.core.night import DUMMY, PLAY
from tracker.core.preset import Preset

FINE = 2
POT_PRESETS = [one for one in every_preset() if one.is_pot_game]
each_preset = pytest.mark.parametrize("preset", POT_PRESETS, ids=lambda one: one.id)


def hand_with_fine(site: Site, preset: Preset) -> TableNight:
    """Return a night in the play of its first hand; the host typed the fine on the page of house rules before."""
    night = TableNight(site, preset=preset.id)
    rules = f"/n/{night.code}/rules"
    form: Form = {**HtmlPage(night.host.get(rules).text).form("form:has([name='stop.fine'])")}
    assert night.host.post(rules, {**form, "stop.fine": str(FINE)}).status_code == 303
    night.record(Hand(SeatId("ruth")))
    for _ in preset.stages:
        if night.table.night.phase != PLAY:
            event = NoSale() if night.table.night.phase == DUMMY else GoOn()
            night.record(event)
    assert night.table.night.phase == PLAY
    return night


@each_preset
def test_a_fine_is_one_tap_on_the_own_phone_of_whoever_is_stuck_and_on_the_hosts_sheet(
    site: Site, preset: Preset
) -> None:
    night = hand_with_fine(site, preset)
    pot, mia = night.table.preset.fines_pot, night.phones["mia"]
    assert pot
    before = night.stacks, night.pots[pot.id]

    def check_paid(seat: str, chips: int) -> None:
        assert (night.stacks, night.pots[pot.id]) == (before[0] | {seat: before[0][seat] - chips}, before[1] + chips)

    button = HtmlPage(night.page(mia)).text(".a-rest [name=do][value=fine]")
    assert button == f"I am stuck pays {FINE}"
    assert night.tap("fine", mia).status_code == 200
    check_paid("mia", FINE)
    assert night.tap(f"undo:{night.table.head}", mia).status_code == 200
    check_paid("mia", 0)
    found = PageReader(HtmlPage(night.page())).sheet("/sheet/tom", night.sheet("tom"))
    fine = next(one for one in found if one.do == "fine")
    assert fine.words.endswith(f"[Cannot play or lead pays {FINE}]")
    assert night.host.post(f"/n/{night.code}/record", dict(fine.form), HX_Request="true").status_code == 200
    check_paid("tom", FINE)


@each_preset
def test_the_rule_card_names_the_place_that_takes_it_and_any_other_place_is_chosen_beside_it(
    site: Site, preset: Preset
) -> None:
    night = hand_with_fine(site, preset)
    rules, usual = f"/n/{night.code}/rules", night.table.preset.fines_pot
    page = HtmlPage(night.host.get(rules).text)
    assert usual
    assert f"Whoever can’t play or lead puts {FINE} chips in: {usual.name}." in page.text("main")
    offered = page.values("[name='stop.pot'] option", "value")
    assert offered == ["by_board", *preset.board]
    assert page.text("[name='stop.pot']").endswith(list(preset.board.values())[-1].name)
    form: Form = {**page.form("form:has([name='stop.pot'])")}
    assert night.host.post(rules, {**form, "stop.pot": "cellar"}).status_code == 422
    for pot in preset.board.values():
        form = {**HtmlPage(night.host.get(rules).text).form("form:has([name='stop.pot'])")}
        assert night.host.post(rules, {**form, "stop.pot": pot.id}).status_code == 303
        assert f"Stuck: into which place: {pot.name}" in HtmlPage(night.host.get(rules).text).text("main")
    assert night.table.night.preset.with_options(night.table.night.new_rules).fines_pot == pot
