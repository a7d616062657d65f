"""Tables for spreadsheets: of a night its hands and its log, and over all nights."""

import csv
import io

import pytest
from support.client_phones import Site
from support.sample_nights import SampleNight, play_hand, record, sample_night
from support.score_events import round_won, stock_out
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.core.events import Amount, Chips, Name, SeatId, Text
from tracker.extras.exports.all_nights import TABLES


def rows(answer: TestResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_no_cell_of_a_table_can_be_run_by_a_spreadsheet(here: SampleNight) -> None:
    evil = '=HYPERLINK("http://x","Jo")'
    record(here.table, events.Sit(SeatId("jo"), Name(evil)))
    record(here.table, events.Move("jo", "tom", 3, "@SUM(A1)"))  # type: ignore[arg-type]
    found = rows(here.host.get(f"{here.base}/hands.csv")) + rows(here.host.get(f"{here.base}/log.csv"))
    cells = [cell for row in found for cell in row]
    assert f"'{evil}" in cells
    assert not any(cell.startswith(("=", "@", "\t", "\r")) for cell in cells)


@pytest.mark.parametrize("evil", ["x;=1+1", "x\t=1+1", "\uff1d1+1", "1-2;=1", "x,@SUM(A1)"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_table_or_text_becomes_a_formula_whatever_a_spreadsheet_splits_by(
    here: SampleNight, evil: str, lang: str
) -> None:
    here.host.client.set_cookie("lang", lang, domain=here.host.host)
    record(here.table, events.Sit(SeatId("jo"), Name(evil.replace("\t", ";"))))
    record(here.table, events.Move("jo", "tom", Amount(3), Text(evil.replace("\t", ";"))))
    tables = ("/tables/nights.csv", "/tables/hands.csv", "/tables/pots.csv")
    for address in (*tables, *(f"{here.base}/{name}" for name in ("log.csv", "hands.csv", "result.txt"))):
        text = here.host.get(address).text.removeprefix("\ufeff")
        for separator in ",;\t":
            cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
            assert not [cell for cell in cells if cell.lstrip(' "').startswith(("=", "@", "\uff1d"))], (
                address,
                separator,
            )


def test_the_table_of_hands_has_a_row_for_each_and_its_sums_agree_with_the_night(third: SampleNight) -> None:
    found = rows(third.watcher.get(f"{third.base}/hands.csv"))
    assert [row[0] for row in found] == ["hand", "1", "2", "3"]
    assert found[1][1:3] == ["Ruth", "Mia"]
    assert [int(cell) for cell in found[-1][-4:]] == [
        third.table.night.net(seat) for seat in third.table.night.all_seats
    ]


def test_the_table_of_hands_names_who_won_each_round_or_deal(site: Site) -> None:
    rounds = sample_night(site, "eight-round-rummy")
    record(rounds.table, round_won("ben"), round_won("mia"))
    assert [row[2] for row in rows(rounds.host.get(f"{rounds.base}/hands.csv"))] == ["winner", "Ben", "Mia"]
    snake = sample_night(site, "michigan-rummy-snake")
    record(snake.table, stock_out({"ruth": Chips(3), "ben": Chips(9), "mia": Chips(3), "tom": Chips(4)}))
    assert [row[2] for row in rows(snake.host.get(f"{snake.base}/hands.csv"))] == ["winner", "Ruth and Mia"]


def test_the_table_of_entries_includes_undone_ones(third: SampleNight) -> None:
    record(third.table, events.Undo(third.number("collect", 3)))
    found = rows(third.host.get(f"{third.base}/log.csv"))
    assert len(found) == third.table.head + 1
    assert found[third.number("collect", 3)][-2:] == ["Ben takes 15: Queen of hearts", "yes"]


@pytest.mark.parametrize(("lang", "separator"), [("en", ","), ("en-US", ","), ("de", ";"), ("fr", ";"), ("es", ";")])
def test_tables_open_in_the_spreadsheets_of_the_readers_language(here: SampleNight, lang: str, separator: str) -> None:
    here.host.client.set_cookie("lang", lang, domain=here.host.host)
    for address in ("/tables/nights.csv", "/tables/hands.csv", "/tables/pots.csv", "log.csv", "hands.csv"):
        path = address if address.startswith("/") else f"{here.base}/{address}"
        head = here.host.get(path).text.splitlines()[0]
        assert head.startswith("\ufeff")
        assert f'"{separator}"' in head, address
        assert '"\t"' in here.host.get(f"{path}?separator=tab").text


def test_a_night_has_its_rows_in_every_table_over_all_nights(ended: SampleNight) -> None:
    host, code = ended.site.host(), ended.table.code
    for table in TABLES:
        found = rows(host.get(f"/tables/{table}.csv"))
        assert {row[0] for row in found[1:]} == {code}
    assert host.get("/tables/no-such-one.csv").status_code == 404
    assert ended.ben.get("/tables/nights.csv").status_code == 403


def test_cells_are_empty_before_the_first_hand_that_somebody_has_played(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "tom")
    record(here.table, events.Sit(SeatId("zoe"), Name("Zoe")))
    play_hand(here.table, "ben", "mia", "tom")
    record(here.table, events.Sit(SeatId("pia"), Name("Pia")), events.Leave(SeatId("pia")), events.End())
    sheet = rows(here.host.get(f"{here.base}/hands.csv"))
    zoe, pia, ruth = (sheet[0].index(name) for name in ("Zoe", "Pia", "Ruth"))
    assert [(row[zoe] == "", row[pia] == "", row[ruth] == "") for row in sheet[1:3]] == [
        (True, True, False),
        (False, True, False),
    ]
