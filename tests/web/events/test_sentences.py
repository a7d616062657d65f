from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from support.client_phones import Site
from support.core_nights import CoreNight
from support.paths import night_files
from support.random_nights import every_preset, random_night, random_options

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import Barred, NoLongerFits, NotEnoughChips, TableError
from tracker.core.events import Amount, Event, Name, SeatId
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from
from tracker.web.events import sentences
from tracker.web.wording.texts import refusal

TRANSCRIPTS = night_files()


@pytest.fixture(name="app", autouse=True)
def _app(site: Site) -> Iterator[Flask]:
    with site.app.test_request_context("/"):
        yield site.app


def told(events_: list[Event], preset: str = "michigan-rummy") -> list[str]:
    """What each event of a night is told as, in text."""
    night, found = Night(built_in(preset)), []
    for event in events_:
        after = apply(night, event)
        found.append(sentences.plain_sentence(event, night, after))
        night = after
    return found


def sit(*names: str) -> list[Event]:
    return [events.Sit(SeatId(name.lower()), Name(name)) for name in names]


def test_a_hand_is_described_as_people_say_it() -> None:
    hand = [
        events.Hand("ann"),
        events.Sale("ben", Amount(4)),
        events.Collect("cleo", "king-clubs"),
        events.Penalty("ben", "wrong-lead"),
        events.Out("ann", {"ben": 3, "cleo": 2}),  # type: ignore[dict-item]
        events.Poker(("ann", "cleo")),
    ]
    assert told([*sit("Ann", "Ben", "Cleo"), *hand])[3:] == [
        "Ante: 9 each, Ann deals and puts 18",
        "Ben buys the dummy hand from Ann for 4",
        "Cleo takes 4: King of clubs",
        "Ben led too high and pays 1 to each. No money cards for Ben in this hand",
        "Ann is out: 4 from the board and 5 for cards left",
        "Ann and Cleo share the poker pool: 4",
    ]


def test_a_short_seat_is_named_with_its_lender() -> None:
    seats = [events.Sit(SeatId(seat), Name(seat.title()), chips) for seat, chips in (("ann", 30), ("ben", 5))]  # type: ignore[arg-type]
    assert told([*seats, events.Hand("ann", cover={"ben": "bank"})])[-1].endswith("Ben buys 4 for it")
    assert told([*seats, events.Hand("ann", cover={"ben": "ann"})])[-1].endswith("Ben borrows 4 from Ann")


def test_a_name_can_not_become_markup() -> None:
    event = events.Sit(SeatId("x"), Name("<b>&%(n)s"))
    after = apply(Night(built_in("michigan-rummy")), event)
    said = sentences.sentence(event, None, after)
    assert said.startswith("<b><bdi>&lt;b&gt;&amp;%(n)s</bdi></b> sits down")
    assert sentences.plain_sentence(event, None, after).startswith("<b>&%(n)s sits down")


def test_the_reason_of_a_correction_can_not_become_markup() -> None:
    event = events.Move("ann", "ben", Amount(2), "<script>")  # type: ignore[arg-type]
    night = Night(built_in("michigan-rummy"))
    for one in [*sit("Ann", "Ben"), event]:
        night = apply(night, one)
    assert "&lt;script&gt;" in sentences.sentence(event, None, night)


def taken_from_a_place(held: int) -> NotEnoughChips:
    """Return the refusal of more chips than lie at a place of the board."""
    board = CoreNight("michigan-rummy").night
    draft = board.ledger_draft()
    draft.balances["jack-spades"] = held
    with pytest.raises(NotEnoughChips) as refused:
        draft.move("jack-spades", "a", 9)
    assert refused.value.short == {"jack-spades": 9 - held}
    return refused.value


def test_a_refusal_is_a_whole_sentence() -> None:
    assert refusal(Barred("{name} is barred", name="ann")) == "Ann is barred."
    assert refusal(NotEnoughChips({"ann": 3}, {"ann": "Ann"})).startswith("Ann is 3 short: ")
    assert (
        refusal(taken_from_a_place(5))
        == "Only 5 lie there: take no more, or the rest from somewhere else (Jack of spades)."
    )
    assert refusal(taken_from_a_place(0)) == "No chips lie there: take them from somewhere else (Jack of spades)."
    assert "event 4 (collect)" in refusal(NoLongerFits(4, "collect", Barred("no"))).lower()


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_event_of_the_transcripts_has_a_sentence_with_and_without_the_state_before(path: Path) -> None:
    read = night_from(path.read_text("utf-8"), built_in)
    night = Night(read.preset)
    for entry in read.entries:
        if entry.event.kind in ("undo", "amend"):
            break
        try:
            after = apply(night, entry.event)
        except TableError:  # some transcripts end with what is refused
            break
        assert sentences.plain_sentence(entry.event, night, after)
        plain = sentences.plain_sentence(entry.event, None, after)
        assert sentences.sentence(entry.event, None, after).striptags() == plain
        night = after


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_random_nights_of_every_game_are_described_without_a_gap(preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(3):
        rules = preset.with_options(random_options(preset, chance))
        night = Night(rules)
        for event in random_night(rules, chance, 60):
            after = apply(night, event)
            said = sentences.plain_sentence(event, night, after)
            assert said
            assert "%(" not in said
            assert "None" not in said
            night = after
