"""Random nights on every board with random house rules: what holds after every event, whatever happened."""

from dataclasses import fields, replace
from random import Random
from typing import Any

from hypothesis import given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.of_extras import run_modules
from support.random_nights import (
    NAMES,
    OWN_CHECKS,
    end_event,
    every_preset,
    legal_event,
    random_event,
    random_night,
    random_options,
    some_value,
)
from support.transcripts import recorded

from tracker.core import log
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Undo
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import SHOWDOWN, Night
from tracker.core.payment_list import nets, payment_list, settling
from tracker.core.queries.summary import hand_ends, leaders, ranking, summary
from tracker.core.settlement import kept_board, leftover
from tracker.formats.codec import amended, entry_from, entry_to, event_from, preset_to
from tracker.formats.night_file import night_to

CHANCE = st.integers(0, 2**16).map(Random)  # a seed a step: steps are what has to shrink, not the dice
PRESETS = st.sampled_from(every_preset())


def check_payment_list(night: Night) -> None:
    """The payments made and those open settle the night, and where only listed ones were made, nothing moves about."""
    listed = payment_list(night)
    assert {one.event for one in listed if one.is_made} == set(night.payments_made)
    before = payment_list(replace(night, payments_made=()))
    if {one.event for one in before} >= set(night.payments_made):
        assert [one.event for one in listed] == [one.event for one in before]
    for account in (*night.all_seats, BANK):
        gets = sum(one.event.cents for one in listed if one.event.target == account)
        pays = sum(one.event.cents for one in listed if one.event.source == account)
        due = sum(one.event.cents for one in before if one.event.target == account)
        assert gets - pays == due - sum(one.event.cents for one in before if one.event.source == account)


def check_ledger(night: Night) -> None:
    ledger = night.ledger
    assert sum(ledger.balances.values()) == 0
    assert all(chips >= 0 for account, chips in ledger.balances.items() if account != BANK)
    assert set(ledger.balances) <= {*night.all_seats, *(pot.id for pot in night.preset.pots), BANK}
    assert all(chips > 0 and debtor != holder for (debtor, holder), chips in ledger.iou.items())
    assert all(one.chips > 0 and one.source != one.target for one in night.last_transfers)
    assert sum(nets(night).values()) == -leftover(night)
    if night.is_over:
        assert ledger.iou == {}
        assert night.preset["end"] == "leave" or not night.seats or leftover(night) == 0


def check_payments(night: Night) -> None:
    """The payments of a night that is over leave nobody owing or owed anything: a board that is kept is the bank's."""
    left = nets(night)
    if night.preset.game == "pots":
        left[BANK] = leftover(night)
    for one in settling(night):
        left[one.debtor] = left.get(one.debtor, 0) + one.chips
        left[one.creditor] = left.get(one.creditor, 0) - one.chips
    if night.is_over and night.preset.game == "pots":
        assert not any(left.values())


class RandomNight(RuleBasedStateMachine):
    """People play, mistype, correct, take back and lay down the phone, on any board by any rules."""

    @initialize(preset=PRESETS, chance=CHANCE, people=st.integers(0, 6))
    def open(self, preset: Any, chance: Random, people: int) -> None:
        run_modules("_random")  # which add to OWN_CHECKS
        self.base, self.options = preset, random_options(preset, chance)
        self.preset = preset.with_options(self.options)
        self.night = Night(self.preset)
        self.entries: list[Entry] = []
        self.steps = log.Steps(self.preset)
        for seat in list(NAMES)[:people]:
            self.record(event_from({"kind": "sit", "seat": seat, "name": NAMES[seat]}))

    def record(self, event: Event) -> None:
        entry = Entry(len(self.entries) + 1, event, f"id-{len(self.entries) + 1}")
        self.night = log.record(self.entries, entry, amended, self.steps)
        self.entries.append(entry)

    def try_to(self, event: Event) -> None:
        """Record what may be refused: then with a sentence, and nothing has changed."""
        before, length, sentence = self.night, len(self.entries), None
        try:
            self.record(event)
        except TableError as refusal:
            sentence = str(refusal)
        assert sentence is None or (len(sentence) > 10 and self.night == before and len(self.entries) == length)

    @precondition(lambda self: len(self.night.all_seats) > 1)
    @rule(chance=CHANCE)
    def play(self, chance: Random) -> None:
        self.record(legal_event(self.night, chance))

    @precondition(lambda self: len(self.night.all_seats) > 1)
    @rule(chance=CHANCE)
    def play_and_take_back(self, chance: Random) -> None:
        before = self.night
        self.record(legal_event(self.night, chance))
        self.record(Undo(len(self.entries)))
        assert self.night == before

    @rule(chance=CHANCE)
    def mistype(self, chance: Random) -> None:
        try:
            event = event_from(random_event(self.night, chance))
        except TableError:
            return
        self.try_to(event)

    @precondition(lambda self: self.entries)
    @rule(chance=CHANCE)
    def take_back(self, chance: Random) -> None:
        self.try_to(Undo(chance.choice(self.entries).number))

    @precondition(lambda self: self.entries)
    @rule(chance=CHANCE)
    def correct(self, chance: Random) -> None:
        entry = chance.choice(self.entries)
        name = chance.choice([one.name for one in fields(entry.event)] or ["chips"])
        self.try_to(Amend(entry.number, {name: some_value(name, self.night, chance)}))

    @invariant()
    def nothing_is_lost(self) -> None:
        if self.night.preset.game == "pots":
            check_ledger(self.night)
        else:
            stands = log.effective_log(self.entries, amended)
            OWN_CHECKS[self.night.preset.game](self.night, all(event.kind != "rule" for _, event in stands))
        check_payments(self.night)
        if self.night.is_over:
            check_payment_list(self.night)
        assert summary(self.night)["phase"] == self.night.phase

    @invariant()
    def only_who_has_played_has_a_place(self) -> None:
        night, places = self.night, {one.seat: one.place for one in ranking(self.night)}
        if night.players:
            assert {seat for seat, place in places.items() if place} == set(night.players)
            assert {seat for seat, place in places.items() if place == 1} == set(leaders(night))
        else:
            assert leaders(night) == []

    @invariant()
    def the_last_hand_is_the_last_that_was_finished(self) -> None:
        ends = hand_ends(state for _, _, state in self.steps)
        finished = [end.deal for end in ends if end.deal and end.phase == SHOWDOWN]
        assert self.night.last_winner == (finished[-1].winner if finished else None)
        assert self.night.dealt_in == {seat for deal in finished for seat in deal.seats}

    @invariant()
    def the_log_says_the_same(self) -> None:
        """It is read whole after a correction, and at the end."""
        last = self.entries[-1] if self.entries else None
        if last:
            assert entry_from(entry_to(last), last.number) == last
        if last and isinstance(last.event, Undo | Amend):
            assert log.replay(self.preset, self.entries, amended) == log.Replay(self.night)

    def teardown(self) -> None:
        if hasattr(self, "entries"):
            assert log.replay(self.preset, self.entries, amended) == log.Replay(self.night)
            text = night_to(preset_to(self.base), self.options, self.entries)
            assert recorded(text) == (self.preset, self.entries)


TestRandomNights = RandomNight.TestCase


@given(PRESETS.filter(lambda preset: preset.game == "pots"), CHANCE, st.integers(2, 6))
def test_at_the_end_nets_sum_to_zero_and_no_iou_is_left(preset: Any, chance: Random, people: int) -> None:
    night = Night(preset.with_options(random_options(preset, chance)))
    for event in random_night(night.preset, chance, 25, people):
        night = apply(night, event)
    while not night.is_between_hands or night.phase == "lobby":
        night = apply(night, legal_event(night, chance, may_end=False))
    while not night.is_over:
        end = end_event(night, chance)
        assert end
        before, night = night, apply(night, end)
    assert sum(nets(night).values()) == -leftover(night)
    assert (night.ledger.iou, kept_board(before)) == ({}, {})
    if before.players:
        no_part = set(night.all_seats) - before.players
        assert {seat: night.worth(seat) for seat in no_part} == {seat: before.worth(seat) for seat in no_part}
        assert not no_part.intersection(leaders(night))
    if night.preset["end"] == "leave":
        assert nets(night) == nets(before)
        assert all(night.ledger.worth(seat) == before.ledger.worth(seat) for seat in night.all_seats)
        assert kept_board(night) == {pot: chips for pot in before.preset.board if (chips := before.ledger.holds(pot))}
    else:
        assert leftover(night) == 0
    check_payments(night)
