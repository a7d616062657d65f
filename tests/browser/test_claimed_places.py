"""A place that somebody took can be claimed where it stands: by the player with a yes, by the host with one tap."""

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


def test_a_no_leaves_it_where_it_is(night: BrowserNight) -> None:
    cleo, before, head = night.phones["cleo"], night.state()["stacks"], night.head()
    cleo.tap(PLACE, ".a-whose [data-mine]")
    night.host.see(".asked:has-text('Cleo took Ten of hearts, not Ben?')")
    night.host.tap(".asked button:has-text('No')")
    expect(cleo.page.locator(".asked")).to_have_count(0)
    assert (night.state()["stacks"], night.head()) == (before, head)


def test_the_host_taps_whose_it_was(night: BrowserNight) -> None:
    before = night.state()["stacks"]
    night.host.tap(PLACE)
    night.host.see(".a-whose:has-text('Whose was it? Tap the person.')")
    night.host.record("#s-mia")
    after = night.state()["stacks"]
    assert after["mia"] - before["mia"] == before["ben"] - after["ben"] > 0
    night.host.tap(PLACE)
    night.host.see(".a-whose:has-text('Mia took it.')")


def test_whoever_has_it_is_told_so_and_asked_nothing(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    ben.tap(PLACE)
    expect(ben.page.locator("#bubble")).to_contain_text("Ben")
    expect(ben.page.locator("body[data-question=whose]")).to_have_count(0)


def test_the_second_half_of_a_double_tap_on_a_place_does_not_put_it_back(night: BrowserNight) -> None:
    place = night.phones["cleo"].page.locator("#p-ace-hearts[data-ask]")
    place.evaluate("one => { one.click(); one.click(); }")
    expect(place).to_have_attribute("aria-pressed", "true")
