"""What a screen reader gets beside what the evenings by ear hear: from two live regions that stay."""

import pytest
from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.waiting import until

WRITE_DOWN = """() => {
  const isNew = !window.writtenDown;
  window.writtenDown = [];
  const note = (changes) => {
    for (const { addedNodes } of changes) for (const one of addedNodes) writtenDown.push(one.textContent);
  };
  if (isNew) new MutationObserver(note).observe(document.getElementById("happened"), { childList: true });
}"""
ASKED = "text => document.querySelector('#asked').textContent === text"


_kept = at_table("kept", "Ruth", "Gus", others=["Mia", "Tom"], options={"stack": "500"})


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> BrowserNight:
    """A new hand in play, which Ruth deals; what each phone tells from now on is written down."""
    kept.fresh_hand()
    for phone in kept.phones.values():
        phone.page.evaluate(WRITE_DOWN)
    return kept


def told(phone: BrowserPhone) -> list[str]:
    found = phone.page.evaluate("writtenDown")
    assert isinstance(found, list)
    return found


def test_an_open_sheet_hides_neither_what_has_happened_nor_what_is_asked(night: BrowserNight) -> None:
    gus = night.phones["gus"]
    gus.tap("a[href$='/sheet']")
    gus.see("#sheet")
    for region in ("#happened", "#asked"):
        assert not gus.page.evaluate("one => document.querySelector(one).closest('[inert], [hidden], #live')", region)
    gus.page.keyboard.press("Escape")


def tells_beside_the_question(phone: BrowserPhone, what: str, sentence: str, *, key: str = "") -> None:
    """Tap something, or press a key on it, that tells one sentence after all that was told, and asks nothing else."""
    before, asked = told(phone), phone.page.inner_text("#asked")
    phone.see("body:not(.taps-paused)")
    if key:
        phone.page.focus(what)
        phone.page.keyboard.press(key)
    else:
        phone.tap(what)
    until(phone.page, "count => writtenDown.length > count", len(before))
    assert told(phone) == [*before, sentence]
    assert phone.page.inner_text("#asked") == asked


def test_who_cannot_be_chosen_is_told_after_what_was_told_before_and_the_question_stays(night: BrowserNight) -> None:
    host, chips = night.host, night.state()["pots"]["king-clubs"]
    night.record("penalty", seat="tom", offence="wrong-lead")
    night.everybody_sees()
    until(host.page, "() => writtenDown.length === 1")
    host.tap("#p-king-clubs")
    until(host.page, ASKED, f"Who took King of clubs, {chips} chips?")
    tells_beside_the_question(host, "#s-tom", "Tom: barred.")
    tells_beside_the_question(host, "#s-tom", "Tom: barred.", key="Enter")
    assert night.state()["pots"]["king-clubs"] == chips
    host.record("#s-mia")


def test_who_has_what_was_taken_is_told_after_what_was_told_before_and_the_question_stays(night: BrowserNight) -> None:
    night.record("out", seat="mia", cards={"ruth": 1, "gus": 2, "tom": 3})
    night.everybody_sees()
    for phone in night.phones.values():
        until(phone.page, "() => writtenDown.length === 1")
        assert phone.page.inner_text("#asked").startswith(("Best poker hand", "Who has the best poker hand"))
        tells_beside_the_question(phone, "#p-jackpot", "Jackpot: taken by Mia.")
        tells_beside_the_question(phone, "#p-jackpot", "Jackpot: taken by Mia.", key="Enter")
    night.host.record("#s-tom")
    night.everybody_sees()
    for phone in night.phones.values():
        until(phone.page, "() => writtenDown.at(-1).includes('Tom won')")
        tells_beside_the_question(phone, "#p-poker", "Poker pool: taken by Tom.")
