"""Nights that are removed go with all that belongs to them, and nothing else does."""

import pytest

from tracker.extras._removal import erase_nights
from tracker.storage import NewEvent, Store, StoreError

A_YEAR_AGO = "2025-11-22T18:00:00Z"


def add_night(store: Store, code: str, played: str, *, opened: str = "", events: int = 3) -> None:
    """Add a night with events, a device, a code, a setting and a summary."""
    store.create_night(code=code, name=f"Night {code}", preset="{}", options="{}", created_at=opened or played)
    for number in range(1, events + 1):
        store.append(code, NewEvent(number, f"{code}-{number}", b"p" * 32, '{"kind": "say"}', played, "ruth"))
    store.devices.add(code.encode().ljust(32, b"."), code=code, role="host", at=played)
    store.replace_invites(code.encode().ljust(32, b","), code=code, at=played, typed=code.upper())
    store.set_setting(code, "put-away", "archived")
    store.summaries.write(1, [(code, events, "{}")])


def remove_old(store: Store) -> list[str]:
    """Remove the nights whose last entry, or else which themselves, are of more than a year ago."""
    old = {one.code: one.events for one in store.nights() if (one.last_at or one.created_at) < A_YEAR_AGO}
    return erase_nights(store, old)


@pytest.mark.every_place
def test_nights_that_are_too_old_go_with_all_that_belongs_to_them(store: Store) -> None:
    add_night(store, "old", "2025-11-22T17:59:00Z")
    add_night(store, "new", "2025-11-22T18:01:00Z")
    before = (list(store.events("new")), store.head("new"), store.settings("new"), store.devices.of("new"))
    assert store.settings("old")
    assert remove_old(store) == ["old"]
    assert [row.code for row in store.nights()] == ["new"]
    assert store.night("old") is None
    assert not store.settings("old")
    assert not store.devices.of("old")
    assert store.devices.by_token(b"old".ljust(32, b".")) is None
    assert not store.typed_code("old")
    assert store.night_of_typed_code("OLD") is None
    assert not list(store.summaries.read(["old"], 1))
    with pytest.raises(StoreError):
        store.head("old")
    assert (list(store.events("new")), store.head("new"), store.settings("new"), store.devices.of("new")) == before
    assert not store.faults()
    assert remove_old(store) == []


@pytest.mark.every_place
def test_the_database_refuses_other_deletions_as_before(store: Store) -> None:
    add_night(store, "old", "2020-01-01T00:00:00Z")
    add_night(store, "new", "2026-11-01T00:00:00Z")
    remove_old(store)
    for table in ("event", "night"):
        with pytest.raises(StoreError), store.connection.write() as db:
            db.execute(f"DELETE FROM {table} WHERE code = 'new'")
    assert store.head("new")[0] == 3


def test_an_error_leaves_every_night_and_its_protection(store: Store) -> None:
    for code in ("one", "two"):
        add_night(store, code, "2020-01-01T00:00:00Z")

    class Stops(dict[str, int]):
        def items(self) -> object:  # type: ignore[override]
            yield "one", 3
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        erase_nights(store, Stops())
    assert {row.code for row in store.nights()} == {"one", "two"}
    assert not store.faults()
    with pytest.raises(StoreError), store.connection.write() as db:
        db.execute("DELETE FROM event WHERE code = 'one'")
