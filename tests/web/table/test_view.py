"""What the table's page shows: the question of the moment, who may answer it, and what a tap takes back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from support.core_nights import CoreNight
from support.random_nights import every_preset, random_night, random_options

from tracker.app.event_rows import replay_log
from tracker.core import log
from tracker.core.log import Entry
from tracker.core.night import ENDED, LOBBY
from tracker.core.preset import Preset
from tracker.core.queries.prompts import most_cards, prompt_of
from tracker.web.base.snapshot import NightSnapshot, Viewer
from tracker.web.drawing.player_token import initials, label_of, tokens_of
from tracker.web.table.pot_page import sheet_view
from tracker.web.table.view import HandSums, TableView, last_seconds

FOUR: Mapping[str, int] = {"b": 1, "c": 2, "d": 3}


def snapshot(played: CoreNight, **more: Any) -> NightSnapshot:
    undone = log.find_undone(played.entries)
    return NightSnapshot(played.night, played.entries, undone, played.steps.of_last_hand(), **more)


def seen(played: CoreNight, role: str = "host", seat: str | None = None, **more: Any) -> TableView:
    return TableView(snapshot(played, **more), Viewer(role, seat))


@pytest.fixture(name="rummy")
def _rummy() -> CoreNight:
    return CoreNight("michigan-rummy").hand()


def test_somebody_who_has_left_deals_no_hand_that_was_planned() -> None:
    played = CoreNight("michigan-rummy").hand().record("out", seat="a", cards=FOUR).record("leave", seat="c")
    assert prompt_of(played.night, plan={"dealer": "c"}, waived=frozenset({"poker"})).dealer == "b"


def test_one_rich_place_is_marked_and_equal_ones_are_not(rummy: CoreNight) -> None:
    assert {place.size for place in seen(rummy).board.places} == {"v2"}
    rummy.record("move", source="a", target="poker", chips=40)
    sizes = {place.id: place.size for place in seen(rummy).board.places}
    assert sizes["poker"] == "v3"
    assert set(sizes.values()) == {"v1", "v3"}


def test_seats_keep_their_order_whoever_deals() -> None:
    assert [seat.face.seat for seat in seen(CoreNight("michigan-rummy").hand("c")).board.seats] == [*"abcd"]


def test_the_pad_shows_only_numbers_that_can_be_held(rummy: CoreNight) -> None:
    assert most_cards(rummy.night) == 11
    assert most_cards(CoreNight("michigan-rummy", seats="abcdefgh").hand().night) == 6
    assert most_cards(CoreNight("michigan-rummy", options={"dummy": "unused"}).hand().night) == 13


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_the_strip_of_a_random_hand_adds_up_and_has_a_name_for_everything(preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(2 if preset.is_pot_game else 0):
        rules = preset.with_options(random_options(preset, chance))
        entries = [Entry(at, event) for at, event in enumerate(random_night(rules, chance, 60), start=1)]
        steps, sums = log.Steps(rules), HandSums()
        for step in replay_log("", rules, entries):
            steps.append(step)
            night, hand = steps.night, steps.of_last_hand()
            before = hand[0][2] if hand else night
            sums = sums.after(night, hand)
            assert sums == HandSums().after(night, hand)
            for seat in night.deal.seats if night.deal and night.phase not in (LOBBY, ENDED) else ():
                found = sums.items(night, seat)
                assert sum(item.chips for item in found) == night.stack(seat) - before.stack(seat)
                assert sum(item.chips for item in found if item.is_won) == night.current_deal().won[seat]
                assert "other" not in {item.what for item in found}


def test_the_seat_sheet_names_the_cost_of_a_penalty_and_the_ious(rummy: CoreNight) -> None:
    rummy.record("borrow", seat="b", source="poker", chips=3).record("penalty", seat="b", offence="wrong-lead")
    sheet = sheet_view(seen(rummy), "b", rummy.preview)
    assert sheet
    assert (sheet.options.wrong_lead, sheet.lift) == (3, len(rummy.entries))
    assert [(owed.holder, owed.chips) for owed in rummy.night.ledger.notes()] == [("poker", 3)]
    assert not sheet.options.may_leave
    assert sheet.lenders[0][1] == max(chips for _, chips in sheet.lenders)
    assert sheet_view(seen(rummy), "nobody", rummy.preview) is None


def test_a_penalty_is_not_taken_back_where_somebody_was_paid_for_it_and_only_by_who_may_undo_it(
    rummy: CoreNight,
) -> None:
    rummy.withholds("b", "S")
    penalty = len(rummy.entries)
    assert (lift(rummy, Viewer("seat", "b")), lift(rummy, Viewer("host"))) == (None, penalty)
    assert lift(rummy.out("a", **FOUR), Viewer("host")) == penalty
    assert lift(rummy.record("held", pot="jack-spades", seat="c", offender="b"), Viewer("host")) is None


def lift(played: CoreNight, viewer: Viewer) -> object:
    sheet = sheet_view(TableView(snapshot(played), viewer), "b", played.preview)
    assert sheet
    return sheet.lift


def test_people_keep_their_colour_and_share_no_letters() -> None:
    people = tokens_of((("mia", "Mia", 0), ("max", "Max", 0), ("m", "Ma", 0), ("tom", "Tom", 0)))
    assert [face.initial for face in people.values()] == ["Mi", "Ma", "M3", "T"]
    assert [face.colour for face in people.values()] == [1, 2, 3, 4]
    assert initials(["Élise", "Ben"]) == ["É", "B"]


def test_a_label_draws_the_suit_its_cards_share() -> None:
    board = CoreNight("michigan-rummy").night.preset.board
    one, other = label_of(board["king-queen-hearts"]), label_of(board["seven-eight-nine"])
    assert (one.text, one.suit, other.text, other.suit) == ("KQ", "H", "7·8·9", None)
    assert label_of(board["poker"]).is_word
    assert label_of(board["ten-hearts"]).red
    assert not label_of(board["king-clubs"]).red


# What the last seconds brought


def timed(played: CoreNight, seconds: Sequence[float | None]) -> NightSnapshot:
    """Return a snapshot whose newest entries were recorded at these seconds, all others an hour before."""
    began, first = datetime(2026, 3, 7, 20, tzinfo=UTC), len(played.entries) - len(seconds)
    times = [*[-3600.0] * first, *seconds]
    entries = [
        replace(one, at=None if time is None else (began + timedelta(seconds=time)).isoformat())
        for one, time in zip(played.entries, times, strict=True)
    ]
    return replace(snapshot(played), entries=entries)


def test_several_entries_within_five_seconds_are_summed_up_for_whom_they_concern(rummy: CoreNight) -> None:
    rummy.record("collect", seat="b", pot="king-clubs").record("collect", seat="c", pot="ace-hearts")
    rummy.record("collect", seat="b", pot="ten-hearts").record("penalty", seat="b", offence="wrong-lead")
    cost = rummy.steps[-2][2].stack("b") - rummy.night.stack("b")
    assert cost > 0
    found = last_seconds(timed(rummy, [0, 1, 5, 5]), "b")
    assert found
    assert [(one.what, one.label and one.label.name, one.chips) for one in found.items] == [
        ("pot", "King of clubs", 5),
        ("pot", "Ten of hearts", 5),
        ("penalties", None, -cost),
    ]
    assert found.number == len(rummy.entries)
    assert sum(one.chips for one in found.items) == 10 - cost
    later = last_seconds(timed(rummy, [0, 1, 6, 7]), "b")
    assert later
    assert [one.chips for one in later.items] == [5, -cost], "the first was six seconds before the newest"
    others = last_seconds(timed(rummy, [0, 1, 5, 5]), "c")
    assert others is None or others.number == len(rummy.entries), "one entry needs no sum"
    for seconds in ([0, 0, 5, 11], [0, 0, 7, 6], [None, None, None, None], [0, 0, 0, None]):
        assert last_seconds(timed(rummy, seconds), "b") is None
    assert last_seconds(timed(rummy, [0, 0, 0, 0]), "a") is None
    assert last_seconds(timed(rummy, [0, 0, 0, 0]), None) is None
    undone = rummy.record("undo", event=len(rummy.entries)).record("undo", event=len(rummy.entries) - 2)
    assert last_seconds(timed(undone, [0, 0, 0, 0, 0, 0]), "b") is None, "what was taken back brought nothing"
