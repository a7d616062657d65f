"""Every event in a sentence, in the log and under the table; every kind has a record."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from support.client_phones import Site
from support.core_nights import CoreNight
from support.entry_log import EntryLog
from support.paths import night_files
from support.random_nights import every_preset, random_night, random_options
from support.transcripts import recorded

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import Barred, NoLongerFits, NotEnoughChips, TableError
from tracker.core.events import KINDS, Amount, Event, Name, SeatId
from tracker.core.game import GAMES
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.built_in import built_in
from tracker.web.events import sentences
from tracker.web.events.registry import EVENT_KINDS, by_word
from tracker.web.events.sentences import LastEvent, last_event
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
    preset, entries = recorded(path)
    night = Night(preset)
    for entry in entries:
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
def test_random_nights_of_every_game_are_described_in_the_log_and_under_the_table_without_a_gap(preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(3):
        rules = preset.with_options(random_options(preset, chance))
        night = Night(rules)
        for number, event in enumerate(random_night(rules, chance, 60), start=1):
            before, night = night, apply(night, event)
            line = last_event(EntryLog([Entry(number, event)]), night).text.striptags()
            for said in (sentences.plain_sentence(event, before, night), line):
                assert said
                assert "%(" not in said
                assert "None" not in said


ANN, BEN = SeatId("ann"), SeatId("ben")
SEATED: tuple[Event, ...] = (events.Sit(ANN, Name("Ann")), events.Sit(BEN, Name("Ben")))


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


BOARD = EVENT_KINDS["pots"]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_event_of_a_game_has_a_record_of_its_own_class(game: str) -> None:
    assert EVENT_KINDS[game].keys() == {*GAMES[game].handlers, "undo", "amend"}
    assert all(kind.event is KINDS[word] for word, kind in EVENT_KINDS[game].items())


def test_a_kind_without_a_record_and_a_record_of_no_kind_are_refused_by_name() -> None:
    fewer = BOARD.keys() - {"collect"}
    for kinds, words in (([BOARD[word] for word in fewer], BOARD.keys()), (BOARD.values(), fewer)):
        with pytest.raises(TypeError, match="in web/events alone: collect"):
            by_word(kinds, words)
