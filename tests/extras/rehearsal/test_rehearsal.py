"""A rehearsal's guests do their part and leave the host's to the host, who takes a pot in three taps."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.waiting import until

from tracker.core.apply import apply_new
from tracker.core.events import Chips, Collect, Event, Exchange, Hand, Name, NoSale, Out, SeatId, Sit
from tracker.core.night import Night
from tracker.extras.rehearsal.pages import PRESET, SEED, RehearsalStep, is_finished, next_step
from tracker.formats.built_in import built_in

SEATS = ("alex", "mia", "ben", "tom")


def begun() -> Night:
    night = Night(built_in(PRESET))
    for seat in SEATS:
        night = apply_new(night, Sit(SeatId(seat), Name(seat.capitalize())))
    return night


def steps(night: Night) -> Iterator[tuple[Night, RehearsalStep]]:
    """Yield each step of a rehearsal with the state before it, the host doing what comes next."""
    out: str | None = None
    said: dict[str, int] = {}
    while step := next_step(night, SEED, out, said, "alex"):
        yield night, step
        if step.event is None:
            said[step.seat] = step.cards_left
        elif isinstance(step.event, Out) and out is None:
            out = step.seat
        else:
            night = apply_new(night, step.event)
            out, said = None, {}


def test_a_guest_takes_the_first_pot_and_the_host_the_queen_of_hearts_next() -> None:
    collects = [(night.hand, step.event) for night, step in steps(begun()) if isinstance(step.event, Collect)]
    assert collects[0][1].seat != "alex"
    assert collects[1] == (1, Collect("alex", "queen-hearts"))


def test_the_host_says_cards_left_once_deals_once_and_is_out_once() -> None:
    own = [step for _, step in steps(begun()) if step.seat == "alex"]
    kinds = [type(step.event) for step in own]
    assert kinds.count(Hand) == 1
    assert kinds.count(NoSale) + kinds.count(Exchange) == 1
    assert kinds.count(Out) == 2  # said first, then paid
    assert [step.cards_left for step in own if step.event is None] == [3]
    asked = [step.seat for night, step in steps(begun()) if step.event is None and night.hand == 1]
    assert (len(asked), asked[-1]) == (3, "alex"), "guests do not wait for the host"


def test_guests_go_on_from_whatever_the_host_has_recorded() -> None:
    """Another one out than the cards say, a pot taken by somebody else, the dummy hand swapped: all end both hands."""
    others: list[Event] = [Exchange(), Collect("alex", "king-clubs"), Out("alex", dict.fromkeys(SEATS[1:], Chips(4)))]
    night = apply_new(begun(), Hand("tom"))
    for event in others:
        night = apply_new(night, event)
        *_, (last, step) = steps(night)
        assert step.event
        assert is_finished(apply_new(last, step.event), SEED)


# What somebody taps who hosts for the first time, as the hints say


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
        # The open menu may be asked for once more after the end.
        host.excuse(r"status of 403 .*/sheet")
        host.tap_word("Leave the rehearsal")
        host.see_word("Try it with pretend guests")  # with a night, the first page would begin with it
