"""Tables as CSV: what we write opens in spreadsheets of all our languages as what it is."""

import csv
import io
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from tracker.extras.exports.all_nights import SEPARATORS, csv_text
from tracker.formats.text import BOM

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
FORMULAS = [
    f"{begin}{sign}1+1" for begin in ("", " ", "x;", "x,", "x\t", "x\n", "x\r\n", 'x;"', "x; ") for sign in SIGNS
]
NOT_TEXT = [
    *(
        "Mar 3",
        "3 Mar",
        "1-2",
        "007",
        "12e5",
        "5e3",
        "1/2",
        "10:30",
        "1.5",
        "1,5",
        "1 234",
        "50%",
        "5 €",
        "+49",
        "true",
    ),
    *("3. Mai", "März 3", "1. März 2026", "Okt 3", "WAHR", "mars 3", "12 déc", "sept 3", "vrai", "3 de mayo", "dic 24"),
    *("ago 3", "verdadero", "2026-01-05", "May 2026"),
]
TEXT = ["Ann", "Mai", "Marc", "R2D2", "12 Angry", "ok; fine", "a - b", "\tx", "it’s", "#N/A", "Jürgen"]


def cells_in(text: str, delimiter: str) -> Iterator[str]:
    """Every cell that a program sees for which this stands between the cells."""
    for row in csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=delimiter):
        for cell in row:
            yield from cell.splitlines() or [""]


@pytest.mark.parametrize("cell", FORMULAS)
@pytest.mark.parametrize("written", SEPARATORS.values())
@pytest.mark.parametrize("seen", [*SEPARATORS.values(), "|"])
def test_no_cell_begins_with_a_formula_whatever_stands_between_the_cells(cell: str, written: str, seen: str) -> None:
    begun = [one.lstrip(' "\t') for one in cells_in(csv_text([[cell, "b"], ["c", cell]], written), seen)]
    assert not [one for one in begun if one.startswith(tuple(SIGNS))]


def test_quotes_and_commas_stay_in_their_cell_and_numbers_are_no_text() -> None:
    assert csv_text([['a "b"', "c,d", -1]]) == '\ufeff"a ""b""","c,d","-1"\r\n'


@given(st.text(st.sampled_from(f"{SIGNS};,\t\r\n|\"' a1"), max_size=12))
def test_no_text_at_all_makes_a_formula(cell: str) -> None:
    for written in SEPARATORS.values():
        text = csv_text([[cell, cell]], written)
        for seen in (*SEPARATORS.values(), "|"):
            assert not [one for one in cells_in(text, seen) if one.lstrip(' "\t')[:1] in tuple(SIGNS)]


def test_what_only_looks_like_a_number_or_a_day_stays_text_and_numbers_and_days_stay_these() -> None:
    for text in NOT_TEXT:
        assert csv_text([[text]]) == f'{BOM}"\'{text}"\r\n', text
    for text in TEXT[:7]:
        assert csv_text([[text]]) == f'{BOM}"{text}"\r\n', text
    assert csv_text([[-5, date(2026, 1, 5), 0.5]]) == f'{BOM}"-5","2026-01-05","0.5"\r\n'


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
@pytest.mark.parametrize(
    ("separator", "language"),
    [(",", 2057), (",", 1033), (";", 1031), (";", 1036), (";", 3082)],
    ids=["en", "en_US", "de", "fr", "es"],
)
def test_a_spreadsheet_takes_every_cell_for_what_it_is(tmp_path: Path, separator: str, language: int) -> None:
    texts = [*FORMULAS, *NOT_TEXT, *TEXT]
    table = tmp_path / "table.csv"
    table.write_bytes(
        csv_text([["name", "n", "day"], *([one, -5, date(2026, 1, 5)] for one in texts)], separator).encode()
    )
    reads = f"CSV:{ord(separator)},34,76,1,,{language},false,true"
    command = ["soffice", f"-env:UserInstallation={tmp_path.as_uri()}/own", "--headless", f"--infilter={reads}"]
    subprocess.run([*command, "--convert-to", "fods", "--outdir", tmp_path, table], check=True, capture_output=True)
    rows = ET.parse(tmp_path / "table.fods").getroot().iter(f"{TABLE}table-row")
    kinds = [[cell.get(f"{OFFICE}value-type") for cell in row.iter(f"{TABLE}table-cell")][:3] for row in rows]
    assert kinds[1 : len(texts) + 1] == [["string", "float", "date"]] * len(texts)
    assert "table:formula" not in (tmp_path / "table.fods").read_text("utf-8")


NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns"
TABLE, OFFICE = f"{{{NAMESPACE}:table:1.0}}", f"{{{NAMESPACE}:office:1.0}}"
