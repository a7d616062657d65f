"""The log and its replay: how far it comes, what stands, and how little is read and played again."""

from collections.abc import Sequence
from gc import collect
from typing import overload
from weakref import ref

import pytest
from support.core_nights import rummy

from tracker.core import log
from tracker.core.errors import AlreadyDone, NoLongerFits
from tracker.core.events import Amount, Buy, Undo
from tracker.core.log import Entry
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


def test_a_refused_correction_leaves_the_steps_as_they_were() -> None:
    night = rummy("abc").hand("a").out("a", b=1, c=1)
    steps, _ = log.replay_accepted(night.preset, night.entries, amended)
    before = list(steps)
    with pytest.raises(NoLongerFits):
        log.record(night.entries, Entry(7, Undo(3)), amended, steps)
    assert list(steps) == before


def test_a_log_that_was_accepted_is_played_once_and_comes_out_the_same() -> None:
    night = rummy("abc").record("buy", seat="a", chips=5).hand("a").out("a", b=1, c=1)
    night.amend(4, chips=7).undo(7).undo(9)
    steps, replayed = log.replay_accepted(night.preset, night.entries, amended)
    assert replayed == log.Replay(night.night)
    assert [number for number, _, _ in steps] == [1, 2, 3, 4, 5, 6, 7]
    assert steps[-1][2] == log.replay(night.preset, night.entries, amended).night


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


def test_what_is_undone_is_known_from_what_was_undone_before() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("buy", seat="b", chips=7)
    for number in (4, 5, 6, 3, 8):
        night.undo(number)
        undone = night.steps.corrections.undone()
        assert undone == log.find_undone(night.entries)
    assert undone == {4: 5, 6: 7, 8: 9}
