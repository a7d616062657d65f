"""What is removed for good leaves the list of people, and the bytes of the data file, at once."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.known_people import known_people
from support.sample_nights import seat_everybody

from tracker.app.known_people import LinkedSeat
from tracker.app.nights import Nights
from tracker.archive.summaries import remove_nights
from tracker.extras.people.people import People
from tracker.extras.people.stored_changes import PeopleTable
from tracker.formats.text import name_order
from tracker.storage import Store
from tracker.storage.files import log_of
from tracker.streaming.hub import StreamHub


def stored(path: Path) -> bytes:
    """Return the bytes of a data file and of its log, in small letters."""
    return b"".join(one.read_bytes() for one in (path, log_of(path)) if one.exists()).lower()


@pytest.mark.every_place
def test_a_removed_night_takes_its_seats_along_and_leaves_the_others(tables: Nights) -> None:
    gone, stays = tables.open("michigan-rummy"), tables.open("michigan-rummy")
    people: People = known_people(tables)
    for table in (gone, stays):
        seat_everybody(table)
    mia = people.add("Mia", [LinkedSeat(table.code, "mia") for table in (gone, stays)])
    tom = people.add("Tom", [LinkedSeat(gone.code, "tom")])
    people.rename(tom.id, "Nobody in particular")
    assert remove_nights(tables, {gone.code: gone.head}) == [gone.code]
    assert people.seats() == {LinkedSeat(stays.code, "mia"): mia.id}
    assert {one.name for one in people.all()} == {"Mia", "Nobody in particular"}
    rows = [row.body or "" for row in PeopleTable(tables.store.connection).rows()]
    assert gone.code not in "".join(rows)
    assert remove_nights(tables, {gone.code: gone.head}) == []
    assert [row.body for row in PeopleTable(tables.store.connection).rows()] == rows


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "nights.db")) as store:
        yield store


def test_a_former_name_of_a_removed_seat_leaves_the_file_at_once(store: Store, tmp_path: Path) -> None:
    tables = Nights(store, StreamHub())
    people: People = known_people(tables)
    gone = tables.open("michigan-rummy")
    person = people.add("Xaver", [LinkedSeat(gone.code, "quirina")])
    people.rename(person.id, "Nobody in particular")
    assert b"quirina" in stored(tmp_path / "nights.db")
    remove_nights(tables, {gone.code: gone.head})
    assert b"quirina" not in stored(tmp_path / "nights.db")


def test_somebody_forgotten_leaves_the_file_at_once(store: Store, tmp_path: Path) -> None:
    people = People(store)
    person = people.add("Quirina", [LinkedSeat("abc234", "quirina")])
    people.rename(person.id, "Quirina the second")
    people.forget(person.id)
    assert b"quirina" not in stored(tmp_path / "nights.db")


def test_people_stand_in_the_order_of_an_alphabet(store: Store) -> None:
    people, names = People(store), ("Zoë", "Ägidius", "adam", "Łukasz", "Anton", "Luzia")
    for name in names:
        people.add(name)
    assert [one.name for one in people.all()] == sorted(names, key=name_order)
