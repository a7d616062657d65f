from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from flask import Flask
from support.client_phones import Site
from support.entry_log import EntryLog
from support.random_nights import every_preset, random_night, random_options

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.events import Amount, Event, Name, SeatId
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.built_in import built_in
from tracker.web.events.sentences import LastEvent, last_event

ANN, BEN = SeatId("ann"), SeatId("ben")
SEATED: tuple[Event, ...] = (events.Sit(ANN, Name("Ann")), events.Sit(BEN, Name("Ben")))


@pytest.fixture(autouse=True)
def _app(site: Site) -> Iterator[Flask]:
    with site.app.test_request_context("/"):
        yield site.app


def line_after(*played: Event, undone: int | None = None, reader: str | None = None) -> LastEvent:
    """Return the line under the table of Michigan Rummy after some events, the last ones of which were taken back."""
    night = Night(built_in("michigan-rummy"))
    made = [*SEATED, *played]
    for event in made[: len(made) - (undone is not None)]:
        night = apply(night, event)
    entries = [Entry(number, event) for number, event in enumerate(made, start=1)]
    if undone is not None:
        entries.append(Entry(len(entries) + 1, events.Undo(undone)))
    return last_event(EntryLog(entries), night, reader)


def test_the_last_event_names_the_pot_and_addresses_its_taker() -> None:
    taken = (events.Hand(ANN), events.NoSale(), events.Collect(BEN, "king-clubs"))
    assert line_after(*taken).text.striptags() == "Ben took 3"
    assert line_after(*taken, reader=BEN).text.striptags() == "you took 3"
    assert (label := line_after(*taken).label) is not None
    assert label.name == "King of clubs"


def test_the_last_event_of_the_antes_names_the_chips_for_each_pot() -> None:
    line = line_after(events.Hand(ANN))
    assert line.text.striptags() == "Ann puts 2 in each place (18), the others 1 (9)"


def test_the_last_event_of_an_undo_says_what_to_do_at_the_table() -> None:
    assert line_after(events.Hand(ANN), undone=3).text == "Undone: everybody takes the antes back"
    assert line_after(events.Hand(ANN), events.NoSale(), undone=4).text.startswith("Undone. The chips go back")


def test_a_name_in_the_line_can_not_become_markup() -> None:
    hostile = (events.Sit(SeatId("x"), Name("<i>&%(n)s")), events.Hand(ANN), events.NoSale())
    text = line_after(*hostile, events.Collect(SeatId("x"), "king-clubs")).text
    assert "<bdi>&lt;i&gt;&amp;%(n)s</bdi>" in text


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_random_nights_of_every_game_have_a_line_without_a_gap_after_each_event(preset: Preset) -> None:
    chance = Random(preset.id)
    rules = preset.with_options(random_options(preset, chance))
    night = Night(rules)
    for number, event in enumerate(random_night(rules, chance, 60), start=1):
        night = apply(night, event)
        text = last_event(EntryLog([Entry(number, event)]), night).text
        assert text.striptags()
        assert "%(" not in text
        assert "None" not in text


@pytest.mark.parametrize("preset", [one for one in every_preset() if one.game == "pots"], ids=lambda preset: preset.id)
def test_whenever_chips_are_bought_for_a_payment_the_line_says_who_and_how_many(preset: Preset) -> None:
    chance = Random(preset.id)
    bought = 0
    for _ in range(4):
        night = Night(replace(preset, stack=12))
        for number, event in enumerate(random_night(night.preset, chance, 80), start=1):
            before, night = night, apply(night, event)
            for seat, source in getattr(event, "cover", {}).items():
                chips = night.ledger.bought[seat] - before.ledger.bought[seat]
                if source == BANK and chips:
                    text = last_event(EntryLog([Entry(number, event)]), night).text.striptags()
                    assert f"{night.name(seat)} buys {chips}" in text
                    bought += 1
    assert bought > 3


def test_chips_bought_for_a_penalty_are_not_said_to_be_paid_twice() -> None:
    poor = events.Move(BEN, "king-clubs", Amount(91))
    wrong = events.Penalty(BEN, "wrong-lead", cover={BEN: BANK})
    played = (events.Hand(ANN), events.NoSale(), poor, wrong)
    assert line_after(*played).text.striptags() == "Ben led too high: paid 1, barred. Ben buys 1 for it"
