"""Devices and join codes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracker.storage import BadRow, DataPlace, Store

pytestmark = pytest.mark.every_place


@pytest.fixture(name="store")
def _store(place: Path | DataPlace) -> Iterator[Store]:
    store = Store(place)
    for code in ("K7Q", "M2X"):
        store.create_night(code=code, name="", preset="{}", options="{}", created_at="2026")
    yield store
    store.close()


def token(word: str) -> bytes:
    return hashlib.sha256(word.encode()).digest()


def test_a_token_finds_its_device_until_it_is_revoked_and_its_number_is_never_given_again(store: Store) -> None:
    phone = store.devices.add(
        token("ann"), code="K7Q", role="knock", seat="ann", name="Ann", label="iPhone", at="20:00"
    )
    assert store.devices.by_token(token("ann")) == phone
    assert store.devices.by_token(token("bob")) is None
    assert store.devices.revoke(phone.id) == phone
    assert store.devices.by_token(token("ann")) is None
    assert store.devices.revoke(phone.id) is None
    assert store.devices.change(phone.id, role="seat") is None
    assert store.devices.add(token("ann"), code="K7Q", role="seat", at="20:00").id > phone.id


def test_a_device_that_changes_its_role_gets_a_new_token(store: Store) -> None:
    phone = store.devices.add(token("knock"), code="K7Q", role="knock", at="20:00")
    changed = store.devices.change(phone.id, role="seat", seat="ann", token_hash=token("seat"), seen_at="20:05")
    assert changed is not None
    assert (changed.id, changed.role, changed.seat) == (phone.id, "seat", "ann")
    assert (changed.made_at, changed.seen_at) == ("20:00", "20:05")
    assert store.devices.by_token(token("knock")) is None
    assert store.devices.by_token(token("seat")) == changed


def test_devices_are_listed_by_night(store: Store) -> None:
    ann = store.devices.add(token("ann"), code="K7Q", role="seat", seat="ann", at="20:00")
    bob = store.devices.add(token("bob"), code="M2X", role="seat", seat="bob", at="20:00")
    host = store.devices.add(token("host"), code=None, role="host", at="20:00")
    assert (store.devices.of("K7Q"), store.devices.of("M2X"), store.devices.of(None)) == ((ann,), (bob,), (host,))


def test_no_role_and_an_unknown_column_are_refused(store: Store) -> None:
    with pytest.raises(BadRow):
        store.devices.add(token("x"), code="K7Q", role="", at="20:00")
    phone = store.devices.add(token("x"), code="K7Q", role="watcher", at="20:00")
    with pytest.raises(BadRow):
        store.devices.change(phone.id, code="M2X")
    with pytest.raises(BadRow):
        store.devices.change(phone.id, token_hash=b"short")


def test_a_new_join_code_ends_the_old_one(store: Store) -> None:
    store.replace_invites(token("one"), code="K7Q", typed="K7QM2X", at="20:00")
    store.replace_invites(token("two"), code="K7Q", typed="ABCDEF", at="20:02")
    assert store.night_of_invite(token("one")) is None
    assert store.night_of_typed_code("K7QM2X") is None
    assert store.night_of_invite(token("two")) == store.night_of_typed_code("ABCDEF") == "K7Q"
    assert store.typed_code("K7Q") == "ABCDEF"
    assert store.typed_code("M2X") == ""
    with pytest.raises(BadRow):  # two nights never share a typed code
        store.replace_invites(token("three"), code="M2X", typed="ABCDEF", at="20:00")
