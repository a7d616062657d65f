"""Undo and amend, also of an amend: nothing is deleted, the rest is replayed, and what no longer fits is named."""

import sys
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.core_nights import first_refused, kitty, rummy

from tracker.core import log
from tracker.core.errors import NoLongerFits, TableError
from tracker.core.events import Amend, Amount, Buy, Event, Name, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.formats.codec import amended


@pytest.mark.parametrize("event", [0, 3, 4, 99, "nothing", "", "1"])
def test_only_an_earlier_event_can_be_taken_back(event: int | str) -> None:
    assert rummy("ab").refusal("undo", event=event).code == "unknown"
    assert rummy("ab").refusal("amend", event=event, change={"name": "X"}).code == "unknown"


@pytest.mark.parametrize("event", [-1, 1.5, None, True, [1], {"a": 1}])
def test_an_event_is_named_by_a_number_or_an_id_and_nothing_else(event: object) -> None:
    assert rummy("ab").refusal("undo", event=event).facts["field"] == "event"


def test_the_first_event_that_no_longer_fits_is_named() -> None:
    night = kitty("pqr", 20).record("buy", seat="q", chips=5).hand("p").record("move", source="q", target="p", chips=17)
    assert first_refused(night.refusal("undo", event=4)) == 7
    assert "5 short" in str(night.refusal("undo", event=4))


# Amending


def test_chips_are_amended_also_to_none_or_to_the_presets_stack() -> None:
    bought = rummy("ab").record("buy", seat="a", chips=5).amend(3, chips=50)
    assert (bought.stacks["a"], bought.night.ledger.bought["a"]) == (150, 150)
    night = rummy("ab", 60).amend(1, chips=0)
    assert night.stacks == {"a": 0, "b": 60}
    assert night.amend(1, chips=None).stacks == {"a": 100, "b": 60}
    night.hand("a")
    assert first_refused(night.refusal("amend", event=1, change={"chips": 17})) == night.number("hand")


def test_a_change_must_leave_a_well_formed_event() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5)
    wrong = [{}, {"kind": "leave"}, {"chips": -1}, {"chips": "many"}, {"chips": None}, {"price": 3}, {"seat": 5}]
    for change in (*wrong, {"id": "x"}):
        assert night.refusal("amend", event=3, change=change).code == "bad-event", change


def test_a_change_that_the_rules_refuse_names_the_corrected_event_and_the_rule() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades")
    collect = night.number("collect")
    for change, code in (({"pot": "jackpot"}, "not-allowed"), ({"seat": "nobody"}, "unknown")):
        refusal = night.refusal("amend", event=collect, change=change)
        assert first_refused(refusal) == collect
        assert isinstance(refusal, NoLongerFits)
        assert refusal.cause.code == code


# Corrections of corrections: what stands after them is what the format says, and the work grows with their number


START = [
    Entry(1, Sit(SeatId("a"), Name("A")), "id-1"),
    Entry(2, Buy("a", Amount(5)), "id-2"),
    Entry(3, Buy("a", Amount(7)), "id-3"),
]


class PlainLog:
    """What the format says of a log, each time from all of its entries: slow, and with nothing known from before."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    def target(self, correction: Undo | Amend) -> Entry:
        return next(one for one in self.entries if correction.event in (one.number, one.id))

    def is_undone(self, entry: Entry) -> bool:
        undos = (one for one in self.entries if isinstance(one.event, Undo) and self.target(one.event) is entry)
        return any(not self.is_undone(undo) for undo in undos)

    def corrected(self, entry: Entry) -> Entry:
        return self.corrected(self.target(entry.event)) if isinstance(entry.event, Amend) else entry

    def in_force(self) -> list[tuple[int, Event]]:
        events = [one for one in self.entries if not isinstance(one.event, Undo | Amend) and not self.is_undone(one)]
        return [(one.number, amended(one.event, self._change(one))) for one in events]

    def _change(self, entry: Entry) -> dict[str, Any]:
        change: dict[str, Any] = {}
        for one in self.entries:
            if isinstance(one.event, Amend) and self.corrected(one) is entry and not self.is_undone(one):
                change.update(one.event.change)
        return change

    def refuses(self, event: Undo | Amend) -> str:
        """Return the code with which a correction is refused for what it names; nothing when it is not."""
        target = self.target(event)
        if self.is_undone(target):
            return "already-done"
        if isinstance(event, Undo):
            return ""
        if isinstance(target.event, Undo):
            return "not-allowed"
        return "already-done" if self.is_undone(self.corrected(target)) else ""


def some_correction(entries: list[Entry], chance: Random) -> Undo | Amend:
    """Return a correction, mostly of one of the newest entries, by number or by id."""
    newest = chance.choice([1, 1, 2, 4, len(entries)])
    named = chance.choice(entries[-newest:])
    ref = named.number if chance.random() < 0.5 else named.id or ""
    if chance.random() < 0.5:
        return Undo(ref)
    return Amend(ref, chance.choice([{"chips": chance.randint(1, 9)}, {"seat": "a"}, {"seat": "nobody"}]))


@given(st.integers(0, 2**16).map(Random))
def test_random_chains_of_corrections_leave_what_a_plain_reading_of_the_log_leaves(chance: Random) -> None:
    night = rummy("").night
    entries, steps = list[Entry](), log.Steps(night.preset)
    for entry in START:
        night = log.record(entries, entry, amended, steps)
        entries.append(entry)
    if chance.random() < 0.3:  # as when a stored night is opened: nothing is known of its corrections
        steps, _ = log.replay_accepted(night.preset, entries, amended)
    for _ in range(25):
        event = some_correction(entries, chance)
        named_wrongly = PlainLog(entries).refuses(event)
        entry = Entry(len(entries) + 1, event, f"id-{len(entries) + 1}")
        now = night, list(steps)
        after, refusal = recorded(night, entries, entry, steps)
        if refusal:
            fits = not named_wrongly and played([*entries, entry]).failure is None
            assert (refusal, fits) == (named_wrongly or "no-longer-fits", False)
            assert (night, list(steps)) == now
            continue
        assert not named_wrongly
        night = after
        entries.append(entry)
        assert [step[:2] for step in steps] == PlainLog(entries).in_force()
        assert log.Replay(night) == played(entries)


def recorded(night: Night, entries: list[Entry], entry: Entry, steps: log.Steps) -> tuple[Night, str]:
    """Return the state after one more entry, and the code of its refusal if it is refused."""
    try:
        return log.record(entries, entry, amended, steps), ""
    except TableError as refusal:
        return night, refusal.code


def played(entries: list[Entry]) -> log.Replay:
    return log.fold(Night(rummy("").preset), PlainLog(entries).in_force(), [])


CHAINS: dict[str, Callable[[int], Event]] = {
    "amends of one event, by number": lambda number: Amend(3, {"chips": 1 + number % 9}),
    "amends of one event, by id": lambda number: Amend("id-3", {"chips": 1 + number % 9}),
    "amends of the amend before, by number": lambda number: Amend(number - 1, {"chips": 1 + number % 9}),
    "amends of the amend before, by id": lambda number: Amend(f"id-{number - 1}", {"chips": 1 + number % 9}),
    "amends of the first amend": lambda number: Amend(min(number - 1, 4), {"chips": 1 + number % 9}),
    "undos of the undo before, by number": lambda number: Undo(number - 1),
    "undos of the undo before, by id": lambda number: Undo(f"id-{number - 1}"),
    "amends, each taken back": lambda number: Undo(number - 1) if number % 2 else Amend(3, {"chips": 1 + number % 9}),
}


@pytest.mark.parametrize("kind", CHAINS)
def test_the_work_of_a_replay_grows_with_the_number_of_corrections_and_not_with_its_square(kind: str) -> None:
    short, middle, long = (lines_run(kind, count) for count in (100, 200, 400))
    assert long - middle == pytest.approx(2 * (middle - short), rel=0.02)


def lines_run(kind: str, count: int) -> int:
    """Return how many lines of the log's modules a replay of so many corrections runs: counted, and not timed."""
    entries = [*START, *(Entry(number, CHAINS[kind](number), f"id-{number}") for number in range(4, count + 4))]
    lines, before = 0, sys.gettrace()

    def trace(frame: FrameType, what: str, _value: object) -> Any:
        nonlocal lines
        lines += what == "line"
        return trace if frame.f_code.co_filename == log.__file__ else None

    sys.settrace(trace)
    try:
        replayed = log.replay(rummy("").preset, entries, amended)
    finally:
        sys.settrace(before)
    assert replayed.failure is None
    return lines
