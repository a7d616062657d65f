"""The back key at the table: it closes what is open there, and loses nothing that was typed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.waiting import until

FIRST_PAGE, TABLE = "() => location.pathname === '/'", "code => location.pathname === `/n/${code}`"
NAMED = "count => (history.state?.over || []).length === count"
"""How many open things the present entry of the browser's history names."""


_kept = at_table("kept", "Ruth", "Ben", others=["Mia"], options={"stack": "500"})


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> BrowserNight:
    """A new hand in play; the host has come to the table from the first page."""
    if not kept.host.page.evaluate(FIRST_PAGE):  # most tests end there
        kept.host.page.goto(f"{kept.host.origin}/")
    kept.fresh_hand()
    kept.host.see("#s-mia")
    return kept


def back(night: BrowserNight, closed: str) -> None:
    """Press the back key, and see that this closes something and stays at the table."""
    page = night.host.page
    page.go_back(wait_until="commit")
    expect(page.locator(closed)).to_have_count(0)
    until(page, TABLE, night.code)


OVERLAYS: dict[str, tuple[Callable[[BrowserPhone], object], str]] = {
    "menu": (lambda host: host.tap("a[href$='/sheet']"), "#sheets:not([hidden])"),
    "person": (lambda host: host.tap("#s-mia"), "#sheets:not([hidden])"),
    "place": (lambda host: host.tap("#p-ten-hearts"), "body[data-question=collect]"),
    "who is out": (lambda host: host.tap("#do-out"), "body[data-question=out]"),
}


def test_what_was_closed_by_its_own_button_leaves_nothing_in_the_history(night: BrowserNight) -> None:
    for opened, seen in (*OVERLAYS.values(), *OVERLAYS.values()):
        opened(night.host)
        night.host.see(seen)
        night.host.page.keyboard.press("Escape")
        expect(night.host.page.locator(seen)).to_have_count(0)
    until(night.host.page, NAMED, 0)
    night.host.page.go_back(wait_until="commit")
    until(night.host.page, FIRST_PAGE)


@pytest.mark.parametrize("name", OVERLAYS)
def test_back_closes_what_is_open_forward_does_no_harm_and_one_more_back_leaves(night: BrowserNight, name: str) -> None:
    """A sheet and the help of keys are open again; a question is not, for it may be another one by now."""
    page, head, (opened, seen) = night.host.page, night.head(), OVERLAYS[name]
    opened(night.host)
    night.host.see(seen)
    back(night, seen)
    page.go_forward(wait_until="commit")
    is_open_again = name in ("menu", "person")
    expect(page.locator(seen)).to_have_count(int(is_open_again))
    until(page, NAMED, int(is_open_again))
    until(page, TABLE, night.code)
    assert night.head() == head
    if is_open_again:
        back(night, seen)
    page.go_back(wait_until="commit")
    until(page, FIRST_PAGE)


@pytest.mark.parametrize("link", ["a[href$='/share']", "a[href$='/log']"])
def test_back_from_a_page_that_the_table_leads_to_comes_to_the_table_as_it_was(night: BrowserNight, link: str) -> None:
    """Also with a sheet that was opened and closed before."""
    page = night.host.page
    night.host.tap("#s-mia", "#sheet .sheet-top [data-close]", link)
    page.wait_for_url(f"**/{night.code}/*")
    page.go_back(wait_until="commit")
    until(page, TABLE, night.code)
    night.host.see("#s-mia")
    night.host.tap("#s-ben")
    back(night, "#sheets:not([hidden])")
    page.go_back(wait_until="commit")
    until(page, FIRST_PAGE)


def test_a_sheet_of_a_page_that_is_loaded_again_or_of_an_own_address_closes_to_the_table(night: BrowserNight) -> None:
    night.host.tap("#s-mia")
    night.host.see("#sheets")
    night.host.page.reload()
    for _ in range(2):
        night.host.see("#sheet h2:has-text('Mia')")
        back(night, "#sheets:not([hidden])")
        night.host.page.goto(f"{night.host.origin}/n/{night.code}/sheet/mia")


FIELDS = "#sheet input:not([type=hidden], [type=checkbox])"
FILL = """() => [...document.querySelectorAll("#sheet input:not([type=hidden], [type=checkbox])")].map((field, at) => {
  for (let one = field.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
  field.focus();
  document.execCommand("selectAll");
  document.execCommand("insertText", false, String(at + 2));
  return [field.id, field.value];
})"""
SHOWN = """() => [...document.querySelectorAll("#sheet input:not([type=hidden], [type=checkbox])")]
  .filter((field) => field.getClientRects().length).map((field) => [field.id, field.value])"""


def test_what_is_typed_in_a_sheet_stays_while_others_record_and_after_back(night: BrowserNight) -> None:
    host = night.host
    night.record("borrow", seat="mia", source="ben", chips=7)  # a sheet with every field: a debt, chips, a seat
    night.everybody_sees()
    host.tap("#s-mia")
    host.see("#sheets")
    typed = host.page.evaluate(FILL)
    assert len(typed) == 5
    focused = host.page.evaluate("document.activeElement.id")
    night.phones["ben"].collect("ten-hearts")
    night.everybody_sees()
    host.see("#sheet")
    assert host.page.evaluate(SHOWN) == typed
    assert host.page.evaluate("document.activeElement.id") == focused
    back(night, "#sheets:not([hidden])")
    host.page.reload()
    host.tap("#s-mia")
    host.see("#sheets")
    assert host.page.evaluate(SHOWN) == typed
    host.tap("#sheet .sheet-top [data-close]")
    host.tap("#s-mia")
    host.see("#sheets")
    assert [value for _, value in host.page.evaluate(SHOWN)] != typed


def test_what_was_sent_is_not_there_again(night: BrowserNight) -> None:
    host = night.host
    host.tap("#s-mia", "#sheet summary:has-text('Another number')")
    host.page.fill("#buy-mia", "17")
    host.record("#sheet button[value=buy]")
    host.tap("#s-mia", "#sheet summary:has-text('Another number')")
    assert host.page.input_value("#buy-mia") == ""


def test_back_closes_the_count_on_this_phone_and_the_dock_leads_back_to_it(night: BrowserNight) -> None:
    host = night.host
    host.tap("#do-out", "#s-ben")
    host.see(".count")
    host.cards(3)
    host.see("#s-mia, .count-row.now")
    back(night, ".count >> visible=true")
    host.see("#p-ten-hearts")
    host.page.reload()  # a page that comes later shows the count that goes on
    host.see(".count")
    back(night, ".count >> visible=true")
    night.phones["ben"].see("#count")
    host.tap("[data-to-count]")
    host.see(".count")
    assert sorted(host.page.locator(".count .slot").all_text_contents()) == ["", "3"]
    back(night, ".count >> visible=true")
    host.page.go_forward(wait_until="commit")
    host.see(".count")
    host.tap("a[href$='/sheet']")
    back(night, "#sheets:not([hidden])")
    host.see(".count")
    host.cards(2)
    host.tap("#pay[aria-disabled=false]")
    host.see_word("Best poker hand")
    until(host.page, NAMED, 0)
