"""Help for ears: each phone switches it on for itself; what the page says is spoken once, and "your turn" is heard."""

import re
from typing import Any

from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.waiting import until

RECORDED = """
window.spoken = []; window.notes = 0; window.buzzed = 0;
Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
  pending: false, cancel() {}, resume() {}, speak(said) { spoken.push([said.text, said.lang]); } } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
window.AudioContext = class {
  constructor() { this.currentTime = 0; }
  resume() {}
  createGain() { const ramp = () => {}; return { gain: { setValueAtTime: ramp, exponentialRampToValueAtTime: ramp },
    connect: (to) => to }; }
  createOscillator() { return { frequency: {}, connect: (to) => to, start() { notes += 1; }, stop() {} }; }
};
navigator.vibrate = (pattern) => { if (Array.isArray(pattern) && pattern[0] === 60) buzzed += 1; return true; };
"""
HIDDEN = """is_hidden => {
  Object.defineProperty(document, "hidden", { value: is_hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ALL = ("speech", "sound", "buzz")


_night = at_table("night", "Ruth", "Ben", script=RECORDED)


def open_sounds(night: BrowserNight, phone: BrowserPhone) -> None:
    phone.page.goto(f"{phone.origin}/n/{night.code}/sounds")


def listen(night: BrowserNight, phone: BrowserPhone, *names: str, language: str = "en") -> None:
    """Switch these helps on and all others off, then look at the table in a new hand."""
    phone.context.add_cookies([{"name": "lang", "value": language, "url": phone.origin}])
    open_sounds(night, phone)
    for name in ALL:
        phone.page.set_checked(f"[data-ear={name}]", name in names)
    night.fresh_hand()
    phone.page.evaluate("import(document.getElementById('live').dataset.ears)")  # waits until it runs


def heard(phone: BrowserPhone) -> dict[str, Any]:
    found = phone.page.evaluate("({ spoken, notes, buzzed })")
    assert isinstance(found, dict)
    return found


def test_each_help_can_be_tried_before_somebody_switches_it_on(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    open_sounds(night, ben)
    assert [ben.page.is_checked(f"[data-ear={name}]") for name in ALL] == [False] * 3
    ben.tap(*(f"[data-try={name}]" for name in ALL))
    assert heard(ben) == {"spoken": [["Mia takes 42 from the queen of hearts.", "en"]], "notes": 2, "buzzed": 1}


def test_where_a_browser_can_not_the_page_says_so(night: BrowserNight) -> None:
    page = night.phones["ben"].context.new_page()
    page.add_init_script("delete Navigator.prototype.vibrate; delete navigator.vibrate;")
    page.goto(f"{night.phones['ben'].origin}/n/{night.code}/sounds")
    assert page.is_disabled("[data-ear=buzz]")
    assert page.is_visible("[data-unable=buzz]")
    assert page.is_hidden("[data-try=buzz]")
    assert page.is_hidden("[data-unable=sound]")
    page.close()


def test_each_entry_is_spoken_once_as_the_page_says_it_in_its_language(night: BrowserNight) -> None:
    ben, said = night.phones["ben"], []
    listen(night, ben, "speech", language="de")
    for pot in ("ten-hearts", "queen-hearts"):
        ben.collect(pot)
        said.append(" ".join(ben.page.inner_text("#last").split()))
        until(ben.page, "count => spoken.length >= count", len(said))
    spoken = heard(ben)["spoken"]
    assert [tongue for _, tongue in spoken] == ["de"] * 2
    assert len({text for text, _ in spoken}) == 2
    assert all(shown.split()[-1] in text for (text, _), shown in zip(spoken, said, strict=True))
    assert all(re.search(r" Du hast \d+\.$", text) for text, _ in spoken)
    assert heard(night.host)["spoken"] == []


def test_what_happens_while_a_page_is_hidden_is_not_spoken_then_or_later(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    listen(night, ben, "speech")
    ben.page.evaluate(HIDDEN, arg=True)
    night.host.collect_for("ten-hearts", "ben")
    head = night.head()
    with ben.page.expect_response("**/live"):
        ben.page.evaluate(HIDDEN, arg=False)
    ben.see_head(head)
    ben.collect("queen-hearts")
    until(ben.page, "() => spoken.length > 0")
    with ben.page.expect_response("**/live"):
        ben.page.evaluate(HIDDEN, arg=False)
    assert [said for said, _ in heard(ben)["spoken"]] == [ben.page.evaluate("spoken.at(-1)[0]")]


def test_the_own_turn_sounds_and_buzzes_once_and_nobody_elses_does(night: BrowserNight) -> None:
    ben, ruth = night.phones["ben"], night.host
    listen(night, ben, "sound", "buzz")
    night.record("out", seat="ruth", cards={"ben": 2})
    night.record("poker", winners=["ben"])
    night.everybody_sees()
    until(ben.page, "() => document.querySelector('#own-turn').dataset.ownTurn.startsWith('ante')")
    with ben.page.expect_response("**/live"):
        ben.page.evaluate(HIDDEN, arg=False)
    assert heard(ben) == {"spoken": [], "notes": 2, "buzzed": 1}
    assert heard(ruth) == {"spoken": [], "notes": 0, "buzzed": 0}
