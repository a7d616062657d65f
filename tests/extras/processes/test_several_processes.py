"""Two processes over one database behind nginx: one may die, and so may the database, and no tap is lost or doubled.

With --long (pytest --long tests/extras/processes/test_several_processes.py) the disk of the database server is filled
at 100 points of a game for the tables, at 30 for the log.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from extras.processes import full_database, postgres_server as postgres
from extras.processes.club import ClubProcess, Proxy, accepts, club
from support.bench_table import SEATS, BenchTable, new_bench_table
from support.faults.ack_ledger import sum_of
from support.faults.killing import killed_players
from support.faults.script_phones import MOVE, ScriptPhone, make_moves, moves_in
from support.faults.small_disk import on_own_disk
from support.polling import wait_until
from support.socket_phones import Heard, in_background, run

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.postgres import MOST_CONNECTIONS, pool_of, take
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token


@pytest.fixture(name="own_server", scope="module")
def _own_server() -> Iterator[postgres.PostgresServer]:
    """A database server that the tests of this file may stop."""
    with postgres.server() as server:
        yield server


@dataclass
class Running:
    """nginx, the processes behind it, and the database that they share."""

    place: str
    folder: Path
    proxy: Proxy
    processes: list[ClubProcess]


@pytest.fixture(name="running", scope="module")
def _running(own_server: postgres.PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    place, folder = own_server.new_place(), tmp_path_factory.mktemp("club")
    with club(folder, place) as (proxy, processes):
        yield Running(place, folder, proxy, processes)


@pytest.fixture(name="night")
def _night(running: Running) -> BenchTable:
    return new_bench_table(running.folder, watchers=0, place=Postgres(running.place), chips=4000)


@asynccontextmanager
async def playing(night: BenchTable, ports: Sequence[int]) -> AsyncIterator[list[ScriptPhone]]:
    """Yield eight phones that follow their streams, in turn at these ports; a request is given up after 5 seconds."""
    phones = night.phones(ScriptPhone, patience=5, http="1.0")
    for place, phone in enumerate(phones):
        phone.port = ports[place % len(ports)]
    async with in_background(*(phone.follow() for phone in phones)):
        for phone in phones:
            while not phone.picture:
                await asyncio.sleep(0.05)
        yield phones


def without_moment(picture: str) -> str:
    """Return a picture without the number by which a process knows its moment again."""
    return re.sub(r'data-at="[^"]*"', "", picture)


async def until_all_show_what_is_at(phones: list[ScriptPhone], port: int) -> None:
    """Wait until every phone shows by its stream, whichever process that is from, what it would be shown at a port."""
    async with asyncio.timeout(60):
        for phone in phones:
            while without_moment(phone.picture) != without_moment(await phone.look(port)):
                await asyncio.sleep(0.05)


async def until_phones_are_here(host: ScriptPhone, count: int) -> None:
    """Wait until the host's list has the dot of a connected phone so often, wherever the phones are connected."""
    async with asyncio.timeout(60):
        while (await host.ask_until_answered("GET", f"/n/{host.code}/phones")).text.count('class="live"') != count:
            await asyncio.sleep(0.05)


async def all_move(phones: list[ScriptPhone], count: int) -> None:
    await asyncio.gather(*(make_moves(phone, count) for phone in phones))


def recorded(place: str, code: str) -> OpenNight:
    """Return the night as the database has it, every hash proved."""
    with closing(Store(Postgres(place))) as store:
        return Nights(store, StreamHub()).get(code)


def check(place: str, night: BenchTable, moves: int) -> None:
    """Assert that each seat's moves are there, each once, and that no chip was lost."""
    table = recorded(place, night.code)
    assert moves_in([entry.event for entry in table.entries]) == dict.fromkeys(SEATS, moves)
    assert len({entry.id for entry in table.entries}) == table.head
    assert sum_of(table) == 0


def test_taps_at_either_process_are_seen_at_the_streams_of_both(
    running: Running, night: BenchTable, short_or_long: Callable[[int, int], int]
) -> None:
    moves = short_or_long(4, 40)

    async def play(processes: list[ClubProcess]) -> None:
        async with playing(night, [process.port for process in processes]) as phones:
            await all_move(phones, moves)
            for process in processes:
                await until_all_show_what_is_at(phones, process.port)
                await until_phones_are_here(ScriptPhone(process.port, night.code, "", night.host), len(phones))

    run(play(running.processes))
    check(running.place, night, moves)


async def moving(phones: list[ScriptPhone], moves: int) -> asyncio.Task[None]:
    """Have all phones make their moves, and return when one more is answered, long before the last."""
    answered = sum(len(phone.statuses) for phone in phones)
    taps = asyncio.create_task(all_move(phones, moves))
    while sum(len(phone.statuses) for phone in phones) == answered and not taps.done():
        await asyncio.sleep(0.005)
    return taps


async def kill_while_they_play(
    night: BenchTable, proxy: Proxy, processes: list[ClubProcess], moves: int
) -> tuple[list[float], float]:
    """Kill the process that serves the table in the middle of the moves, each in turn, and start it again at once.

    Return the pauses until the next answer and how long the longest tap took, in seconds.
    """
    pauses = []
    async with playing(night, [proxy.port]) as phones:
        for _ in range(2):
            taps = await moving(phones, moves)
            killed = next(one for one in processes if one.port == proxy.port_of(night.code))
            killed.kill()
            killed.start()
            begun, answered = time.perf_counter(), sum(len(phone.statuses) for phone in phones)
            while sum(len(phone.statuses) for phone in phones) == answered and not taps.done():
                await asyncio.sleep(0.005)
            pauses.append(time.perf_counter() - begun)
            await taps
            while not accepts(killed.port):
                await asyncio.sleep(0.05)
            await until_all_show_what_is_at(phones, proxy.port)
        assert {status for phone in phones for status in phone.statuses} <= {200, 204}
    return pauses, max(phone.longest_seconds for phone in phones)


def test_a_process_that_is_killed_in_the_middle_of_play_loses_nothing_and_the_table_goes_on_at_another(
    running: Running, night: BenchTable, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(8, 60)
    pauses, longest = run(kill_while_they_play(night, running.proxy, running.processes, moves))
    check(running.place, night, 2 * moves)
    figure(
        f"kill -9 of the process that serves a table of eight, 2 times behind nginx: {16 * moves} moves, 0 lost, "
        f"0 doubled; the next tap was answered after {', '.join(f'{pause:.2f}' for pause in pauses)} s, "
        f"the longest tap took {longest:.2f} s"
    )


async def restart_while_they_play(night: BenchTable, proxy: Proxy, server: postgres.PostgresServer, moves: int) -> None:
    async with playing(night, [proxy.port]) as phones:
        taps = await moving(phones, moves)
        server.stop_at_once()
        answer = await phones[0].post({"do": MOVE, "seat": "ann"})
        assert (answer.status, "The database does not answer" in answer.text) == (503, True)
        await asyncio.to_thread(server.start)
        await taps
        await until_all_show_what_is_at(phones, proxy.port)


def test_a_database_that_stops_at_once_and_comes_back_loses_nothing_that_was_acknowledged(
    running: Running,
    night: BenchTable,
    own_server: postgres.PostgresServer,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    moves, times = short_or_long(8, 12), short_or_long(1, 10)
    for _ in range(times):
        run(restart_while_they_play(night, running.proxy, own_server, moves))
    check(running.place, night, times * moves)
    figure(f"the database stopped at once in mid-play {times} times: {8 * times * moves} moves, 0 lost, 0 doubled")


def test_a_night_in_the_memory_of_one_process_is_found_behind_nginx(running: Running) -> None:
    token, proxy = "a" * 40, running.proxy
    with closing(Store(Postgres(running.place))) as store:
        store.devices.add(hash_token(token), code=None, role="host", at="2026")
        cookie = f"board_{store.instance}={token}"

    async def rehearse(phone: ScriptPhone) -> Heard:
        began = await phone.ask_until_answered("POST", "/rehearsal")
        found = re.search(r"(?i)(/n/\w+)", began.head)
        assert found, began
        return await phone.ask_until_answered("GET", found[1])

    for port in (proxy.port, *(process.port for process in running.processes), proxy.port):
        assert run(rehearse(ScriptPhone(port, "", "", cookie, patience=10, http="1.0"))).status == 200


# Without nginx


@pytest.mark.parametrize(
    "stop", [postgres.PostgresServer.stop, postgres.PostgresServer.stop_at_once], ids=["in-good-order", "at-once"]
)
def test_no_idle_connection_outlives_a_restart_of_the_server(
    own_server: postgres.PostgresServer, stop: Callable[[postgres.PostgresServer], None]
) -> None:
    with pool_of(own_server.url) as pool:
        with ExitStack() as ended:
            for _ in range(MOST_CONNECTIONS):
                ended.enter_context(pool.connection())
        wait_until(lambda: pool.get_stats()["pool_available"] == MOST_CONNECTIONS)
        stop(own_server)
        own_server.start()
        for _ in range(MOST_CONNECTIONS):
            link = take(pool)
            assert link.execute("SELECT 1").fetchone() == (1,)
            pool.putconn(link)


def test_killed_players_have_lost_nothing_and_doubled_nothing(
    database: str, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    target = "import sys; from support.faults.kill_target import main; from tracker.extras.processes.options import "
    script = ("-c", f"{target}Postgres; main(Postgres(sys.argv[1]))", database)
    fault_counts = killed_players(Postgres(database), script, short_or_long(12, 850), 0.6, short_or_long(1, 2))
    figure(f"kill -9 of processes that write to PostgreSQL: {fault_counts}")
    assert fault_counts.harm == 0


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
    came = on_own_disk(full_database.__file__, mode, disk, short_or_long(short, long))
    figure(
        f"no room for the {mode} of the database at {came['points']} points of a game of {came['recorded']} events: "
        f"{came['harm']} lost, doubled or half done; told as {came['reasons']}"
    )
    assert sum(came["reasons"].values()) == came["points"]
    assert came["reasons"]["full"] > 0
    assert came["reasons"].keys() <= {"full", "server"}, "a server that has to recover does not answer"
    assert came["harm"] == 0
