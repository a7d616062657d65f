from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.of_extras import needs
from support.tap_budget import BUDGET, HANDS, PEOPLE, SALE, Plan, first_pot, one_phone, own_phones, total
from support.waiting import until

UNCOVERED = """() => {
  const target = document.querySelector('.hint-target')?.getBoundingClientRect();
  const hint = document.getElementById('hint').getBoundingClientRect();
  return target && hint.left >= 0 && hint.right <= innerWidth && hint.top >= 0 && hint.bottom <= innerHeight
    && (hint.bottom <= target.top || hint.top >= target.bottom);
}"""


def test_one_phone_records_a_hand_of_five_in_11_taps_and_3_more_where_the_dummy_is_sold(
    browser: Browser, tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """The short run plays the second hand of the plan, whose dummy is sold."""
    numbers = range(short_or_long(2, 1), short_or_long(2, HANDS) + 1)
    hands = one_phone(browser, tmp_path, numbers)
    for number, taps in zip(numbers, hands, strict=True):
        plan = Plan(number)
        dummy = SALE if plan.is_sold else BUDGET["Dummy"]
        assert taps == BUDGET | {"Money cards": len(plan.takes), "Dummy": dummy}, number
    if len(hands) == HANDS:
        assert sum(map(total, hands)) == HANDS * 10.5 + 5 * SALE


def test_one_phone_records_a_hand_of_kitty_for_five_in_10_taps(browser: Browser, tmp_path: Path) -> None:
    with browser_night(browser, tmp_path) as night:
        host = night.play(PEOPLE[0], others=PEOPLE[1:], preset="michigan-kitty")
        before = host.taps
        for pot, seat in (
            ("ace-spades", "mia"),
            ("king-hearts", "tom"),
            ("ten-hearts", "mia"),
            ("jack-diamonds", "ben"),
        ):
            host.drag(f"#p-{pot}", f"#s-{seat}")
        host.drag("#p-kitty", "#s-ana")
        host.see(".pad")
        host.cards(3, 1, 4)
        host.page.evaluate("() => { window.paysByItself = true; }")
        head = host.head
        host.cards(2)
        host.see_head(head + 1)
        host.record_word("Ante for hand")
        assert host.taps - before == 10
        night.check_chips()


@pytest.mark.long
def test_with_own_phones_everybody_taps_2_to_4_times_a_hand_and_the_host_twice_more_in_ten_hands(
    browser: Browser, tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    hands = own_phones(browser, tmp_path, short_or_long(1, HANDS))
    means = {name: sum(total(hand[name]) for hand in hands) / len(hands) for name in PEOPLE}
    assert all(2 <= taps <= 4 for taps in means.values()), means
    host, others = means.pop("Ruth"), mean(means.values())
    assert host <= (3 if len(hands) == 1 else others + 0.2 + 1e-9)


def test_a_first_time_host_takes_a_pot_in_3_taps_and_leaves_no_night(browser: Browser, tmp_path: Path) -> None:
    needs("rehearsal")
    with browser_night(browser, tmp_path) as night:
        host, _ = first_pot(night)
        assert host.taps == 3
        host.see("#hint[data-name='undo']")
        for width, height in ((390, 844), (320, 568), (1280, 800)):
            host.page.set_viewport_size({"width": width, "height": height})
            until(host.page, UNCOVERED)
        host.tap("#hint [data-hint-close]")
        host.page.wait_for_selector("#hint", state="hidden")
        host.tap("a[href$='/sheet']")
        host.tap_word("Leave the rehearsal")
        host.see_word("Try it with pretend guests")  # with a night, the first page would begin with it
