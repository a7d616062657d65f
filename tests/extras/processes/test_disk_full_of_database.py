"""The disk of the database server is full: not saved, nothing half recorded, and play goes on when there is room.

With --long it is filled at 100 points of a game for the tables, at 30 for the log.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from extras.processes import postgres_server as postgres
from support.faults.namespaces import on_own_disk

SCRIPT = str(Path(__file__).with_name("full_database.py"))


@pytest.mark.parametrize(("mode", "short", "long"), [("tables", 2, 100), ("log", 2, 30)])
def test_tables_or_a_log_that_can_not_grow_lose_nothing_and_play_goes_on_with_room(
    tmp_path: Path,
    mode: str,
    short: int,
    long: int,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    postgres.found_programs()
    disk = tmp_path / "disk"  # another user works in the folder above it
    disk.mkdir()
    came = on_own_disk(SCRIPT, mode, disk, short_or_long(short, long))
    figure(
        f"no room for the {mode} of the database at {came['points']} points of a game of {came['recorded']} events: "
        f"{came['harm']} lost, doubled or half done; told as {came['reasons']}"
    )
    assert sum(came["reasons"].values()) == came["points"]
    assert came["reasons"]["full"] > 0
    assert came["reasons"].keys() <= {"full", "server"}, "a server that has to recover does not answer"
    assert came["harm"] == 0
