"""Room on the disk for a night: asked for at the start, put by while it lasts, and given up where the disk is full."""

from pathlib import Path
from typing import Any

import pytest
from support.client_phones import Site
from support.faults.small_disk import on_own_disk
from support.polling import wait_until

from tracker.extras.nearly_full import room
from tracker.extras.nearly_full.room import Reserve
from tracker.storage import Store
from tracker.storage.disk_health import DiskHealth


def on_small_disk(mode: str, folder: Path) -> dict[str, Any]:
    return on_own_disk(str(Path(__file__).parent / "nearly_full_disk.py"), mode, folder)


def test_a_full_disk_gives_up_its_reserve_and_the_game_goes_on(tmp_path: Path) -> None:
    came = on_small_disk("reserve", tmp_path)
    assert came["recorded"] == 100
    assert 0 < came["refused"] < 1000
    assert came["given up"]


def test_a_server_is_not_started_on_a_disk_that_is_nearly_full_unless_it_is_told_to(tmp_path: Path) -> None:
    came = on_small_disk("nearly-full", tmp_path)
    assert came["status"] == 1
    assert came["said"].count("\n") == 1
    assert "30.0 MB are free, a night should begin with 50" in came["said"]
    assert "--full-disk" in came["said"]
    assert came["left"] == ["filler"], "a refused start makes nothing"
    assert came["warned"].count("Warning: the disk is nearly full") == 1
    assert came["reserve"], "room is put by also on a disk that is nearly full"


def test_room_is_put_by_while_there_is_some(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "RESERVE_REQUIRED_BYTES", 1 << 60)
    Reserve(tmp_path / "reserve", DiskHealth(store))
    assert not (tmp_path / "reserve").exists()
    monkeypatch.undo()
    Reserve(tmp_path / "reserve", DiskHealth(store))
    assert (tmp_path / "reserve").stat().st_size == room.RESERVE_BYTES


def test_the_host_is_told_while_the_reserve_is_in_use_and_it_is_put_by_again(
    site: Site, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "START_REQUIRED_BYTES", 0)
    site.tables.disk = DiskHealth(store, pause_seconds=0.01)
    Reserve(tmp_path / "reserve", site.tables.disk)
    monkeypatch.setattr(room, "START_REQUIRED_BYTES", 1 << 60)
    host = site.host()
    site.tables.disk.record_failure("full")
    wait_until(lambda: not site.tables.disk.trouble)
    assert not (tmp_path / "reserve").exists()
    assert "the last reserve is in use" in host.get("/").text
    monkeypatch.setattr(room, "START_REQUIRED_BYTES", 0)
    assert "the last reserve is in use" not in host.get("/").text
    assert (tmp_path / "reserve").exists()
