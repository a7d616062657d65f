"""The event log: what goes in comes out, in order, once, and is never changed."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.at_once import at_once

from tracker.storage import BadRow, DataPlace, EventRow, IdExists, NewEvent, NumberTaken, Store

pytestmark = pytest.mark.every_place


def create(store: Store, code: str, created_at: str = "2026-11-20T20:00:00Z", events: Iterable[NewEvent] = ()) -> None:
    preset = '{"id": "kitty"}'
    store.create_night(code=code, name="Friday", preset=preset, options="{}", created_at=created_at, events=events)


@pytest.fixture(name="store")
def _store(place: Path | DataPlace) -> Iterator[Store]:
    store = Store(place)
    create(store, "K7Q")
    yield store
    store.close()


def event(number: int, *, key: str = "", body: str = "{}", by: str = "ann") -> NewEvent:
    return NewEvent(number, key or f"id-{number}", bytes([number % 256]) * 32, body, "2026-11-20T20:01:00Z", by)


def test_events_come_back_in_order_with_all_their_fields(store: Store) -> None:
    written = [store.append("K7Q", event(number, body=f'{{"n": {number}}}')) for number in range(1, 13)]
    assert list(store.events("K7Q")) == written
    assert store.head("K7Q") == (12, written[-1].hash)


def test_a_night_keeps_its_preset_and_counts_its_events(store: Store) -> None:
    store.append("K7Q", event(1))
    store.rename("K7Q", "Saturday")
    night = store.night("K7Q")
    assert night is not None
    assert (night.name, night.preset, night.options, night.events) == ("Saturday", '{"id": "kitty"}', "{}", 1)
    assert store.nights() == [night]
    assert store.night("none") is None


def test_the_newest_night_comes_first(store: Store) -> None:
    create(store, "OLD", created_at="2025-01-01T00:00:00Z")
    create(store, "NEW", created_at="2027-01-01T00:00:00Z")
    assert [night.code for night in store.nights()] == ["NEW", "K7Q", "OLD"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    # no zero: JSON writes it as an escape, and SQLite measures a text up to there
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50),
)
def test_any_text_survives(store: Store, body: str, by: str) -> None:
    head, _ = store.head("K7Q")
    store.append("K7Q", event(head + 1, body=f"[{body}]", by=by))
    last = list(store.events("K7Q"))[-1]
    assert (last.body, last.by) == (f"[{body}]", by)


def test_the_same_id_twice_is_one_event(store: Store) -> None:
    first = store.append("K7Q", event(1))
    for number in (1, 2, 99):
        with pytest.raises(IdExists) as refusal:
            store.append("K7Q", event(number, key="id-1", body="[1]"))
        assert refusal.value.row == first
    assert store.head("K7Q")[0] == 1


def test_the_same_id_in_another_night_is_another_event(store: Store) -> None:
    create(store, "OTHER")
    store.append("K7Q", event(1))
    assert store.append("OTHER", event(1)).hash != store.append("K7Q", event(2)).hash


def test_a_number_is_given_once_and_numbers_have_no_gap(store: Store) -> None:
    with pytest.raises(BadRow, match="no gap"):
        store.append("K7Q", event(2))
    assert store.head("K7Q")[0] == 0
    store.append("K7Q", event(1))
    with pytest.raises(NumberTaken) as refusal:
        store.append("K7Q", event(1, key="other"))
    assert (refusal.value.number, refusal.value.head) == (1, 1)
    with pytest.raises(NumberTaken):
        create(store, "K7Q")


def outcome(append: Callable[[], EventRow]) -> EventRow | str:
    """Return what was recorded by this or by another append of the same id, or that the number was taken."""
    try:
        return append()
    except IdExists as same:
        return same.row
    except NumberTaken:
        return "taken"


def test_of_threads_that_race_for_a_number_one_wins(store: Store) -> None:
    for number in range(1, 26):
        races = [partial(store.append, "K7Q", event(number, key=f"{number}-{person}")) for person in range(8)]
        heard = at_once([partial(outcome, race) for race in races])
        assert heard.count("taken") == 7
    assert [row.number for row in store.events("K7Q")] == list(range(1, 26))


def test_fifty_threads_with_one_form_record_it_once(store: Store) -> None:
    (row,) = {*at_once([partial(outcome, partial(store.append, "K7Q", event(1)))] * 50)}
    assert [row] == list(store.events("K7Q"))


def test_an_imported_night_is_there_whole_or_not_at_all(store: Store) -> None:
    fine = [event(number) for number in range(1, 40)]
    create(store, "WHOLE", events=fine)
    assert len(list(store.events("WHOLE"))) == 39
    with pytest.raises(BadRow):
        create(store, "HALF", events=[*fine, event(41)])
    assert store.night("HALF") is None
    assert not list(store.events("HALF"))


def test_the_database_refuses_to_change_a_recorded_event(store: Store) -> None:
    store.append("K7Q", event(1))
    before = store.append("K7Q", event(2))
    for sql in (
        "UPDATE event SET body = '[]' WHERE number = 1",
        "UPDATE event SET hash = print",
        "DELETE FROM event WHERE number = 2",
        "DELETE FROM event",
        "INSERT INTO event SELECT * FROM event WHERE number = 1",
        "UPDATE night SET preset = '[]'",
        "DELETE FROM night",
        "INSERT INTO event SELECT code, 4, 'x', print, body, at, by, hash FROM event WHERE number = 1",
        "INSERT INTO event SELECT code, 3, 'x', print, '5', at, by, print FROM event WHERE number = 1",
        "INSERT INTO event SELECT 'no such night', 1, 'x', print, body, at, by, hash FROM event WHERE number = 1",
    ):
        with pytest.raises(BadRow), store.connection.write() as db:
            db.execute(sql)
        assert list(store.events("K7Q"))[-1] == before, sql


def test_everything_is_there_after_a_restart(place: Path | DataPlace, store: Store) -> None:
    written = [store.append("K7Q", event(number)) for number in range(1, 4)]
    store.set_setting("K7Q", "locked", "yes")
    instance = store.instance
    store.close()
    again = Store(place)
    assert list(again.events("K7Q")) == written
    assert again.setting("K7Q", "locked") == "yes"
    assert again.instance == instance
    assert len(bytes.fromhex(instance)) == 4
    again.close()


def test_settings_of_a_night_and_of_the_file_are_apart(store: Store) -> None:
    store.set_setting(None, "sound", "on")
    store.set_setting("K7Q", "sound", "off")
    found = [store.setting(None, "sound"), store.setting("K7Q", "sound"), store.setting("X", "sound", "?")]
    assert found == ["on", "off", "?"]
    store.set_setting("K7Q", "sound", None)
    assert store.settings("K7Q") == {}
    assert store.settings(None)["sound"] == "on"
