"""The log and its replay: how far it comes, what stands, and how little is read and played again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import pytest
from support.core_nights import rummy

from tracker.core import log
from tracker.core.errors import AlreadyDone, NoLongerFits
from tracker.core.events import Amount, Buy, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.formats.codec import amended


def test_a_replay_stops_at_the_first_refusal_and_says_how_far_it_came() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5)
    wrong = Entry(4, Buy("nobody", Amount(1)))
    after = Entry(5, Buy("a", Amount(1)))
    replayed = log.replay(night.preset, [*night.entries, wrong, after], amended)
    assert (replayed.number, replayed.night) == (4, night.night)
    assert replayed.failure is not None
    assert replayed.failure.code == "unknown"


def test_what_stands_is_told_with_what_struck_the_rest() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=5)
    night.record("amend", event=3, change={"chips": 7}).record("undo", event=4)
    stands = log.effective_log(night.entries, amended)
    assert [number for number, _ in stands.events] == [1, 2, 3]
    assert stands.struck == {4: 6}


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
    night = rummy("ab").night
    assert log.record(night, Untouched(), Entry(3, Buy("a", Amount(1))), amended).stack("a") == 101


def test_who_keeps_the_trail_has_only_the_end_replayed() -> None:
    night = rummy("ab")
    trail: log.Trail = []
    state = Night(night.preset)
    entries: list[Entry] = []
    buys = [Entry(place, Buy("a", Amount(1))) for place in range(3, 203)]
    for entry in [*night.entries, *buys, Entry(203, Undo(200)), Entry(204, Undo(203)), Entry(205, Undo(202))]:
        kept = [after for _, _, after in trail[:198]]
        state = log.record(state, entries, entry, amended, trail)
        assert all(one is other for one, (_, _, other) in zip(kept, trail, strict=False))
        entries.append(entry)
    assert state == log.replay(night.preset, entries, amended).night == trail[-1][2]
    assert state.stack("a") == 100 + 199


def test_a_refused_correction_leaves_the_trail_as_it_was() -> None:
    night = rummy("abc").hand("a").record("out", seat="a", cards={"b": 1, "c": 1})
    trail: log.Trail = []
    log.settled(night.preset, night.entries, amended, trail)
    before = list(trail)
    with pytest.raises(NoLongerFits):
        log.record(night.night, night.entries, Entry(7, Undo(3)), amended, trail)
    assert trail == before


def test_a_log_that_was_accepted_is_played_once_and_comes_out_the_same() -> None:
    night = rummy("abc").record("buy", seat="a", chips=5).hand("a").record("out", seat="a", cards={"b": 1, "c": 1})
    night.record("amend", event=4, change={"chips": 7}).record("undo", event=7).record("undo", event=9)
    trail: log.Trail = []
    assert log.settled(night.preset, night.entries, amended, trail) == log.Replay(night.night)
    assert [number for number, _, _ in trail] == [1, 2, 3, 4, 5, 6, 7]
    assert trail[-1][2] == log.replay(night.preset, night.entries, amended).night


def test_taking_back_the_newest_event_reads_nothing_but_the_end_of_the_log() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=7)
    trail: log.Trail = []
    log.settled(night.preset, night.entries, amended, trail)

    class OnlyItsEnd(Untouched):
        def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:  # type: ignore[override]
            assert index == 3
            return night.entries[index]

        def __len__(self) -> int:
            return len(night.entries)

    change = log.change(night.night, OnlyItsEnd(), Entry(5, Undo(4)), amended, trail)
    assert change == log.Change(3, [])
    change.onto(trail)
    assert trail[-1][2].stack("b") == 100
    with pytest.raises(AlreadyDone):
        log.change(trail[-1][2], [*night.entries, Entry(5, Undo(4))], Entry(6, Undo(4)), amended, trail)


def test_what_is_struck_is_known_from_what_was_struck_before() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=7)
    struck: Mapping[int, int] = {}
    for undone in (4, 5, 6, 3, 8):
        night.record("undo", event=undone)
        struck = log.struck_after(night.entries, struck)
        assert struck == log.struck_in(night.entries) == log.effective_log(night.entries, amended).struck
    assert struck == {4: 5, 6: 7, 8: 9}
