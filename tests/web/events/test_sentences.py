"""Every event in a sentence, in the log and under the table; every kind has a record."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from markupsafe import Markup
from support.client_phones import Site
from support.core_nights import CoreNight, EntryLog
from support.paths import night_files
from support.transcripts import recorded

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import Barred, NoLongerFits, NotEnoughChips, TableError
from tracker.core.events import KINDS, Amount, Event, Name, SeatId
from tracker.core.game import GAMES
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.formats.built_in import built_in
from tracker.web.events import sentences
from tracker.web.events.registry import EVENT_KINDS, by_word
from tracker.web.events.sentences import last_event
from tracker.web.wording.texts import refusal

TRANSCRIPTS = night_files()


@pytest.fixture(name="app", autouse=True)
def _app(site: Site) -> Iterator[Flask]:
    with site.app.test_request_context("/"):
        yield site.app


ANN, BEN = SeatId("ann"), SeatId("ben")


def night_after(*made: Event) -> Night:
    """Return a night of Michigan Rummy in which Ann and Ben have sat down and this has happened."""
    night = Night(built_in("michigan-rummy"))
    for event in (events.Sit(ANN, Name("Ann")), events.Sit(BEN, Name("Ben")), *made):
        night = apply(night, event)
    return night


def line_after(*made: Event) -> str:
    """Return the line under the table after these events."""
    return last_event(EntryLog([Entry(1, made[-1])]), night_after(*made)).text


def test_neither_a_name_nor_a_reason_can_become_markup() -> None:
    sits = events.Sit(SeatId("x"), Name("<b>&%(n)s"))
    pays = events.Move(SeatId("x"), BEN, Amount(2), events.Text("<script>"))
    after, marked = night_after(sits, pays), "<bdi>&lt;b&gt;&amp;%(n)s</bdi>"
    assert marked in sentences.sentence(sits, None, after)
    assert marked in line_after(sits, pays)
    assert "&lt;script&gt;" in sentences.sentence(pays, None, after)
    assert sentences.plain_sentence(sits, None, after).startswith("<b>&%(n)s sits down")


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


def test_undone_antes_are_said_to_be_taken_back() -> None:
    log = EntryLog([Entry(1, events.Hand(ANN)), Entry(2, events.Undo(1))])
    assert last_event(log, night_after()).text == "Undone: everybody takes the antes back"


def test_chips_bought_for_a_penalty_are_not_said_to_be_paid_twice() -> None:
    poor = events.Move(BEN, "king-clubs", Amount(91))
    wrong = events.Penalty(BEN, "wrong-lead", cover={BEN: BANK})
    said = Markup(line_after(events.Hand(ANN), events.NoSale(), poor, wrong)).striptags()
    assert said == "Ben led too high: paid 1, barred. Ben buys 1 for it"


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
