from __future__ import annotations

import csv
import io
import json
from random import Random

import pytest
from evenings import evening, played, record, words_of
from phones import House, Phone
from playing import random_night
from playing_stages import every_preset
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.core.events import Name, SeatId
from tracker.sealing import new_id
from tracker.web.files import LARGEST_FILE, file_name
from tracker.web.report import csv_text, safe


def upload(phone: Phone, content: bytes | str, name: str = "friday-at-ruths.json") -> TestResponse:
    """Send a file as the import page's form would."""
    raw = content.encode() if isinstance(content, str) else content
    head = f'--x\r\nContent-Disposition: form-data; name="night"; filename="{name}"\r\n\r\n'.encode()
    headers = {"Host": phone.host, "Origin": f"http://{phone.host}", "Content-Type": "multipart/form-data; boundary=x"}
    return phone.client.post("/import", data=head + raw + b"\r\n--x--\r\n", headers=headers)


def rows(answer: TestResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_any_phone_at_the_table_can_keep_the_night_at_any_time(house: House) -> None:
    here = played(house)
    for phone in (here.host, here.ben, here.watcher):
        answer = phone.get(f"{here.base}/night.json")
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="')
        assert len(json.loads(answer.text)["events"]) == here.table.head
    assert house.phone().get(f"{here.base}/night.json").status_code == 403


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_a_night_that_is_brought_in_goes_on_where_it_was(house: House, preset: object) -> None:
    table = house.tables.open(preset, {}, "Somewhere")  # type: ignore[arg-type]
    for event in random_night(table.preset, Random(str(table.preset.id)), 40):
        table.record(event, id=new_id(), by="host")
    host = house.host()
    answer = upload(host, table.export())
    assert answer.status_code == 303
    code = answer.location.split("/")[2]
    brought = house.tables.get(code)
    assert code != table.code
    assert brought.night == table.night
    assert host.get(f"/n/{code}/log").status_code == 200


def test_whoever_brings_a_night_in_hosts_it_and_phones_can_join(house: House) -> None:
    here = played(house)
    host = house.host()
    code = upload(host, here.table.export()).location.split("/")[2]
    assert host.get(f"/n/{code}/settle").status_code == 200
    assert house.door.invites.shown(code)
    assert house.tables.get(code).name == "Friday at ruths"


def test_only_a_host_brings_nights_in(house: House) -> None:
    here = played(house)
    for phone in (here.ben, here.watcher, house.phone()):
        assert phone.get("/import").status_code == 403
        assert upload(phone, here.table.export()).status_code == 403


def test_a_refused_file_changes_nothing_and_every_fault_is_named(house: House) -> None:
    host = house.host()
    wrong = {
        "format": "board-tracker-night",
        "version": 1,
        "preset": "michigan-rummy",
        "events": [
            {"kind": "sit", "seat": "ann", "name": "Ann"},
            {"kind": "sit", "seat": "UP", "name": "Up"},
            {"kind": "dance"},
            {"kind": "buy", "seat": "ann", "chips": -2},
        ],
    }
    answer = upload(host, json.dumps(wrong))
    assert answer.status_code == 422
    said = words_of(answer)
    assert "This file was not taken. Nothing was changed." in said
    assert all(f"vent {number} (" in said for number in (2, 3, 4))
    assert house.tables.nights() == []


def test_an_event_that_breaks_a_rule_is_named_by_its_number(house: House) -> None:
    host = house.host()
    wrong = {
        "format": "board-tracker-night",
        "version": 1,
        "preset": "michigan-rummy",
        "events": [{"kind": "sit", "seat": "ann", "name": "Ann"}, {"kind": "hand", "dealer": "ann"}],
    }
    assert "Event 2 (hand): a hand needs at least two people." in words_of(upload(host, json.dumps(wrong)))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"format": "x"}', b"<html>", b"[" * 5000])
def test_what_is_no_night_is_refused_with_a_sentence(house: House, content: bytes) -> None:
    answer = upload(house.host(), content)
    assert answer.status_code == 422
    assert "Nothing was changed." in answer.text


def test_a_file_of_four_megabytes_is_read_and_a_larger_one_refused(house: House) -> None:
    host = house.host()
    assert "not JSON" in upload(host, b" " * (LARGEST_FILE - 1)).text
    assert upload(host, b" " * (LARGEST_FILE + 1)).status_code == 422
    assert upload(host, b" " * (LARGEST_FILE + 100_000)).status_code == 413


def test_no_cell_of_a_table_can_be_run_by_a_spreadsheet(house: House) -> None:
    here = evening(house)
    evil = '=HYPERLINK("http://x","Jo")'
    record(here.table, events.Sit(SeatId("jo"), Name(evil)))
    record(here.table, events.Move("jo", "tom", 3, "@SUM(A1)"))  # type: ignore[arg-type]
    found = rows(here.host.get(f"{here.base}/hands.csv")) + rows(here.host.get(f"{here.base}/log.csv"))
    cells = [cell for row in found for cell in row]
    assert f"'{evil}" in cells
    assert not any(cell.startswith(("=", "@", "\t", "\r")) for cell in cells)
    assert [safe(cell) for cell in ("+1", "-1", "\tx", -1, 5)] == ["'+1", "'-1", "'\tx", -1, 5]
    assert csv_text([['a "b"', "c,d"]]) == '"a ""b""","c,d"\r\n'


def test_the_table_of_hands_has_a_row_for_each_and_its_sums_agree_with_the_night(house: House) -> None:
    here = played(house)
    found = rows(here.watcher.get(f"{here.base}/hands.csv"))
    assert [row[0] for row in found] == ["hand", "1", "2", "3"]
    assert found[1][1:3] == ["Ruth", "Mia"]
    assert [int(cell) for cell in found[-1][-4:]] == [here.table.night.net(seat) for seat in here.table.night.ring]


def test_the_table_of_entries_has_what_was_taken_back_too(house: House) -> None:
    here = played(house)
    record(here.table, events.Undo(here.number("collect", 3)))
    found = rows(here.host.get(f"{here.base}/log.csv"))
    assert len(found) == here.table.head + 1
    assert found[here.number("collect", 3)][-2:] == ["Ben takes 15: Queen of hearts", "yes"]


def test_a_file_s_name_is_plain_whatever_the_night_is_called() -> None:
    assert file_name("Großmamas Abend / 20. Nov") == "grossmamas-abend-20-nov"
    assert file_name("\u661f\u671f\u4e94") == "night"
    assert file_name("x" * 300) == "x" * 80
