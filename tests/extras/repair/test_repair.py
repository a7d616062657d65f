"""A damaged data file: opened whole, opened as far as it can be proved and said so, or refused with a sentence.

pytest --long tests/extras/repair/test_repair.py damages 200 files of every kind of damage.
"""

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial, reduce
from itertools import count
from pathlib import Path
from random import Random

import pytest
from extras._shared.killed_steps import killed_before_step
from support.client_phones import HERE, Site
from support.data_files import LEFT_EVENTS, _left, file_of, flip, unguarded
from support.faults.ack_ledger import sum_of
from support.faults.power_cut import cuts, played
from support.polling import read_until
from support.ports import free_port
from support.random_nights import legal_event
from support.sample_nights import record
from support.server_process import serve_command

from tracker.app.nights import Nights
from tracker.app.settings import Truncation
from tracker.cli.data_folder import CHECKED_AT_ONCE, DATA_FILE, open_repaired
from tracker.core.errors import NotAllowed
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.core.log import Entry
from tracker.extras._backups import FOLDER
from tracker.storage import Store, StoreError, Unreadable
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

__all__ = ["_left"]

PAGE = 4096
EntriesByCode = dict[str, list[Entry]]
Sound = tuple[Path, Path, EntriesByCode]
Hurt = tuple[Path, str, EntriesByCode]


@pytest.fixture(name="sound", scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    """Give a file with four nights of several hands, the same some hands before, and the logs."""
    folder, chance = tmp_path_factory.mktemp("sound"), Random(5)
    path = folder / DATA_FILE
    with closing(Store(path)) as store:
        tables = [Nights(store, StreamHub()).open(preset) for preset in ("michigan-rummy", "michigan-kitty") * 2]
        for table in tables:
            for seat in ("ann", "bob", "cara"):
                record(table, Sit(SeatId(seat), Name(seat.title())))
        for length in (60, 90):
            for table in tables:
                while table.head < length:
                    record(table, legal_event(table.night, chance, may_end=False))
            if length == 60:
                file_of(store).checkpoint()
                shutil.copyfile(path, folder / "earlier.db")
        return path, folder / "earlier.db", {table.code: list(table.entries) for table in tables}


def chain_damaged(path: Path, code: str, number: int) -> None:
    """Change one event as no disk would: the pages are sound, only the hashes can tell."""
    with unguarded(path) as db:
        changed = "UPDATE event SET body = replace(body, 'chips', 'chibs') || ' ' WHERE code = ? AND number = ?"
        assert db.execute(changed, [code, number]).rowcount == 1


def put(content: bytes, place: int, new: bytes) -> bytes:
    return content[:place] + new + content[place + len(new) :]


def scribbled(content: bytes, chance: Random) -> bytes:
    return put(content, chance.randrange(len(content) - 40), chance.randbytes(40))


def page_in(content: bytes, chance: Random, size: int = PAGE) -> int:
    """Return where some page begins, or some sector."""
    return chance.randrange(len(content) // size) * size


def two_pages_swapped(content: bytes, chance: Random) -> bytes:
    one, other = (place * PAGE for place in chance.sample(range(len(content) // PAGE), 2))
    return put(put(content, one, content[other : other + PAGE]), other, content[one : one + PAGE])


def bit_flipped(content: bytes, chance: Random) -> bytes:
    place = chance.randrange(len(content))
    return put(content, place, bytes([content[place] ^ 1 << chance.randrange(8)]))


KINDS: tuple[Callable[[bytes, bytes, Random], bytes], ...] = (
    lambda content, _, chance: scribbled(content, chance),
    lambda content, _, chance: reduce(lambda so_far, _: scribbled(so_far, chance), range(5), content),
    lambda content, _, chance: put(content, page_in(content, chance, 512), bytes(512)),
    lambda content, _, chance: put(content, page_in(content, chance), chance.randbytes(PAGE)),
    # A page of before, as on a disk that said it had written
    lambda content, earlier, chance: put(content, at := page_in(earlier, chance), earlier[at : at + PAGE]),
    lambda content, _, chance: content[: chance.randrange(PAGE, len(content))],
    lambda content, _, chance: two_pages_swapped(content, chance),
    lambda content, _, chance: reduce(lambda so_far, _: bit_flipped(so_far, chance), range(8), content),
)
"""What a disk does to the content of a file; of some it needs an earlier one."""


def opened(path: Path, nights: EntriesByCode) -> str:
    """Open a damaged file as a server that starts does; return what came of it, after making sure that it is true."""
    before = path.read_bytes()
    try:
        store = open_repaired(path)
    except Unreadable:
        return "refused"
    with closing(store):
        tables, kept = Nights(store, StreamHub()), {row.code for row in store.nights()}
        hurt = {code for code in kept if tables.get(code).settings.truncation}
        for code in kept:
            entries = tables.get(code).entries
            assert entries == nights[code][: len(entries)]
            assert code in hurt or len(entries) == len(nights[code]), "a night that ends too early and does not say so"
            assert sum_of(tables.get(code)) == 0
    aside = list(path.parent.glob("broken-*.db"))
    if aside:
        assert aside[0].read_bytes() == before
    else:
        assert kept == set(nights)
    return "in part" if hurt or kept != set(nights) else "mended" if aside else "whole"


def test_a_file_damaged_at_random_places_never_shows_a_wrong_balance(
    sound: Sound,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    content, earlier, nights = sound[0].read_bytes(), sound[1].read_bytes(), sound[2]
    chance, came, times = Random(7), Counter[str](), short_or_long(3, 25)
    for number in range(times * len(KINDS)):
        folder = tmp_path / str(number)
        folder.mkdir()
        how = KINDS[number % len(KINDS)]
        (folder / DATA_FILE).write_bytes(how(content, earlier, chance))
        outcome = opened(folder / DATA_FILE, nights)
        came[outcome] += 1
        missing = set(nights) - codes_in(folder / DATA_FILE)
        said = capfd.readouterr().err
        assert outcome == "refused" or all(code in said for code in missing), "a night that is gone and not named"
        shutil.rmtree(folder)
    figure(
        f"damaged files: {sum(came.values())} of {len(KINDS)} kinds; {came['whole']} whole as they were, "
        f"{came['mended']} with every night whole again, {came['in part']} read as far as proved and said so, "
        f"{came['refused']} refused with a sentence; 0 wrong balances"
    )
    assert came["in part"]
    assert came["mended"]


@pytest.mark.parametrize(
    ("old", "new", "outcome", "whole"),
    [
        ("{code}Z", "zzzzzzZ", "in part", 3),  # the last event, number 90, in the rows and in the index
        ("{code}Michigan", "zzzzzzMichigan", "mended", 4),  # the night's own row: it is found by its events
        ("applied_at", "applied_it", "mended", 4),  # a column of the table of migrations
    ],
)
def test_a_file_with_other_letters_in_one_place_is_repaired_and_only_whole_nights_are_called_so(
    sound: Sound,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    old: str,
    new: str,
    outcome: str,
    whole: int,
) -> None:
    content, before = sound[0].read_bytes(), old.format(code=min(sound[2])).encode()
    assert before in content
    (tmp_path / DATA_FILE).write_bytes(content.replace(before, new.encode()))
    assert opened(tmp_path / DATA_FILE, sound[2]) == outcome
    assert capfd.readouterr().err.count("90 events, whole") == whole


def test_a_text_that_one_bit_made_a_blob_is_text_again(sound: Sound, tmp_path: Path) -> None:
    path = tmp_path / DATA_FILE
    shutil.copyfile(sound[0], path)
    with closing(sqlite3.connect(path)) as conn, conn:
        guard = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'event_no_update'").fetchone()[0]
        conn.execute("DROP TRIGGER event_no_update")
        conn.execute("PRAGMA writable_schema = 1")
        conn.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'event'")
    with closing(sqlite3.connect(path)) as conn, conn:
        for column in ("id", "body", "at", "by"):
            changed = f"UPDATE event SET {column} = CAST({column} AS BLOB) WHERE code = ? AND number = 80"
            assert conn.execute(changed, [min(sound[2])]).rowcount == 1
        conn.execute(guard)
        conn.execute("PRAGMA writable_schema = 1")
        conn.execute("UPDATE sqlite_master SET sql = sql || ' STRICT' WHERE name = 'event'")
    assert opened(path, sound[2]) == "mended"


def codes_in(path: Path) -> set[str]:
    try:
        with closing(Store(path)) as store:
            return {row.code for row in store.nights()}
    except Unreadable:
        return set()


@pytest.fixture(name="hurt")
def _hurt(sound: Sound, tmp_path: Path) -> Hurt:
    """A file of four nights one of which is damaged at event 50, that night's code, and all logs."""
    path, code = tmp_path / DATA_FILE, min(sound[2])
    shutil.copyfile(sound[0], path)
    chain_damaged(path, code, 50)
    return path, code, sound[2]


def test_a_damaged_night_opens_up_to_there_the_others_whole_and_goes_on_once_the_host_says_so(
    hurt: Hurt, capsys: pytest.CaptureFixture[str]
) -> None:
    path, code, nights = hurt
    os.umask(0o022)  # a command that ran in this process has set its own
    with closing(open_repaired(path)) as store:
        site = Site(Nights(store, StreamHub()))
        table = site.tables.get(code)
        assert {one: site.tables.get(one).head for one in nights} == {**dict.fromkeys(nights, 90), code: 49}
        (aside,) = path.parent.glob("broken-*.db")
        assert table.settings.truncation == Truncation(49, 90, aside.name)
        assert [one.stat().st_mode & 0o077 for one in (path, aside)] == [0, 0], "for this user only"
        said = capsys.readouterr().err
        assert f"night {code} is damaged at event 50" in said
        assert "49 of 90 events, what came after is lost" in said
        assert said.count("90 events, whole") == 3
        with pytest.raises(NotAllowed, match="ends at event 49"):
            record(table, Buy("ann", Amount(5)))
        host, watcher = site.phone(), site.phone()
        for phone, role in ((host, "host"), (watcher, "watcher")):
            token = f"{role}-token" * 4
            store.devices.add(hash_token(token), code=code, role=role, at="2026-11-20T20:00:00Z")
            phone.client.set_cookie(f"{site.access.devices.cookie_name}_{code}", token, domain=HERE)
        for page in (f"/n/{code}", f"/n/{code}/log", f"/n/{code}/settle"):
            assert "49 of 90 entries could be read" in watcher.get(page).text, page
            assert "/go-on" not in watcher.get(page).text
        assert f"/n/{code}/go-on" in host.get(f"/n/{code}").text
        assert watcher.post(f"/n/{code}/go-on").status_code == 403
        assert host.post(f"/n/{code}/go-on").status_code == 303
        record(table, Buy("ann", Amount(5)))
        assert "could be read" not in host.get(f"/n/{code}").text
    with closing(Store(path)) as store:
        again = Nights(store, StreamHub()).get(code)
        assert (again.head, again.settings.truncation) == (50, None)


def test_what_a_damaged_file_has_lost_is_taken_from_the_copies_made_after_hands(hurt: Hurt, sound: Sound) -> None:
    path, code, nights = hurt
    (path.parent / FOLDER).mkdir()
    shutil.copyfile(sound[1], path.parent / FOLDER / "hand-000007.db")
    (path.parent / FOLDER / "hand-000008.db").write_bytes(b"this one is damaged itself" * 500)
    with closing(open_repaired(path)) as store:
        table = Nights(store, StreamHub()).get(code)
        assert table.settings.truncation is None
        assert table.entries == nights[code]


def test_a_night_that_ends_in_a_copy_waits_for_the_host(sound: Sound, tmp_path: Path) -> None:
    path, code = tmp_path / DATA_FILE, min(sound[2])
    shutil.copyfile(sound[1], path)
    chain_damaged(path, code, 60)
    (tmp_path / FOLDER).mkdir()
    shutil.copyfile(sound[0], tmp_path / FOLDER / "hand-000007.db")
    with closing(open_repaired(path)) as store:
        table = Nights(store, StreamHub()).get(code)
        assert table.entries == sound[2][code]
        assert table.settings.truncation is not None


def test_a_file_without_anything_left_is_refused(tmp_path: Path, sound: Sound) -> None:
    path = tmp_path / DATA_FILE
    content = sound[0].read_bytes()
    path.write_bytes(content[:PAGE] + bytes(len(content) - PAGE))
    before = path.read_bytes()
    with pytest.raises(Unreadable, match="no night in it can be"):
        open_repaired(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".db"] == [DATA_FILE]


# `repair` killed before each of its steps: the file is repaired again with all that was proved.


def damage(path: Path) -> None:
    """Overwrite the page of a table that has no rows, and is not in the log."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as conn:
        size = conn.execute("PRAGMA page_size").fetchone()[0]
        page = conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'invite'").fetchone()[0]
    with path.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def damage_log(path: Path) -> None:
    """Change a byte in the first commit of the log. Opening such a file fails before its log is moved into it."""
    content = bytearray(log_of(path).read_bytes())
    content[HEADER + FRAME_HEADER + 100] ^= 1
    log_of(path).write_bytes(content)


def repaired_events(path: Path) -> int:
    """Return the number of events after repairing the file, if it is damaged."""
    with closing(open_repaired(path)) as store:
        return len(list(store.events("K7Q")))


def test_a_killed_repair_leaves_a_file_that_is_repaired_again_with_all_that_was_proved(
    tmp_path: Path, left: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """In the short run before every third step, of one damage others than of the other."""
    apart = short_or_long(3, 1)
    for begin, damaged in enumerate((damage, damage_log)):
        found = []
        for step in count(begin % apart, apart):
            folder = shutil.copytree(left, tmp_path / damaged.__name__ / str(step))
            damaged(folder / DATA_FILE)
            is_killed = killed_before_step(partial(repaired_events, folder / DATA_FILE), step)
            found.append(repaired_events(folder / DATA_FILE))
            if not is_killed:
                break
        assert len(found) > 15 // apart
        assert found == [10] * len(found)


def test_a_large_file_is_checked_after_the_start_and_repaired_at_the_same_address(sound: Sound, tmp_path: Path) -> None:
    path, code = tmp_path / DATA_FILE, min(sound[2])
    shutil.copyfile(sound[0], path)
    with closing(sqlite3.connect(path)) as conn, conn:  # larger than those that are checked before the start
        conn.execute("INSERT OR REPLACE INTO summary VALUES (?, 0, 0, ?, ?)", [code, "x" * CHECKED_AT_ONCE, bytes(32)])
    chain_damaged(path, code, 50)
    with serve_command(path.parent, "--port", str(free_port())) as served:
        assert served.phone.get("/join").status == 200
        assert "events, " not in served.said, "it was repaired before the start"
        served.said += read_until(served.process, "The host's page")
        assert "the data file is damaged: the table stops for a moment to repair it" in served.said
        assert f"{code}  " in served.said
        assert f":{served.port}/host/" in read_until(served.process, "\n")
        assert served.phone.get("/join").status == 200
        assert served.stop() == 0
    with closing(open_repaired(path)) as store:
        assert store.faults() == []


# A disk that lies and a log in which bits flip: all that can be proved, and it says so.


def test_a_disk_that_lies_about_syncing_never_leads_to_a_wrong_balance(
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It loses what it said it had: no program can help that. But what opens is always a start of the log."""
    steps, first = played(tmp_path / "nights.db")
    log, _ = night_of(tmp_path / "nights.db")
    lying = [step for number, step in enumerate(steps) if step.kind != "sync" or number < first]
    came, times = Counter[str](), short_or_long(12, 1000)
    for path, told in cuts(lying, times, Random(20261122), tmp_path, first=first + 1):
        try:
            open_repaired(path).close()
            entries, is_hurt = night_of(path)
        except StoreError:
            came["refused"] += 1
        else:
            assert entries == log[: len(entries)]
            came["in part" if is_hurt else "older" if len(entries) < told else "whole"] += 1
    capfd.readouterr()
    figure(
        f"a disk that says it has written and has not: {times} power cuts; {came['whole']} whole, {came['older']} an "
        f"older state that looks whole, {came['in part']} read as far as proved and said so, {came['refused']} refused "
        "with a sentence; 0 wrong balances"
    )
    assert came["whole"] < times


def night_of(path: Path) -> tuple[list[Entry], bool]:
    """Return the log of a file's only night, and whether it says that it may end too early; nothing when it is gone."""
    with closing(Store(path)) as store:
        for row in store.nights():
            table = Nights(store, StreamHub()).get(row.code)
            return list(table.entries), table.settings.truncation is not None
    return [], False


def test_a_flipped_bit_is_said_and_costs_no_event_but_those_on_its_page(
    left: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], short_or_long: Callable[[int, int], int]
) -> None:
    """But for one in the last commit, which looks like one that a power cut has interrupted, and is left out."""
    chance, found = Random(20261124), Counter[int]()
    size = log_of(left / DATA_FILE).stat().st_size
    last = size - 4 * (FRAME_HEADER + PAGE)  # an event is written to three or four pages
    for number in range(short_or_long(60, 1500)):
        path = shutil.copytree(left, tmp_path / str(number)) / DATA_FILE
        place = chance.randrange(HEADER) if number % 5 == 0 else chance.randrange(last)
        flip(path, place * 8 + chance.randrange(8))
        with closing(open_repaired(path)) as store:
            found[len(list(store.events("K7Q")))] += 1
        said = capfd.readouterr().err
        assert "in its log, is not what was written" in said
        assert "The damaged file is kept in" in said
        shutil.rmtree(path.parent)
    assert found[LEFT_EVENTS] > 0.9 * found.total(), found
