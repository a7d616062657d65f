"""Files of other apps, written by these apps' own rules: what fits comes in, what does not is said with its reason."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from extras.imports import program_files as apps
from extras.imports.program_files import COSTS, PEOPLE, PIZZA, REPAID, WHAT_IS_OWED, Cost, play
from hypothesis import given, strategies as st

from tracker.core.payment_list import nets_in_cents, payment_list
from tracker.core.queries.summary import leaders
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import night_from, states
from tracker.extras.imports.other_apps import nights_in
from tracker.extras.imports.other_night import OtherFile, OtherNight
from tracker.formats.built_in import built_in
from tracker.formats.evening import evening_of
from tracker.formats.records import plain


def read(file: str | bytes) -> OtherFile:
    found = nights_in(file.encode() if isinstance(file, str) else file)
    assert isinstance(found, OtherFile)
    return found


def only(file: OtherFile) -> OtherNight:
    (night,) = file.nights
    return night


def night_of(other: OtherNight) -> Any:
    *_, night = states(night_from(other.file(), built_in))
    return night


def why_not(file: str | bytes) -> str:
    with pytest.raises(UnreadableError) as refused:
        read(file)
    assert "\n" not in str(refused.value)
    return str(refused.value)


# Shared costs

WITH_REPAYMENT = (*COSTS, REPAID)
AFTER_REPAYMENT = {"Ann": 1300, "Bob": 0, "Cara": -1300}


@pytest.mark.parametrize(
    ("text", "owed"),
    [
        *((apps.splitwise(language=one), WHAT_IS_OWED) for one in apps.SPLITWISE_HEADS),
        (apps.splitwise(WITH_REPAYMENT), AFTER_REPAYMENT),
        (apps.spliit(), WHAT_IS_OWED),
        (apps.spliit(has_original=False), WHAT_IS_OWED),
        (apps.spliit_json(), WHAT_IS_OWED),
        (apps.spliit_json(WITH_REPAYMENT), AFTER_REPAYMENT),
        (apps.ihatemoney(), WHAT_IS_OWED),
        (apps.ihatemoney(WITH_REPAYMENT), AFTER_REPAYMENT),
        (apps.ihatemoney_json(WITH_REPAYMENT), AFTER_REPAYMENT),
        (apps.ihatemoney_transactions(), WHAT_IS_OWED),
        (apps.cospend(), WHAT_IS_OWED),
        (apps.cospend(WITH_REPAYMENT), AFTER_REPAYMENT),
        (apps.cospend(deleted=[REPAID]), WHAT_IS_OWED),
    ],
)
def test_shared_costs_are_open_payments_of_the_same_sums(text: str, owed: dict[str, int]) -> None:
    other = only(read(text))
    assert dict(other.points) == owed
    night = night_of(other)
    assert {night.name(seat): cents for seat, cents in nets_in_cents(night).items()} == owed
    assert sum(one.event.cents for one in payment_list(night)) == sum(cents for cents in owed.values() if cents > 0)


def as_german_spreadsheet(text: str) -> str:
    """As a spreadsheet saves it where decimals have a comma: semicolons, commas, the day as it is written there."""
    rows = text.replace(",", ";").replace(".", ",").replace('" "', " ")
    return rows.replace("2026-01-05", "05.01.2026").replace("2026-01-06", "06.01.2026").replace("\n", "\r\n")


@pytest.mark.parametrize(
    "saved",
    [
        lambda text: as_german_spreadsheet(text).encode(),
        lambda text: as_german_spreadsheet(text).encode("cp1252"),
        lambda text: ("sep=;\r\n" + as_german_spreadsheet(text)).encode("utf-8-sig"),
        lambda text: text.replace(",", "\t").encode("utf-16"),
        lambda text: text.replace(",", "\t").encode("utf-16-be"),
        lambda text: text.replace("30.00", '"€ 30.00"').replace("20.00", '"€20.00"').encode(),
        lambda text: text.replace("\n", "\r\n").replace(",Cara\r", ",Cara,,\r").encode("utf-8-sig"),
    ],
    ids=["semicolons", "windows", "sep", "unicode text", "big endian", "with currency", "empty columns"],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_table_that_a_spreadsheet_has_saved_again_is_read(saved: Callable[[str], bytes], language: str) -> None:
    assert dict(only(read(saved(apps.splitwise(language=language)))).points) == WHAT_IS_OWED


def test_an_encoding_that_has_to_be_guessed_is_said() -> None:
    text = apps.splitwise([Cost("Café", "10", "Jürgen", ("Jürgen", "Bob"))], ("Jürgen", "Bob"))
    for encoding, remarks in (("utf-8", 0), ("utf-16", 0), ("cp1252", 1)):
        found = read(text.encode(encoding))
        assert dict(only(found).points) == {"Jürgen": 500, "Bob": -500}
        assert sum("Windows-1252" in str(one) for one in found.remarks) == remarks


def test_who_has_paid_without_a_part_is_known_where_one_can_be_meant() -> None:
    alone = Cost("Ticket", "12", "Ann", ("Bob",))
    assert dict(only(read(apps.spliit([alone], ("Ann", "Bob")))).points) == {"Ann": 1200, "Bob": -1200}
    assert "row 2 does not say who has paid" in why_not(apps.spliit([alone]))
    assert dict(only(read(apps.spliit_json([alone]))).points) == {"Ann": 1200, "Bob": -1200, "Cara": 0}
    back = Cost("Deposit came back", "-9", "Ann", PEOPLE)
    for text in (apps.spliit([PIZZA, back]), apps.spliit_json([PIZZA, back]), apps.ihatemoney([PIZZA, back])):
        assert dict(only(read(text)).points) == {"Ann": 1400, "Bob": -700, "Cara": -700}


def test_columns_that_are_no_peoples_are_left_out_with_a_word_and_people_of_one_name_told_apart() -> None:
    found = read(apps.spliit().replace('"Original currency"', '"Mood"'))
    assert set(only(found).points) == set(PEOPLE)
    assert ["Mood" in str(one) for one in found.remarks] == [True]
    assert set(only(read(apps.splitwise().replace("Cara", "Bob "))).points) == {"Ann", "Bob", "Bob 2"}


def test_odd_cents_of_spliit_are_whose_they_are_there() -> None:
    thirds = [Cost("x", "10.00", "Ann", PEOPLE), Cost("y", "10.00", "Ann", PEOPLE), Cost("z", "0.01", "Bob", PEOPLE)]
    points = only(read(apps.spliit_json(thirds))).points
    assert sum(points.values()) == 0
    assert sorted(points.values()) in ([-667, -666, 1333], [-667, -665, 1332], [-668, -665, 1333], [-668, -666, 1334])


def test_weights_count_and_unknown_ones_are_said() -> None:
    file = read(apps.cospend([PIZZA], weights={"Ann": 2, "Bob": 0.5, "Cara": 0.5}))
    assert dict(only(file).points) == {"Ann": 1000, "Bob": -500, "Cara": -500}
    file = read(apps.ihatemoney([PIZZA], {"Ann": 2.0}))
    assert dict(only(file).points) == {"Ann": 1500, "Bob": -750, "Cara": -750}
    assert ["Bob, Cara" in str(one) for one in file.remarks] == [True]


def test_each_currency_is_a_night_of_its_own() -> None:
    euro, dollar = read(apps.splitwise(currency=["EUR", "USD"])).nights
    assert (euro.currency, dict(euro.points)) == ("EUR", {"Ann": 2000, "Bob": -1000, "Cara": -1000})
    assert (dollar.currency, dict(dollar.points)) == ("USD", {"Ann": -300, "Bob": 600, "Cara": -300})


DINNER = Cost("Dinner", "10001", "Ann", ("Ann", "Bob"))


@pytest.mark.parametrize(
    ("text", "decimals", "owed"),
    [
        (apps.splitwise([DINNER], currency="JPY", digits=0), 0, 5000),
        (apps.spliit([DINNER], currency="JPY", digits=0), 0, 5000),
        (apps.spliit_json([DINNER._replace(amount="10002")], currency="JPY", digits=0), 0, 5001),
        (apps.splitwise([Cost("x", "60000000", "Ann", ("Ann", "Bob"))], currency="KRW", digits=0), 0, 30_000_000),
        (apps.splitwise([Cost("x", "60000", "Ann", ("Ann", "Bob"))]), 2, 3_000_000),
        (apps.splitwise([Cost("x", "1.673", "Ann", ("Ann", "Bob"))], currency="KWD", digits=3), 3, 836),
        (apps.splitwise([Cost("x", "1600.250", "Ann", ("Ann", "Bob"))], currency="BHD", digits=3), 3, 800_125),
        (apps.splitwise([Cost("x", "3000.00", "Ann", ("Ann", "Bob"))], currency="HUF"), 0, 1500),
    ],
)
def test_sums_are_read_to_the_smallest_unit_of_a_currency_however_large(text: str, decimals: int, owed: int) -> None:
    other = only(read(text))
    assert (other.decimals, other.points["Ann"], other.points["Bob"]) == (decimals, owed, -owed)
    night = night_of(other)
    assert night.house_rules.money_decimals == decimals
    assert [one.event.cents for one in payment_list(night)] == [owed]


@pytest.mark.parametrize(
    "text",
    [
        apps.splitwise().replace("-10.00,-10.00", "-10.00"),
        apps.splitwise().replace("-10.00,-10.00", "x,-10.00"),
        apps.splitwise().replace("-10.00,-10.00", "5.00,-10.00"),
        apps.splitwise().replace("-10.00,-10.00", "1e9,-10"),
        apps.splitwise().replace("-10.00,-10.00", "-10.00,-10.00,4"),
        apps.splitwise().replace("17.00,-4.00", "18.00,-5.00"),
        apps.splitwise()[:60],
        apps.splitwise([]),
        apps.spliit().replace(",10,-10,-10", ",10,-10,-9"),
        apps.spliit().replace('"30.00"', '"x"'),
        apps.ihatemoney().replace("30.0", "x"),
        apps.ihatemoney().replace('"Ann, Bob, Cara"', ""),
        apps.spliit_json().replace('"p-Cara"', '"p-Dora"', 1),
        apps.spliit_json()[:-40],
        apps.poker_ledger().replace("1050", "1051"),
        apps.poker_ledger().replace("1050", ""),
    ],
)
def test_a_broken_table_is_refused_in_a_sentence(text: str) -> None:
    assert why_not(text)


# A poker ledger


@pytest.mark.parametrize("text", [apps.poker_ledger(), apps.poker_ledger(Decimal("0.01"), "\r\n", has_escrow=True)])
def test_a_poker_ledger_is_open_payments(text: str) -> None:
    found = read(text)
    assert dict(only(found).points) == apps.POKER_NETS
    assert found.has_unit == ("5000" in text)


# BG Stats


def test_plays_of_bg_stats_are_nights_of_a_score_sheet() -> None:
    hearts, skat = read(apps.PLAYS).nights
    assert (hearts.name, dict(hearts.points), hearts.is_low) == ("Hearts", {"Ann": 12, "Bob": 26}, True)
    assert (skat.name, dict(skat.points), skat.is_low) == ("Skat", {"Bob": -3, "Ann": 8}, False)
    for other in (hearts, skat):
        night = night_of(other)
        assert night.is_over
        assert {night.name(seat): points for seat, points in night.points.items()} == other.points


TWO = [(3, "1"), (4, "2")]
STAYS_OUT = {
    "played alone": play([(3, "5")]),
    "without people": play([]),
    "without points": play([(3, ""), (4, "")], 9),
    "played together, against the game": play(TWO, 8),
    "points that are no number": play([(3, "?"), (4, "2")]),
    "more than 1,000,000 points": play([(3, "1000001"), (4, "2")]),
    "more than 12 people": play([(100 + at, str(at)) for at in range(13)]),
    "marked as ignored there": play(TWO, ignored=True),
    "its game or its day can’t be read": play(TWO, at="2026-13-05 20:30:00"),
    "somebody in it is not in the file": play([(3, "1"), (99, "2")]),
}


def test_one_play_that_does_not_fit_keeps_no_other_out() -> None:
    found = read(apps.bg_stats(apps.HEARTS, *STAYS_OUT.values(), apps.SKAT, people=[f"p{at}" for at in range(13)]))
    assert [one.name for one in found.nights] == ["Hearts", "Skat"]
    assert [str(one.why) for one in found.left_out] == [*STAYS_OUT]
    assert {one.game for one in found.left_out} == {"Hearts", "Pandemic", "Chess"}
    assert {one.day for one in found.left_out} == {"2026-01-05", ""}
    assert sum(count for _, count in found.reasons()) == len(STAYS_OUT)


@pytest.mark.parametrize(
    ("typed", "points", "is_said"),
    [
        ("12+30+4", 46, False),
        ("30-4", 26, False),
        (" 7 ", 7, False),
        ("\N{MINUS SIGN}3", -3, False),
        (47, 47, False),
        ("47.3", 47, True),
        ("47,5", 48, True),
        (47.5, 48, True),
        ("-0.5", -1, True),
        ("0,5+0,5", 1, False),
    ],
)
def test_points_as_they_were_typed_are_computed(typed: object, points: int, *, is_said: bool) -> None:
    found = read(apps.bg_stats(play([(3, typed), (4, "-90")])))
    assert only(found).points["Ann"] == points
    assert ["decimals" in str(one) for one in found.remarks] == [True] * is_said


def test_people_of_one_name_and_names_that_are_no_good_come_in_and_players_whom_the_game_plays_are_nobody() -> None:
    odd = ["Ann", "A\tB\u202e", "x" * 60, ""]
    one = play([(5, "1"), (5, "2"), *((100 + at, "3") for at in range(4)), (3, "9")])
    one["playerScores"][-1]["metaData"] = '{"isNpc":1}'
    points = only(read(apps.bg_stats(one, people=odd))).points
    assert [*points] == ["Anonymous player", "Anonymous player 2", "Ann 2", "A B", "x" * 39 + "…", "?"]


@pytest.mark.parametrize(
    ("scores", "game", "won", "winners"),
    [
        ([(3, "26"), (4, "26")], 7, (4,), ("Bob",)),
        ([(3, "26"), (4, "26")], 7, (3, 4), ()),
        ([(3, "26"), (4, "26")], 7, None, ()),
        ([(3, "1"), (4, "26")], 7, (3,), ("Ann",)),
        ([(3, "1"), (4, "26")], 1, (3,), ()),
        ([(3, "1"), (4, "26")], 1, (4,), ("Bob",)),
        ([(3, "47.4"), (4, "47.3")], 7, None, ("Ann",)),
    ],
)
def test_who_has_won_is_who_the_table_said(
    scores: Sequence[tuple[int, object]], game: int, won: tuple[int, ...] | None, winners: tuple[str, ...]
) -> None:
    other = only(read(apps.bg_stats(play(scores, game, won=won))))
    assert other.winners == winners
    if winners:
        night = night_of(other)
        assert tuple(night.name(seat) for seat in leaders(night)) == winners


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"])
@pytest.mark.parametrize("clock", ["00:10:00", "05:59:59", "06:00:00", "12:00:00", "23:59:59"])
def test_the_day_that_a_file_names_is_the_day_of_the_night_wherever_it_is_read(
    in_zone: Callable[[str], None], clock: str, zone: str
) -> None:
    in_zone(zone)
    file = apps.bg_stats(
        play(TWO, at=f"2026-01-01 {clock}"),
        play(TWO, at=f"2026-03-29 {clock}"),
        play(TWO, at="2026-01-02 03:00:00", playDateYmd=20260101),
        play(TWO, at=f"2026-07-01 {clock}", playDateYmd=None),
    )
    days = [str(evening_of(one.at)) for one in read(file).nights]
    assert days == ["2026-01-01", "2026-03-29", "2026-01-01", "2026-07-01"]
    for text in (apps.splitwise(), apps.spliit(), apps.spliit_json(), apps.ihatemoney(), apps.cospend()):
        assert str(evening_of(only(read(text)).at)) == "2026-01-06", "that of the newest row"


def test_a_history_of_many_years_comes_in() -> None:
    many = [play(TWO, at=f"{2000 + at // 300}-{1 + at % 12:02}-{1 + at % 28:02} 20:00:00") for at in range(1500)]
    assert len(read(apps.bg_stats(*many)).nights) == 1500


@pytest.mark.parametrize("key", ["games", "plays", "players"])
@pytest.mark.parametrize("value", [None, 3, "", "x", [1], [{}], [None], {"a": 1}])
def test_a_broken_export_is_refused_or_comes_in_as_far_as_it_goes(key: str, value: object) -> None:
    with suppress(UnreadableError):
        assert read(json.dumps({**json.loads(apps.PLAYS), key: value})).nights == ()


@pytest.mark.parametrize("odd", ["\\ud800", "\\u0000", "\\u202e", "x" * 3000])
def test_text_that_no_page_can_show_is_left_away(odd: str) -> None:
    plays = apps.bg_stats(
        play(TWO, sourcePlayId="ODD", uuid="ODD"), play(TWO, at="2026-01-05 ODD", uuid=None), people=["ODD"]
    )
    costs = (apps.spliit_json(currency="").replace("\\u20ac", "ODD"), apps.spliit_json(currency="ODD"))
    for text in (plays.replace("Hearts", "Hearts ODD").replace("Ann", "Ann ODD"), *costs):
        for night in read(text.replace("ODD", odd)).nights:
            assert json.dumps(plain(night), ensure_ascii=False).isprintable()
            assert night_of(night).is_over


# What is no file of these


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"PK\x03\x04" + b"\0" * 30 + b"xl/workbook.xml", "a spreadsheet (.xlsx or .ods)"),
        (b"PK\x03\x04" + b"\0" * 30, "a packed file"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
        (b"\0\0\0 ftypheic", "a picture"),
        (b"SQLite format 3\0", "the data file of a Board Tracker"),
        (b"<!doctype html><html>", "a web page"),
        (b"code,night,day,game,ended\r\nabc,x,2026-01-01,Hearts,1\r\n", "a table that a Board Tracker has written"),
        (b"entry,at,order\nx,2026,1\n", "the log of a poker site"),
        (b"Name;Telefon\nAnn;1\n", "a table with other columns (Name, Telefon)"),
        (b'{"plays": []}', 'JSON of another kind ("plays")'),
        (b"[1, 2]", "JSON of another kind"),
        (b"Dear all,\nit was nice.\n", "a text"),
        (b"\x00\x01\x02\x03" * 40, "no text"),
        (b"", "the file is empty"),
        (b"{'format': 'x'}", "not JSON: line 1, column 2"),
    ],
)
def test_a_refusal_says_what_the_file_seems_to_be(raw: bytes, what: str) -> None:
    assert what in why_not(raw)


ROWS = st.text('Date,\n"-0.5 AnnBob;', max_size=80).map("Date,Description,Category,Cost,Currency,Ann,Bob\n".__add__)


@given(st.binary(max_size=60) | ROWS)
def test_any_bytes_and_any_table_are_read_or_refused(file: str | bytes) -> None:
    with suppress(UnreadableError):
        assert all(sum(night.points.values()) == 0 for night in read(file).nights)
