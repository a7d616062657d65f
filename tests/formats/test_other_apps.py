"""Files of other apps: what they say comes in as it is, and a broken one is refused in a sentence."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.other_apps import PLAYS, SPLIIT, SPLITWISE

from tracker.core.errors import TableError
from tracker.core.payment_list import nets_in_cents, payment_list
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, states
from tracker.formats.other_apps import OtherNight, is_other, nights_from
from tracker.formats.text import UnreadableError


def night_of(other: OtherNight) -> Any:
    *_, night = states(night_from(other.file(), built_in))
    return night


def test_plays_of_bg_stats_are_nights_of_a_score_sheet() -> None:
    text = json.dumps(PLAYS)
    assert is_other(text)
    hearts, skat = nights_from(text)
    assert hearts == OtherNight("Hearts", "2026-01-05T20:30:00Z", {"Ann": 12, "Bob": 26}, is_low=True)
    assert skat == OtherNight("Skat", "2026-01-06T20:30:00Z", {"Bob": -3, "Ann": 8})
    for other in (hearts, skat):
        night = night_of(other)
        assert night.is_over
        assert {night.name(seat): points for seat, points in night.points.items()} == other.points


@pytest.mark.parametrize("text", [SPLITWISE, SPLIIT], ids=["splitwise", "spliit"])
def test_shared_costs_are_open_payments_of_the_same_sums(text: str) -> None:
    text = text.removeprefix("\ufeff").replace('"', "")
    assert is_other(text)
    (other,) = nights_from(text)
    assert other.points == {"Ann": 1700, "Bob": -400, "Cara": -1300}
    night = night_of(other)
    assert {night.name(seat): cents for seat, cents in nets_in_cents(night).items()} == other.points
    owed = {
        (night.name(one.event.source), night.name(one.event.target)): one.event.cents for one in payment_list(night)
    }
    assert owed == {("Bob", "Ann"): 400, ("Cara", "Ann"): 1300}


def test_broken_files_are_refused_in_a_sentence() -> None:
    others: list[Any] = [None, 3, "", "x", [1], [{}], [None], {"a": 1}]
    bad = [json.dumps({**PLAYS, key: value}) for key in PLAYS for value in others]
    for key in ("playDate", "gameRefId", "playerScores"):
        bad += [json.dumps({**PLAYS, "plays": [{**PLAYS["plays"][0], key: value}]}) for value in others]
    for score in (None, True, "", "x", "1.5", "3+4", "9" * 30):
        people = [{"playerRefId": 3, "score": score}, {"playerRefId": 4, "score": 1}]
        bad.append(json.dumps({**PLAYS, "plays": [{**PLAYS["plays"][0], "playerScores": people}]}))
    bad += [SPLITWISE.replace("-10.00,-10.00", cells) for cells in ("-10.00", "x,-10.00", "5.00,-10.00", "1e9,-10")]
    bad += [SPLITWISE.replace("EUR,-3.00", "USD,-3.00"), SPLITWISE.replace("Ann,Bob", "Ann,Ann"), SPLITWISE[:37]]
    bad += [json.dumps(PLAYS)[:-30], SPLITWISE.replace("20.00", "99999999.00")]
    for text in bad:
        assert is_other(text) or not text.startswith("Date,Description,Category")
        with pytest.raises((UnreadableError, TableError)) as refused:
            [night_of(other) for other in nights_from(text)]
        assert "\n" not in str(refused.value)


def test_a_file_has_at_most_500_plays() -> None:
    plays = {**PLAYS, "plays": PLAYS["plays"][:1] * 500}
    assert len(nights_from(json.dumps(plays))) == 500
    plays["plays"] = PLAYS["plays"][:1] * 501
    with pytest.raises(UnreadableError, match="more than 500 plays"):
        nights_from(json.dumps(plays))


@given(st.text('Date,\n"-0.5 AnnBob', max_size=80))
def test_any_table_is_read_or_refused(rows: str) -> None:
    with suppress(UnreadableError):
        (other,) = nights_from("Date,Description,Category,Cost,Currency,Ann,Bob\n" + rows)
        assert set(other.points) == {"Ann", "Bob"}
