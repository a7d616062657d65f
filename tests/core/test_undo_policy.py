"""What one tap takes back is what the sentence beside it is about, in every state and for everybody."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given, strategies as st
from support.core_nights import rummy
from support.entry_log import EntryLog
from support.random_nights import every_preset, legal_event

from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Leave, Name, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.undo_policy import HOST_ONLY, NewestChange, may_take_back, newest_change, own_newest, undo_for
from tracker.formats.codec import amended

PEOPLE = ("ann", "bob", "cara")


def in_force(entries: Sequence[Entry]) -> set[int]:
    """Return the numbers of the events and amends that stand."""
    undone = log.find_undone(entries)
    return {one.number for one in entries if one.number not in undone and not isinstance(one.event, Undo)}


def next_event(night: Night, entries: Sequence[Entry], chance: Random) -> Event:
    """Return an event that may be recorded, or try to undo or amend something."""
    lot = chance.random()
    if len(entries) > len(PEOPLE) and lot < 0.35:
        return Undo(chance.choice(entries[-6:]).number)
    if lot < 0.4:
        return Amend(chance.choice(entries[:3]).number, {"name": chance.choice(["Al", "Bo"])})
    return legal_event(night, chance)


def check_everybody(entries: Sequence[Entry]) -> None:
    known = EntryLog(entries)
    change = newest_change(known)
    assert change
    assert change.entry
    assert undo_for(known, "watcher", None) is None
    assert undo_for(known, "host", None) is not None or change.kind == "undone"
    for role, seat in (("host", None), ("host", "ann"), *(("seat", seat) for seat in PEOPLE)):
        undo = undo_for(known, role, seat)
        if undo is None:
            continue
        assert undo.number
        assert may_take_back(known, role, seat, undo.number)
        after = in_force([*entries, Entry(len(entries) + 1, Undo(undo.number))])
        assert after ^ in_force(entries) == {change.entry.number}
        assert undo.is_redo == (change.entry.number in after)
        if role == "seat":
            undone = entries[undo.number - 1]
            assert undone == own_newest(known, seat or "")
            assert undone.by == seat
            event = change.entry.event
            assert event.kind not in HOST_ONLY or event == Leave(SeatId(seat or ""))


@given(st.sampled_from(every_preset()), st.integers(0, 2**16).map(Random))
def test_undo_reverts_the_event_that_the_sentence_describes(preset: Preset, chance: Random) -> None:
    night = Night(preset)
    entries: list[Entry] = []
    steps = log.Steps(preset)
    for _ in range(25):
        event = Sit(SeatId(PEOPLE[len(entries)]), Name("X")) if len(entries) < 3 else next_event(night, entries, chance)
        entry = Entry(len(entries) + 1, event, by=chance.choice(["host", *PEOPLE]))
        try:
            night = log.record(entries, entry, amended, steps)
        except TableError:
            continue
        entries.append(entry)
        check_everybody(entries)


def test_an_announced_going_out_is_withdrawn_and_no_event_is_taken_back() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades")
    entries = [replace(one, by="b") for one in night.entries]
    known = EntryLog(entries)
    assert newest_change(known, "c") == NewestChange("announced", seat="c")
    for role, seat, is_open, may in (
        ("host", None, False, True),
        ("seat", "c", False, True),
        ("seat", "b", False, False),
        ("seat", "b", True, True),
        ("watcher", None, True, False),
    ):
        undo = undo_for(known, role, seat, "c", is_open=is_open)
        assert (undo is not None) == may
        assert undo is None or undo.number is None


def test_a_seat_that_was_the_host_takes_back_nothing_that_is_the_hosts() -> None:
    night = rummy("abcd").record("leave", seat="d")
    known = EntryLog([replace(one, by="a") for one in night.entries])
    assert own_newest(known, "a") is None
    left = EntryLog([replace(one, by="d") for one in night.entries])
    assert own_newest(left, "d") == left.entries[-1]  # its own leaving
    assert not may_take_back(known, "seat", "a", 5)
    assert may_take_back(known, "host", "a", 5)


def test_a_seat_takes_back_nothing_under_the_news_of_others_at_the_table_but_may_in_the_log() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades").collect("c", "king-clubs")
    known = EntryLog([replace(one, by=getattr(one.event, "seat", "host")) for one in night.entries])
    assert undo_for(known, "seat", "b") is None
    assert may_take_back(known, "seat", "b", 6)
    assert undo_for(known, "seat", "c") is not None
