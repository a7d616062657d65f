"""Tables for spreadsheets: of a night its hands and its log, and over all nights."""

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import pytest
from extras._shared.night_folder import filled_folder, listed
from extras._shared.score_nights import event, round_won, scores
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, play_hand, record, sample_night, visible_text
from support.served_app import Screens
from support.server_process import run
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core import events
from tracker.core.events import Amount, Name, Score, SeatId, Text, Undo
from tracker.extras._night_files.importing import import_night
from tracker.extras._spreadsheets import BOM, safe
from tracker.extras.exports.all_nights import SEPARATORS, TABLES, csv_text
from tracker.extras.exports.one_night import ADDRESS, LONGEST_LINK
from tracker.formats.built_in import built_in
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

OVER_ALL = [f"/tables/{name}.csv" for name in ("nights", "hands", "pots")]


def rows(answer: TestResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_no_table_or_text_becomes_a_formula_whatever_a_spreadsheet_splits_by(here: SampleNight) -> None:
    for number, evil in enumerate(("=1+1", "x;=1+1", "\uff1d1+1", "1-2;=1", "x,@SUM(A1)")):
        record(here.table, events.Sit(SeatId(f"jo-{number}"), Name(evil)))
        record(here.table, events.Move(f"jo-{number}", "tom", Amount(3), Text(evil)))
    own = (f"{here.base}/{name}" for name in ("log.csv", "hands.csv", "result.txt"))
    for address in (*OVER_ALL, *own):
        text = here.host.get(address).text.removeprefix(BOM)
        for separator in ",;\t":
            cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
            assert not [cell for cell in cells if cell.lstrip(' "').startswith(("=", "@", "\uff1d"))], address


def test_the_table_of_hands_says_who_won_each_and_its_sums_agree_with_the_night(site: Site, third: SampleNight) -> None:
    found = rows(third.watcher.get(f"{third.base}/hands.csv"))
    assert [row[0] for row in found] == ["hand", "1", "2", "3"]
    assert found[1][1:3] == ["Ruth", "Mia"]
    night = third.table.night
    assert [int(cell) for cell in found[-1][-4:]] == [night.net(seat) for seat in night.all_seats]
    snake = sample_night(site, "michigan-rummy-snake")
    record(snake.table, event("stock-out", hands={"ruth": 3, "ben": 9, "mia": 3, "tom": 4}))
    rounds = sample_night(site, "eight-round-rummy")
    record(rounds.table, round_won("ben"), round_won("mia"))
    for here, winners in ((snake, ["Ruth and Mia"]), (rounds, ["Ben", "Mia"])):
        assert [row[2] for row in rows(here.host.get(f"{here.base}/hands.csv"))] == ["winner", *winners]


def test_the_table_of_entries_includes_undone_ones(third: SampleNight) -> None:
    record(third.table, events.Undo(third.number("collect", 3)))
    found = rows(third.host.get(f"{third.base}/log.csv"))
    assert len(found) == third.table.head + 1
    assert found[third.number("collect", 3)][-2:] == ["Ben takes 15: Queen of hearts", "yes"]


def test_tables_open_in_the_spreadsheets_of_the_readers_language(here: SampleNight) -> None:
    addresses = [*OVER_ALL, f"{here.base}/log.csv", f"{here.base}/hands.csv"]
    for lang, separator in {"en": ",", "en-US": ",", "de": ";", "fr": ";", "es": ";"}.items():
        here.host.client.set_cookie("lang", lang, domain=here.host.host)
        for address in addresses:
            head = here.host.get(address).text.splitlines()[0]
            assert head.startswith("\ufeff")
            assert f'"{separator}"' in head, (lang, address)
            assert '"\t"' in here.host.get(f"{address}?separator=tab").text


def test_a_night_has_its_rows_in_every_table_over_all_nights(ended: SampleNight) -> None:
    host, code = ended.site.host(), ended.table.code
    for table in TABLES:
        found = rows(host.get(f"/tables/{table}.csv"))
        assert {row[0] for row in found[1:]} == {code}
    assert host.get("/tables/no-such-one.csv").status_code == 404


def test_cells_are_empty_before_a_persons_first_hand_in_the_table_and_on_paper(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "tom")
    record(here.table, events.Sit(SeatId("zoe"), Name("Zoe")))
    play_hand(here.table, "ben", "mia", "tom")
    record(here.table, events.Sit(SeatId("pia"), Name("Pia")), events.Leave(SeatId("pia")), events.End())
    sheet = rows(here.host.get(f"{here.base}/hands.csv"))
    zoe, pia, ruth = (sheet[0].index(name) for name in ("Zoe", "Pia", "Ruth"))
    empty = [(row[zoe] == "", row[pia] == "", row[ruth] == "") for row in sheet[1:3]]
    assert empty == [(True, True, False), (False, True, False)]
    page = HtmlPage(here.host.get(f"{here.base}/print").text)
    cells = [[cell.get_text().strip() for cell in row.select("td, th")] for row in page.select(".p-hands tbody tr")]
    assert [(row[-2] == "", row[-1] == "", row[1] == "") for row in cells if row[0].isdigit()] == empty
    assert "Nothing missing." in page.text("main")
    assert "chart/chart.css" in page.html


# Tables as CSV: what we write opens in spreadsheets of all our languages as what it is.


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
FORMULAS = [
    f"{begin}{sign}1+1" for begin in ("", " ", "x;", "x,", "x\t", "x\n", "x\r\n", 'x;"', "x; ") for sign in SIGNS
]
NOT_TEXT = (
    "Mar 3|3 Mar|1-2|007|12e5|5e3|1/2|10:30|1.5|1,5|1 234|50%|5 €|+49|true|3. Mai|März 3|1. März 2026|Okt 3|WAHR|mars 3"
    "|12 déc|sept 3|vrai|3 de mayo|dic 24|ago 3|verdadero|2026-01-05|May 2026"
)
TEXT = ("Ann", "Mai", "Marc", "R2D2", "12 Angry", "ok; fine", "a - b")


def cells_in(text: str, delimiter: str) -> Iterator[str]:
    """Every cell that a program sees for which this stands between the cells."""
    for row in csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=delimiter):
        for cell in row:
            yield from cell.splitlines() or [""]


def test_no_cell_and_no_pasted_line_begins_with_a_formula_whatever_stands_between_the_cells() -> None:
    assert [safe(cell) for cell in ("+1", "-1", "\tx", "x;=1", -1, 5)] == ["'+1", "'-1", "'\tx", "x;'=1", -1, 5]
    for cell, written in product(FORMULAS, SEPARATORS.values()):
        text = csv_text([[cell, "b"], ["c", cell]], written)
        for seen in (*SEPARATORS.values(), "|"):
            begun = [one.lstrip(' "\t') for one in cells_in(text, seen)]
            assert not [one for one in begun if one.startswith(tuple(SIGNS))], (cell, written, seen)


def test_what_only_looks_like_a_number_or_a_day_stays_text_and_numbers_and_days_stay_these() -> None:
    for text in NOT_TEXT.split("|"):
        assert csv_text([[text]]) == f'{BOM}"\'{text}"\r\n', text
    for text in TEXT:
        assert csv_text([[text]]) == f'{BOM}"{text}"\r\n', text
    cells = ['a "b"', "c,d", -5, date(2026, 1, 5), 0.5]
    assert csv_text([cells]) == f'{BOM}"a ""b""","c,d","-5","2026-01-05","0.5"\r\n'


# One page to print: the result, or a score sheet to play on with a pen.


def test_every_page_that_keeps_a_night_leads_to_paper_with_board_stacks_and_empty_hands_to_play_on(
    third: SampleNight, ended: SampleNight
) -> None:
    page = third.ben.get(f"{third.base}/print")
    said = visible_text(page)
    assert "Ten of hearts5" in said
    assert f"chips now {third.table.night.stack('ruth')}" in said
    assert page.text.count('<tr class="p-empty">') >= 6
    for here, pages in ((third, ("log", "settle", "files", "sheet")), (ended, ("log", "settle", "files"))):
        for one in pages:
            assert HtmlPage(here.host.get(f"{here.base}/{one}").text).has(f'a[href="{here.base}/print"]'), one


def test_the_result_prints_on_one_page_and_copying_selects_it_for_phones_without_a_clipboard(
    screens: Screens, site: Site
) -> None:
    here = sample_night(site)
    record(here.table, *(events.Buy(seat, Amount(200)) for seat in here.table.night.seats))
    for hand in range(12):
        play_hand(here.table, "ruth", "ben", "mia" if hand % 2 else "tom", left=1)
    page = screens.open(here.host, f"{here.base}/print")
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1
    record(here.table, events.End())
    page.reload()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.goto(f"{screens.url}{here.base}/settle")
    page.click("summary:has-text('Keep it, send it')")
    page.click("button[data-copy='#result']")
    assert page.evaluate("getSelection().toString()").startswith(here.table.name)
    page.wait_for_selector("button:has-text('Copied')")


# The link of a night that is over to BG Stats.


def test_a_night_that_is_over_has_a_result_to_send_and_a_link_to_bg_stats_with_all_it_needs(ended: SampleNight) -> None:
    page = ended.ben.get(f"{ended.base}/settle").text
    assert 'data-copy="#result"' in page
    assert "1. Mia: " in page
    assert all(f'href="{scheme}' in page for scheme in ("sms:?&amp;body=", "mailto:?subject=", "whatsapp://send?text="))
    (link,) = HtmlPage(page).values(f'a[href^="{ADDRESS}"]', "href")
    play = json.loads(unquote(link.removeprefix(ADDRESS)))
    assert play["game"] == {"name": "Michigan Rummy", "sourceGameId": "michigan-rummy", "highestWins": True}
    scores = {one["name"]: (int(one["score"]), one["winner"], one["startPlayer"]) for one in play["players"]}
    night = ended.table.night
    best = max(map(night.net, night.all_seats))
    assert scores == {night.name(s): (night.net(s), night.net(s) == best, False) for s in night.all_seats}
    assert ended.table.began_at.replace("T", " ").removesuffix("Z") == play["playDate"]
    assert len(link) < LONGEST_LINK


def test_a_night_of_many_long_names_has_no_link_that_would_not_arrive(site: Site) -> None:
    table = site.tables.open("score-sheet", name="x")
    for number in range(16):
        table.record(events.Sit(SeatId(f"s{number}"), Name("🂡" * 38 + str(number))), id=f"{number}", by="host")
    table.record(scores({f"s{number}": Score(number) for number in range(16)}), id="a", by="host")
    table.record(events.End(), id="b", by="host")
    host = site.host()
    host.post("/take-over", {"night": table.code})
    assert ADDRESS not in host.get(f"/n/{table.code}/settle").text


# `board-tracker export --tables`: the tables over all nights as files.


@pytest.fixture(name="filled", scope="module")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled_folder(tmp_path_factory.mktemp("filled"))


def test_tables_of_every_person_hand_and_pot_are_written_beside_all_nights(tmp_path: Path, filled: Path) -> None:
    to = ("--all", tmp_path / "all", "--tables", tmp_path / "out", "--separator", "tab")
    written = run("export", *to, "--data", filled)
    assert written.exit_code == 0, written.output
    texts = {name: (tmp_path / "out" / f"{name}.csv").read_text("utf-8-sig") for name in TABLES}
    tables = {name: list(csv.DictReader(text.splitlines(), delimiter="\t")) for name, text in texts.items()}
    codes = listed(filled)
    assert len([*(tmp_path / "all").iterdir()]) == len(codes)
    # a code that a spreadsheet would take for a number or a time has an apostrophe in front
    assert {row["code"].removeprefix("'") for row in tables["nights"]} == {*codes}
    assert [name for name, rows in tables.items() if not rows] == []
    assert all(int(row["chips"]) > 0 and row["person"] for row in tables.get("pots", ()))
    by_night: dict[str, int] = {}
    for row in tables["nights"]:
        if row["game"] in ("Michigan Rummy", "Michigan Kitty") and row["ended"] == "1":
            by_night[row["code"]] = by_night.get(row["code"], 0) + int(row["net"])
    assert by_night
    assert set(by_night.values()) == {0}
    assert run("export", codes[0], "--tables", tmp_path / "x", "--data", filled).exit_code == 2
    assert "--tables" in run("export", "--help").stdout


# Nights move between machines as files: out of one data folder, into another, and on they go.


def test_a_night_is_exported_whole_while_a_server_has_the_folder_open_and_comes_in_elsewhere(tmp_path: Path) -> None:
    own, file = replace(built_in("michigan-kitty"), id="ours", name="Ours"), tmp_path / "night.json"
    with closing(Store(tmp_path / DATA_FILE)) as store, closing(Store(None)) as there:
        table = Nights(store, StreamHub()).open(own, {"ante.each": 2, "ante.dealer": 2}, "Sylvester 2026 – bei Oma")
        record(table, events.Sit(SeatId("ann"), Name("Ann")), Undo(1))
        assert run("export", table.code.upper(), "--data", tmp_path, "-o", file).exit_code == 0
        assert run("export", table.code, "--data", tmp_path).stdout == table.export() == file.read_text("utf-8")
        assert run("nights", "--data", tmp_path).stdout.split()[3] == "2"
        moved = import_night(Nights(there, StreamHub()), file.read_text("utf-8"))
        assert (moved.name, moved.preset, moved.entries) == (table.name, table.preset, table.entries)


def test_what_cannot_be_exported_is_said_in_one_line(tmp_path: Path, filled: Path) -> None:
    (tmp_path / DATA_FILE).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    nowhere = (listed(filled)[0], "-o", tmp_path / "no" / "such" / "folder.json")
    missing = (("nope",), ("",), ("../x",), ("a" * 5000,), ("\n",), nowhere)
    refused = [
        *(("export", *words, "--data", filled) for words in missing),
        *((*words, "--data", tmp_path) for words in (("export", "abc"), ("nights",))),
        *((*words, "--data", tmp_path / "new") for words in (("export", "abc"), ("nights",))),
    ]
    for words in refused:
        answer = run(*words)
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1), words
    assert "there are no nights in" in answer.stderr
    assert not (tmp_path / "new").exists()
    for words in ((), ("abc", "--all", "x")):
        assert run("export", *words, "--data", filled).exit_code == 2, "nothing, or two things"
