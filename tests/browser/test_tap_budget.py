from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean

from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.tap_budget import BUDGET, TAKES, first_pot, one_phone, own_phones
from support.waiting import until

UNCOVERED = """() => {
  const target = document.querySelector('.hint-target')?.getBoundingClientRect();
  const hint = document.getElementById('hint').getBoundingClientRect();
  return target && hint.left >= 0 && hint.right <= innerWidth && hint.top >= 0 && hint.bottom <= innerHeight
    && (hint.bottom <= target.top || hint.top >= target.bottom);
}"""


def test_one_phone_records_a_hand_of_five_in_at_most_17_taps(
    browser: Browser, tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    hands = (TAKES[:3], TAKES)[: short_or_long(1, 2)]
    taps = one_phone(browser, tmp_path, hands)
    assert taps == BUDGET | {"Money cards": 2 * mean(map(len, hands))}
    assert sum(taps.values()) <= 17


def test_with_own_phones_the_host_taps_at_most_3_times_and_the_others_2_to_4(browser: Browser, tmp_path: Path) -> None:
    taps = {name: sum(parts.values()) for name, parts in own_phones(browser, tmp_path).items()}
    assert taps.pop("Ruth") <= 3
    assert len(taps) == 4
    assert all(2 <= taken <= 4 for taken in taps.values()), taps


def test_a_first_time_host_takes_a_pot_in_3_taps_and_leaves_no_night(browser: Browser, tmp_path: Path) -> None:
    with browser_night(browser, tmp_path) as night:
        host, _ = first_pot(night)
        assert host.taps == 3
        host.see("#hint[data-name='undo']")
        for width, height in ((390, 844), (320, 568), (1280, 800)):
            host.page.set_viewport_size({"width": width, "height": height})
            until(host.page, UNCOVERED)
        host.tap("#hint [data-hint-close]")
        host.page.wait_for_selector("#hint", state="hidden")
        host.tap_word("More", "Leave the rehearsal")
        host.see_word("No nights yet")
