"""A place dragged onto a person is recorded in one gesture; the last number of a count is paid by itself."""

from playwright.sync_api import expect
from support.browser_phones import BrowserNight, at_table

_night = at_table("night", "Ruth", "Ben", others=["Mia", "Tom"])


def test_a_place_dragged_onto_a_person_and_a_person_onto_a_place_are_recorded(night: BrowserNight) -> None:
    night.fresh_hand()
    before = night.state()["stacks"]
    night.host.drag("#p-ten-hearts", "#s-mia")
    night.host.drag("#s-tom", "#p-ace-hearts")
    after = night.state()["stacks"]
    assert after["mia"] > before["mia"]
    assert after["tom"] > before["tom"]
    night.check_chips()


def test_what_is_dropped_beside_a_person_or_dragged_on_a_guests_phone_records_nothing(night: BrowserNight) -> None:
    night.fresh_hand()
    head = night.head()
    for phone, onto in ((night.host, "#dock"), (night.phones["ben"], "#s-mia")):
        phone.see("body:not(.taps-paused)")
        phone.page.drag_and_drop("#p-ten-hearts", onto)
        expect(phone.page.locator("#dragged, .takes-drag")).to_have_count(0)
    assert night.head() == head


def test_the_last_number_typed_with_a_finger_is_paid_by_itself_unless_something_is_tapped(night: BrowserNight) -> None:
    night.fresh_hand()
    host, head = night.host, night.head()
    host.page.evaluate("() => { window.paysByItself = true; }")
    host.drag("#p-jackpot", "#s-mia")
    host.see(".pad")
    host.see("body:not(.keys-paused)")
    host.cards(3, 1, 2)
    host.see("body.pays-soon")
    host.tap("#c-tom")
    host.see("body:not(.pays-soon)")
    host.cards(4)
    host.see_head(head + 1)
    assert night.head() == head + 1
    night.check_chips()
