"""What is typed in a form of settings outlives the page, until it is sent."""

import pytest
from playwright.sync_api import expect
from support.browser_phones import BrowserNight, BrowserPhone, at_table

FORMS = ("settings", "rules")
UNSAVED = "[data-unsaved]:not([hidden])"


_night = at_table("night", "Ruth", others=["Mia"])


def open_form(night: BrowserNight, name: str) -> BrowserPhone:
    night.host.page.goto(f"{night.host.origin}/n/{night.code}/{name}")
    night.host.see("main")
    return night.host


FILL = """() => [...document.querySelectorAll("form[data-draft] :is(input:not([type=hidden]), select)")].map((one) => {
  const before = one.type === "checkbox" ? one.checked : one.value;
  if (one.type === "checkbox") one.checked = !one.checked;
  else if (one.options) one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
  else one.value = one.inputMode === "numeric" ? String(Number(one.value || 1) + 1) : `${one.value} x`;
  one.dispatchEvent(new Event("input", { bubbles: true }));
  return [one.name, one.type === "checkbox" ? one.checked : one.value, before];
})"""
READ = """() => [...document.querySelectorAll("form[data-draft] :is(input:not([type=hidden]), select)")].map((one) =>
  [one.name, one.type === "checkbox" ? one.checked : one.value])"""


@pytest.mark.parametrize("name", FORMS)
def test_every_field_is_as_it_was_typed_after_a_look_at_another_page(night: BrowserNight, name: str) -> None:
    host = open_form(night, name)
    typed = host.page.evaluate(FILL)
    assert len(typed) > 2
    expect(host.page.locator(UNSAVED)).to_have_count(0)
    host.page.goto(f"{host.origin}/n/{night.code}/log")
    open_form(night, name)
    assert host.page.evaluate(READ) == [[field, value] for field, value, _ in typed]
    expect(host.page.locator(UNSAVED)).to_have_count(1)


def test_what_was_sent_is_no_draft_any_more_and_what_somebody_else_has_saved_counts_more(night: BrowserNight) -> None:
    host = open_form(night, "settings")
    host.page.fill("#f-title", "Friday club")
    with host.page.expect_navigation():
        host.tap_word("Save")
    open_form(night, "settings")
    assert host.page.input_value("#f-title") == "Friday club"
    expect(host.page.locator(UNSAVED)).to_have_count(0)
    host.page.fill("#f-title", "Sunday club")
    host.send(f"{host.origin}/n/{night.code}/settings", title="Saturday", everyone="on")
    open_form(night, "settings")
    assert host.page.input_value("#f-title") == "Saturday"


def test_that_a_rule_is_not_in_force_is_not_said_once_it_is(night: BrowserNight) -> None:
    host = open_form(night, "rules?rule=money.cents")
    expect(host.page.locator(".rule:not([hidden]) .idle:not([hidden])")).to_have_count(0)
    host.page.locator("[name='money.cents']").evaluate(
        "one => { one.value = '5'; one.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    host.see("[name='money.coin']")
    expect(host.page.locator(".rule:not([hidden]) .idle:not([hidden])")).to_have_count(0)
