"""kill -9 at any moment, under load: what was acknowledged is there, once, and every night sums to zero.

The long run in commands of their own, since each takes minutes:
    pytest --long tests/trust/test_kill.py -k players      850 kills of processes that write through the table
    pytest --long tests/trust/test_kill.py -k server       200 kills of the whole server, some while it loads its pages
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

from support.faults import kill_target
from support.faults.killing import killed_players, killed_servers

from tracker.cli.data_folder import DATA_FILE


def test_killed_players_have_lost_nothing_and_doubled_nothing(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    place = tmp_path / DATA_FILE
    script = (kill_target.__file__, str(place))
    fault_counts = killed_players(place, script, short_or_long(12, 850), 0.15, short_or_long(1, 2))
    figure(f"kill -9 of processes that write to a file: {fault_counts}")
    assert fault_counts.harm == 0


def test_a_killed_server_has_lost_nothing_and_doubled_nothing(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    opens = [number % 4 == 1 for number in range(short_or_long(3, 200))]
    fault_counts = killed_servers(tmp_path, tmp_path / DATA_FILE, opens, Random(short_or_long(3, 4)), {})
    figure(f"kill -9 of the server over a file: {fault_counts}")
    assert fault_counts.harm == 0
