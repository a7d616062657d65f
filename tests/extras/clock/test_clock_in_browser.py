"""The end of a table's clock in a real browser."""

from datetime import UTC, datetime

from support.browser_phones import BrowserNight, at_table
from support.waiting import until

from tracker.extras.clock.pages import TableClock, settings_of

_night = at_table("night", "Ruth", "Ben", others=("Mia", "Tom"))
HEAR = """() => {
  window.said = [];
  const bubble = document.querySelector("#bubble");
  new MutationObserver(() => { if (bubble.textContent) said.push(bubble.textContent); })
    .observe(bubble, { childList: true });
}"""
"""Notes on a page what its bubble says from now on."""


def test_the_end_of_a_clock_is_said_once_and_does_nothing_by_itself(night: BrowserNight) -> None:
    night.everybody_sees()
    ben = night.phones["ben"].page
    ben.evaluate(HEAR)
    head, hand = night.table.head, next(one for one in night.table.entries if one.event.kind == "hand")
    played = (datetime.now(UTC) - datetime.fromisoformat(hand.at or "")).total_seconds()
    settings_of(night.table).clock = TableClock("hand", round(played) + 4)
    until(ben, "() => /^0:0[1-4]/.test(document.querySelector('header p').textContent)")
    until(ben, "() => said.length")
    assert ben.evaluate("said") == ["Time!"], "and nothing of what was there when the page came"
    assert ben.inner_text("header time") == "Time!"
    ben.reload()
    ben.evaluate(HEAR)
    settings_of(night.table).clock = None
    until(ben, "() => !document.querySelector('#clock')")
    assert ben.evaluate("said") == []
    assert night.table.head == head
