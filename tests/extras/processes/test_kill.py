"""kill -9 at any moment over a database: what was acknowledged is there, once, and every night sums to zero.

pytest --long tests/extras/processes/test_kill.py kills 850 processes that write, and 150 whole servers.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

from extras.processes import kill_target
from support.faults.killing import killed_players, killed_servers

from tracker.extras.processes.options import Postgres


def test_killed_players_have_lost_nothing_and_doubled_nothing(
    database: str, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    script = (kill_target.__file__, database)
    fault_counts = killed_players(Postgres(database), script, short_or_long(12, 850), 0.6, short_or_long(1, 2))
    figure(f"kill -9 of processes that write to PostgreSQL: {fault_counts}")
    assert fault_counts.harm == 0


def test_a_killed_server_has_lost_nothing_and_doubled_nothing(
    tmp_path: Path, database: str, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    opens = [number % 10 == 9 for number in range(short_or_long(3, 150))]
    environment = {"BOARD_TRACKER_DATABASE": database}
    fault_counts = killed_servers(tmp_path, Postgres(database), opens, Random(short_or_long(3, 4)), environment)
    figure(f"kill -9 of the server over PostgreSQL: {fault_counts}")
    assert fault_counts.harm == 0
