"""A place is dragged onto a person in one gesture, and can be claimed where it stands when somebody else took it."""

import pytest
from playwright.sync_api import expect
from support.browser_phones import BrowserNight, at_table

PLACE = "#p-ten-hearts"


_kept = at_table("kept", "Ruth", "Ben", "Cleo", others=["Mia"], options={"stack": "500"})


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> BrowserNight:
    """A new hand in which Ben has the chips of a place."""
    kept.fresh_hand()
    kept.record("collect", seat="ben", pot="ten-hearts")
    kept.everybody_sees()
    return kept


def test_a_player_says_that_it_was_theirs_and_whoever_has_it_says_yes(night: BrowserNight) -> None:
    ben, cleo = night.phones["ben"], night.phones["cleo"]
    before = night.state()["stacks"]
    cleo.tap(PLACE)
    cleo.see(".a-whose:has-text('Ben took it.')")
    cleo.tap(".a-whose [data-mine]")
    cleo.see(".asked:has-text('You say: Ten of hearts was yours.')")
    ben.see(".asked:has-text('Cleo took Ten of hearts, not you?')")
    night.host.see(".asked:has-text('Cleo took Ten of hearts, not Ben?')")
    assert night.state()["stacks"] == before
    head = night.head()
    ben.tap(".asked button:has-text('Yes')")
    for phone in night.phones.values():
        phone.see_head(head + 1)
    after = night.state()["stacks"]
    chips = before["ben"] - after["ben"]
    assert chips > 0
    assert after == {**before, "ben": before["ben"] - chips, "cleo": before["cleo"] + chips}
    night.check_chips()
    expect(night.host.page.locator(".asked")).to_have_count(0)


def test_whoever_has_it_is_told_so_and_asked_nothing_and_the_host_taps_whose_it_was(night: BrowserNight) -> None:
    ben, before = night.phones["ben"], night.state()["stacks"]
    ben.tap(PLACE)
    expect(ben.page.locator("#bubble")).to_contain_text("Ben")
    expect(ben.page.locator("body[data-question=whose]")).to_have_count(0)
    night.host.tap(PLACE)
    night.host.see(".a-whose:has-text('Whose was it? Tap the person.')")
    night.host.record("#s-mia")
    after = night.state()["stacks"]
    assert after["mia"] - before["mia"] == before["ben"] - after["ben"] > 0


def test_the_second_half_of_a_double_tap_on_a_place_does_not_put_it_back(night: BrowserNight) -> None:
    place = night.phones["cleo"].page.locator("#p-ace-hearts[data-ask]")
    place.evaluate("one => { one.click(); one.click(); }")
    expect(place).to_have_attribute("aria-pressed", "true")


def test_a_place_dragged_onto_a_person_and_a_person_onto_a_place_are_recorded_and_nothing_else(
    night: BrowserNight,
) -> None:
    before = night.state()["stacks"]
    night.host.drag("#p-queen-hearts", "#s-mia")
    night.host.drag("#s-cleo", "#p-ace-hearts")
    after = night.state()["stacks"]
    assert after["mia"] > before["mia"]
    assert after["cleo"] > before["cleo"]
    night.check_chips()
    head = night.head()
    for phone, onto in ((night.host, "#dock"), (night.phones["ben"], "#s-mia")):
        phone.see("body:not(.taps-paused)")
        phone.page.drag_and_drop("#p-king-clubs", onto)  # beside a person, and on a guest's phone
        expect(phone.page.locator("#dragged, .takes-drag")).to_have_count(0)
    assert night.head() == head


def test_the_last_number_typed_with_a_finger_is_paid_by_itself_unless_something_is_tapped(night: BrowserNight) -> None:
    host, head = night.host, night.head()
    host.page.evaluate("() => { window.paysByItself = true; }")
    host.drag("#p-jackpot", "#s-mia")
    host.see(".pad")
    host.see("body:not(.keys-paused)")
    host.cards(3, 1, 2)
    host.see("body.pays-soon")
    host.tap("#c-cleo")
    host.see("body:not(.pays-soon)")
    host.cards(4)
    host.see_head(head + 1)
    assert night.head() == head + 1
    night.check_chips()
