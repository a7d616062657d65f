"""One night erased for good: asked twice, gone from the data file with all that names its people; nothing else goes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.of_extras import needs, of_extras
from support.sample_nights import play_hand, record, visible_text

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import Admission
from tracker.core import events
from tracker.core.events import Name, SeatId
from tracker.extras._backups import backups_of
from tracker.extras._night_summaries.stored import SummaryTable
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras._night_summaries.summarize import VERSION
from tracker.extras._removal import erase_nights, remove_nights
from tracker.storage import StoreError
from tracker.storage.files import log_of

NAME = "Xaver’s birthday"
WORDS = ("xaver", "quirina", "yggdrasil")
"""What only the night has that is erased: in its name, of somebody who sat there, in its note."""


def night(tables: Nights, name: str, guest: str) -> OpenNight:
    """Play a night for money, of two and a guest; what it is called is typed twice."""
    table = tables.open("michigan-rummy", {"money.cents": 5}, name)
    for one in ("Ruth", "Ben", guest):
        record(table, events.Sit(SeatId(one.lower()), Name(one)))
    for _ in range(3):
        play_hand(table, "ruth", "ben", guest.lower())
        Summaries(tables).refresh(table)  # a longer text each time, of which the former may stay in free pages
    record(table, events.End())
    return table


class FailsAtLast(dict[str, int]):
    """Heads of nights that can't be gone through to the end."""

    def items(self) -> Iterator[tuple[str, int]]:  # type: ignore[override]
        yield from super().items()
        raise RuntimeError


@pytest.mark.every_place
def test_a_removed_night_takes_all_that_belongs_to_it_along_and_nothing_else_can_be_deleted(tables: Nights) -> None:
    gone, stays = night(tables, NAME, "Quirina"), night(tables, "Later", "Mia")
    settings = tables.settings
    store, devices = tables.store, tables.store.devices
    for table, typed in ((gone, "GONE"), (stays, "STAY")):
        settings.admissions.put(table.code, Admission("host"))
        devices.add(typed.encode().ljust(32, b"."), code=table.code, role="host", at=table.created_at)
        store.replace_invites(typed.encode().ljust(32, b","), code=table.code, at=table.created_at, typed=typed)
        table.settings.note = typed
        Summaries(tables).refresh(table)

    def all_of(code: str) -> tuple[object, ...]:
        own = (
            store.typed_code(code),
            [*SummaryTable(store.connection).read([code], VERSION)],
            store.night_of_typed_code("STAY"),
        )
        return [*store.events(code)], store.settings(code), devices.of(code), own

    tables.settings_of_nights.append(lambda codes: [settings.admissions.prefix + code for code in codes])
    assert remove_nights(tables, {gone.code: gone.head - 1}) == []
    assert {*settings.admissions.names()} == {gone.code, stays.code}
    before = all_of(stays.code)
    assert len(list(SummaryTable(store.connection).read([gone.code], VERSION))) == 1
    assert remove_nights(tables, {gone.code: gone.head, "nothing": 3}) == [gone.code]
    assert settings.admissions.names() == [stays.code]
    assert all_of(stays.code) == before
    assert (store.night(gone.code), store.settings(gone.code), devices.of(gone.code)) == (None, {}, ())
    assert devices.by_token(b"GONE".ljust(32, b".")) is None
    assert not store.typed_code(gone.code)
    assert store.night_of_typed_code("GONE") is None
    assert list(SummaryTable(store.connection).read([gone.code], VERSION)) == []
    with pytest.raises(StoreError):
        store.head(gone.code)
    assert Summaries(tables).get(stays.code).unpaid  # type: ignore[union-attr]
    assert not tables.store.faults()
    assert remove_nights(tables, {gone.code: gone.head}) == []
    with pytest.raises(RuntimeError):
        erase_nights(store, FailsAtLast({stays.code: stays.head}))
    assert all_of(stays.code) == before
    for name in ("event", "night"):
        with pytest.raises(StoreError), store.connection.write() as db:
            db.execute(f"DELETE FROM {name} WHERE code = '{stays.code}'")
    assert store.head(stays.code)[0] == stays.head


def words_in(path: Path) -> set[str]:
    """Return which of WORDS stand in the bytes of a file."""
    found = path.read_bytes().lower() if path.exists() else b""
    return {word for word in WORDS if word.encode() in found}


def test_typing_its_name_takes_it_from_data_file_log_and_every_page(
    site: Site, host: ClientPhone, tmp_path: Path
) -> None:
    with site.tables.store.connection.read() as db:
        db.execute("PRAGMA secure_delete = 0")  # as SQLite is built on other machines
    gone, _stays = night(site.tables, NAME, "Quirina"), night(site.tables, "Later", "Mia")
    gone.settings.note, address = "At Yggdrasil", f"/nights/{gone.code}/erase"

    def erase(typed: str = "XAVERS BIRTHDAY") -> int:
        return host.post(address, {"typed": typed}).status_code

    assert address in HtmlPage(host.get(f"/nights/{gone.code}").text).values("main a", "href")
    said = visible_text(host.get(address))
    for words in (f"{gone.head} entries", "Copies of all nights that were made before", "open payment"):
        assert words in said, words
    assert "This night has not ended" not in said
    for typed in ("", "Xaver", "Later"):
        assert erase(typed) == 422
    files = (tmp_path / "nights.db", log_of(tmp_path / "nights.db"))
    assert set().union(*map(words_in, files)) == {*WORDS}
    backups = backups_of(site.tables)
    assert backups
    copy = backups.make()
    backups.request(gone.code, gone.export)
    assert {form.action for form in forms_at(host, address)} == {address}
    assert [erase(), erase()] == [303, 404]
    assert "The night is erased for good." in host.get("/?erased=1").text
    for path in files:
        assert words_in(path) == set(), path.name
    assert words_in(copy.path) == {*WORDS}
    listed = [path for kind in ("lists", "lists_of_nights", "csv_of_nights") for path in of_extras(kind)]
    for listing in ("/", *listed):
        answer = host.get(listing)
        assert answer.status_code == 200
        assert not {word for word in WORDS if word in answer.text.lower()}, listing
    assert host.get(f"/n/{gone.code}/settle").status_code in (403, 404)
    backups.close()
    assert not [path.name for path in (tmp_path / "backups").glob("night-*") if gone.code in path.name]
    assert not site.tables.store.faults()


def test_a_night_that_goes_on_says_who_is_there_and_asks_for_its_pin(site: Site, host: ClientPhone, code: str) -> None:
    needs("pin")
    site.join(code, "Zoe")
    assert "This night has not ended: 2 people sit at it." in visible_text(host.get(f"/nights/{code}/erase"))
    host.post(f"/n/{code}/pin", {"pin": "4711"})
    name = site.tables.get(code).name
    assert host.post(f"/nights/{code}/erase", {"typed": name}).location == f"/n/{code}/pin"
    assert site.tables.store.night(code)
    host.post(f"/n/{code}/pin", {"pin": "4711"})
    assert host.post(f"/nights/{code}/erase", {"typed": name}).location.endswith("?erased=1")
    assert site.tables.store.night(code) is None
