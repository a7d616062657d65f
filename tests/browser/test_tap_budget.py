from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser
from support.tap_budget import BUDGET, one_phone, own_phones


def test_one_phone_records_a_hand_of_five_in_at_most_17_taps(browser: Browser, tmp_path: Path) -> None:
    taps = one_phone(browser, tmp_path)
    assert taps == BUDGET
    assert sum(taps.values()) <= 17


def test_with_own_phones_the_host_taps_at_most_3_times_and_the_others_2_to_4(browser: Browser, tmp_path: Path) -> None:
    taps = {name: sum(parts.values()) for name, parts in own_phones(browser, tmp_path).items()}
    assert taps.pop("Ruth") <= 3
    assert len(taps) == 4
    assert all(2 <= taken <= 4 for taken in taps.values()), taps
