"""A hand that was given up counts nowhere: the figures of a night are the same with it and without it."""

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

from hypothesis import given, settings, strategies as st
from support.core_nights import with_two_given_up
from support.random_nights import every_preset, legal_event, random_options

from tracker.app.log_history import History
from tracker.archive.night_summary import NightSummary
from tracker.archive.summarize import summarize
from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import NotEnoughChips
from tracker.core.log import Entry, Steps, record
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras._chart.net_reasons import net_reasons
from tracker.extras.statistics.details import full, rows_of
from tracker.formats.codec import amended

BOARDS = [preset for preset in every_preset() if preset.game == "pots"]
CHANCE = st.integers(0, 2**16).map(Random)
START = datetime.fromisoformat("2026-03-07T20:00:00Z")


class Recorded:
    """A log that is recorded event by event, one a minute; a hand that is given up takes no time of the others."""

    def __init__(self, preset: Preset) -> None:
        self.entries: list[Entry] = []
        self.steps = Steps(preset)
        self.at = START

    @property
    def night(self) -> Night:
        return self.steps.night

    def record(self, event: events.Event) -> None:
        self.at += timedelta(minutes=1)
        entry = Entry(len(self.entries) + 1, event, at=self.at.isoformat())
        record(self.entries, entry, amended, self.steps)
        self.entries.append(entry)

    def give_up_a_hand(self, chance: Random) -> None:
        """Begin a hand, play some of it, give it up, and put the antes back by hand; none where somebody is short."""
        at, hand = self.at, events.Hand(self.night.dealer or self.night.seats[0])
        try:
            apply(self.night, hand)
        except NotEnoughChips:
            return
        self.record(hand)
        antes = self.night.last_transfers
        for _ in range(chance.randint(0, 6)):
            event = legal_event(self.night, chance, may_end=False)
            if event.kind not in BESIDE and not may_happen_last(self.night, event):
                self.record(event)
        self.record(events.Abandon())
        for one in antes:
            self.record(events.Move(one.target, one.source, events.Amount(one.chips)))
        self.at = at


BESIDE = ("sit", "leave", "buy", "borrow", "repay", "move", "hand", "abandon", "end", "rule", "order", "count")


def may_happen_last(night: Night, event: events.Event) -> bool:
    """Return whether a hand would be over with an event."""
    return apply(night, event).is_between_hands


def figures(night: NightSummary) -> dict[str, Any]:
    """Return what a summary counts, its hands numbered by those that were finished."""
    summary, rows = full(night), rows_of(night)
    number = {hand: at for at, hand in enumerate(dict.fromkeys(end.hand for end in rows.hands), start=1)}
    seats = [replace(seat, richest=seat.richest and seat.richest._replace(hand=0)) for seat in summary.seats]
    known, time = summary.figures, summary.figures.time
    return {
        "hands": summary.hands,
        "winners": summary.winners,
        "seats": seats,
        "ends": [end._replace(hand=number[end.hand]) for end in rows.hands],
        "taken": [share._replace(hand=number[share.hand]) for share in rows.taken],
        "moments": [replace(one, hand=number[one.hand]) for one in known.moments],
        "details": (summary.series, known.won, known.pots),
        "time": time and (time.hands, time.longest_wait),
    }


@given(st.sampled_from(BOARDS), CHANCE, st.integers(2, 5))
@settings(max_examples=25)
def test_a_hand_that_is_given_up_changes_no_figure(preset: Preset, chance: Random, people: int) -> None:
    rules = {key: value for key, value in random_options(preset, chance).items() if key != "ante.exempt"}
    preset = preset.with_options({**rules, "shortage": "buy_in", "poker.when": preset["poker.when"]})
    plain, with_it = Recorded(preset), Recorded(preset)
    for seat in "abcdef"[:people]:
        for log in (plain, with_it):
            log.record(events.Sit(events.SeatId(seat), events.Name(seat.upper()), events.Chips(5000)))
    for _ in range(70):
        event = legal_event(plain.night, chance, may_end=False)
        if event.kind in ("rule", "sit", "leave", "order") or plain.night.is_over:
            continue
        state = chance.getstate()
        if event.kind == "hand" and chance.random() < 0.4:
            with_it.give_up_a_hand(chance)
        chance.setstate(state)
        plain.record(event)
        with_it.record(event)
    if not plain.night.hand:
        return
    one, other = (summarize(preset, log.entries, log.steps) for log in (plain, with_it))
    assert figures(other) == figures(one)
    assert net_reasons_of(with_it) == net_reasons_of(plain)


def net_reasons_of(log: Recorded) -> dict[str, dict[str, int]]:
    """Return what each net is made of, without the antes that were given back by hand."""
    found = net_reasons(History(log.entries, log.steps))
    for sums in found.values():
        sums["antes"] = sums.pop("antes", 0) + sums.pop("corrections", 0)
    return {seat: {why: chips for why, chips in sums.items() if chips} for seat, sums in found.items()}


# The case of the review, worked by hand


def test_two_of_five_hands_that_were_given_up_are_no_hands() -> None:
    night = with_two_given_up()
    one = full(summarize(night.preset, night.entries, night.steps))
    quin = one.seats[one.place_of["q"]]
    assert (one.hand, one.hands, [seat.hands for seat in one.seats]) == (5, 3, [3, 3, 3])
    assert (quin.wins, quin.wins_in_a_row) == (3, 3)
    [streak] = [moment for moment in one.figures.moments if moment.kind == "streak"]
    assert (streak.times, streak.is_in_a_row) == (3, True)
