"""What somebody taps who hosts for the first time, as the hints of the rehearsal say."""

from pathlib import Path

from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.waiting import until

UNCOVERED = """() => {
  const target = document.querySelector('.hint-target')?.getBoundingClientRect();
  const hint = document.getElementById('hint').getBoundingClientRect();
  return target && hint.left >= 0 && hint.right <= innerWidth && hint.top >= 0 && hint.bottom <= innerHeight
    && (hint.bottom <= target.top || hint.top >= target.bottom);
}"""


def test_a_first_time_host_takes_a_pot_in_3_taps_and_leaves_no_night(browser: Browser, tmp_path: Path) -> None:
    with browser_night(browser, tmp_path) as night:
        host = night.phone("Alex")
        host.page.goto(night.server.host_link)
        host.page.wait_for_url("**/")
        host.tap_word("Try it with pretend guests")
        host.see("#hint[data-name^='collect']")
        host.record(*(host.page.get_attribute("#hint", name) or "" for name in ("data-at", "data-then-at")))
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
