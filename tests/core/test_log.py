"""The log and its replay: how far it comes, what stands, how little is read again, and what one tap takes back."""

from collections.abc import Sequence
from dataclasses import replace
from gc import collect
from random import Random
from typing import overload
from weakref import ref

import pytest
from hypothesis import given, strategies as st
from support.core_nights import EntryLog, rummy
from support.random_nights import every_preset, legal_event

from tracker.core import log
from tracker.core.errors import AlreadyDone, TableError
from tracker.core.events import Amend, Amount, Buy, Collect, Event, Leave, Name, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.undo_policy import (
    HOST_ONLY,
    NewestChange,
    UndoView,
    may_take_back,
    newest_change,
    own_newest,
    undo_for,
)
from tracker.formats.codec import amended


def test_a_replay_stops_at_the_first_refusal_and_says_how_far_it_came() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5)
    wrong = Entry(4, Buy("nobody", Amount(1)))
    after = Entry(5, Buy("a", Amount(1)))
    replayed = log.replay(night.preset, [*night.entries, wrong, after], amended)
    assert (replayed.number, replayed.night) == (4, night.night)
    assert replayed.failure is not None
    assert replayed.failure.code == "unknown"


def test_of_each_undone_entry_the_undo_is_known() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=5)
    night.amend(3, chips=7).undo(4)
    assert [number for number, _ in log.effective_log(night.entries, amended)] == [1, 2, 3]
    assert log.find_undone(night.entries) == {4: 6}


class Untouched(Sequence[Entry]):
    """A log that must not be read."""

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        raise AssertionError("the log was read")

    def __len__(self) -> int:
        raise AssertionError("the log was measured")


def test_a_normal_event_is_recorded_without_reading_the_log() -> None:
    night = rummy("ab")
    assert log.record(Untouched(), Entry(3, Buy("a", Amount(1))), amended, night.steps).stack("a") == 101


def test_a_cached_log_has_only_the_end_replayed() -> None:
    night = rummy("ab")
    steps = log.Steps(night.preset)
    state = steps.night
    entries: list[Entry] = []
    buys = [Entry(place, Buy("a", Amount(1))) for place in range(3, 203)]
    for entry in [*night.entries, *buys, Entry(203, Undo(200)), Entry(204, Undo(203)), Entry(205, Undo(202))]:
        kept_count = [after for _, _, after in steps[:198]]
        state = log.record(entries, entry, amended, steps)
        assert all(one is other for one, (_, _, other) in zip(kept_count, steps, strict=False))
        entries.append(entry)
    assert state == log.replay(night.preset, entries, amended).night == steps[-1][2]
    assert state.stack("a") == 100 + 199


def test_of_old_hands_only_the_last_state_stays_in_memory_and_the_others_are_the_same_when_they_are_made_again() -> (
    None
):
    night = rummy("abc")
    refs, told = [], []

    def note() -> None:
        refs.append(ref(night.night))
        told.append(repr(night.night))

    for _ in range(8):
        night.hand("a").collect("b", "ten-hearts")
        note()
        night.record("buy", seat="a", chips=5)
        note()
        night.out("a", b=1, c=1)
        note()
        night.record("poker", winners=["b"])
        note()
    collect()
    assert [one() is not None for one in refs] == [*([False] * 3 + [True]) * 6, *[True] * 8]
    states = [repr(state) for _number, event, state in night.steps if event.kind in ("collect", "buy", "out", "poker")]
    assert states == told
    assert [night.steps.hand_after(count + 1) for count in range(len(night.steps))] == [
        state.hand for _number, _event, state in night.steps
    ]
    night.undo(6)  # in the first hand
    assert night.night == log.replay(night.preset, night.entries, amended).night


def test_taking_back_the_newest_event_reads_nothing_but_the_end_of_the_log() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=7)
    steps, _ = log.replay_accepted(night.preset, night.entries, amended)

    class OnlyItsEnd(Untouched):
        def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:  # type: ignore[override]
            assert index == 3
            return night.entries[index]

        def __len__(self) -> int:
            return len(night.entries)

    change = log.change(OnlyItsEnd(), Entry(5, Undo(4)), amended, steps)
    assert (change.kept_count, change.steps) == (3, [])
    change.onto(steps)
    assert steps[-1][2].stack("b") == 100
    with pytest.raises(AlreadyDone):
        log.change([*night.entries, Entry(5, Undo(4))], Entry(6, Undo(4)), amended, steps)


# What one tap takes back is what the sentence beside it is about, in every state and for everybody


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
            event = change.entry.event
            is_given = isinstance(undone.event, Collect) and undone.event.seat == seat
            assert undone.by == seat or is_given
            assert undo.is_by_other == (undone.by != seat)
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


def test_a_seat_gives_back_the_place_that_somebody_else_recorded_for_it_and_brings_back_what_it_gave() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades")
    known = EntryLog([replace(one, by="host") for one in night.entries])
    assert undo_for(known, "seat", "b") == UndoView(6, is_redo=False, is_own=True, is_by_other=True)
    assert undo_for(known, "seat", "c") is None
    given = EntryLog([*known.entries, Entry(7, Undo(6), by="b")])
    assert undo_for(given, "seat", "b") == UndoView(7, is_redo=True, is_own=True)
    taken_back_by_host = EntryLog([*known.entries, Entry(7, Undo(6), by="host")])
    assert undo_for(taken_back_by_host, "seat", "b") is None


def test_a_seat_takes_back_nothing_under_the_news_of_others_at_the_table_but_may_in_the_log() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades").collect("c", "king-clubs")
    known = EntryLog([replace(one, by=getattr(one.event, "seat", "host")) for one in night.entries])
    assert undo_for(known, "seat", "b") is None
    assert may_take_back(known, "seat", "b", 6)
    assert undo_for(known, "seat", "c") is not None
