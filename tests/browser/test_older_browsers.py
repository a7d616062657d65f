"""The table in a browser without what Safari had not before 15.4, 16 and 17.4: every tap and every key counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.browser_phones import BrowserNight, browser_night
from support.four_phones import four_phones
from support.of_extras import needs
from support.paths import ROOT
from support.server_process import Command
from support.waiting import until

WITHOUT = """
delete HTMLFormElement.prototype.requestSubmit;
delete Element.prototype.checkVisibility;
Object.defineProperty(SubmitEvent.prototype, "submitter", { get: () => null });
"""


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, shared_command: Command) -> Iterator[BrowserNight]:
    with browser_night(browser, shared_command) as night:
        night.host_phone("Ruth").context.add_init_script(WITHOUT)
        night.play("Ruth", others=["Mia", "Tom"])
        yield night


def test_no_script_asks_for_a_method_that_safari_15_has_not() -> None:
    """The click of a button sends its form in every browser."""
    scripts = [path for path in (ROOT / "static").glob("*/*.js") if path.parent.name != "vendor"]
    assert [path.name for path in scripts if "requestSubmit(" in path.read_text(encoding="utf-8")] == []


def test_a_place_then_a_person_records_and_so_does_the_pad(night: BrowserNight) -> None:
    night.fresh_hand()
    host = night.host
    host.collect_for("ten-hearts", "mia")
    host.tap_word("Someone is out")
    host.tap("#s-mia")
    host.cards(3, 2)
    host.see("#pay[aria-disabled=false]")
    until(host.page, "() => document.querySelector('#sum-cards').textContent === '5'")  # by the server's answer


def test_keys_record_and_the_question_mark_lists_them(night: BrowserNight) -> None:
    night.fresh_hand()
    page, head, chips = night.host.page, night.head(), night.state()["stacks"]["tom"]
    page.wait_for_selector("body:not(.taps-paused)")
    for key, focused in (("p", "[data-pot]"), ("Enter", "#s-ruth"), ("End", "#s-tom"), ("Enter", "[data-pot]")):
        page.keyboard.press(key)
        page.wait_for_selector(f"{focused}:focus")
    night.host.see_head(head + 1)
    assert night.state()["stacks"]["tom"] > chips
    page.keyboard.press("?")
    night.host.see("#keys-list")
    page.keyboard.press("Escape")


def test_a_phone_that_was_let_in_goes_on_by_itself(night: BrowserNight) -> None:
    ben = night.phone("Ben")
    ben.context.add_init_script(WITHOUT)
    night.host.page.goto(f"{night.host.origin}/n/{night.code}/share")
    ben.page.goto(night.link_in_code().replace(night.command.phones_url, night.guests_url))
    ben.page.fill("#name", "Ben")
    ben.tap_word("Sit down")
    night.host.tap_word("Let in")
    ben.page.wait_for_url(f"**/n/{night.code}")


def test_a_link_that_carries_a_night_is_read_at_once(night: BrowserNight) -> None:
    needs("copies")
    page = night.host.context.new_page()
    page.goto(f"{night.host.origin}/arrive#no-night")
    page.wait_for_selector("[aria-invalid], .wrong, .note.bad:not(.too-old)")
    page.close()
    night.host.excuse("422")


def test_points_of_a_score_sheet_are_said(browser: Browser, tmp_path: Path) -> None:
    with four_phones(browser, tmp_path) as phones:
        phones.open("hearts", looking=())
        phones.phone("ruth").add_init_script(WITHOUT)
        phones.look("ruth")
        phones.tap("ruth", "#do-stock", "[data-digit='5']")
        expect(phones.pages["ruth"].locator("#h-ruth")).to_have_attribute("data-said", "5")
        assert phones.errors == []


def test_where_no_page_can_keep_a_screen_awake_the_table_says_what_to_set(browser: Browser, tmp_path: Path) -> None:
    """Over http a phone and a tablet have no `wakeLock`; this machine's own pages have it."""
    note = "text=So that this screen does not go dark >> visible=true"
    with four_phones(browser, tmp_path) as phones:
        phones.open("michigan-rummy", looking=())
        for has_lock in (True, False):
            page = phones.phone("ruth")
            if not has_lock:
                page.add_init_script("delete Navigator.prototype.wakeLock")
            page.goto(f"{phones.url}/n/{phones.code}/sheet")
            page.click("summary:has-text('This phone')")
            page.wait_for_selector("[data-turn]")
            assert page.locator(note).count() == (0 if has_lock else 1)
