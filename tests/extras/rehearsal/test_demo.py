import shlex
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from support.night_commands import run

from tracker.app.event_rows import to_row
from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.extras.rehearsal.demo import DemoNight, add_demo_nights, demo_nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SATURDAY = date(2026, 11, 21)


def rows(nights: list[DemoNight]) -> list[object]:
    return [(night.code, night.name, night.options, [to_row(entry) for entry in night.entries]) for night in nights]


def test_the_same_seed_makes_the_same_rows_and_another_seed_others() -> None:
    first, again, other = (rows(list(demo_nights(3, seed, SATURDAY))) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_nights_have_about_as_many_events_as_asked_for() -> None:
    *finished, running = demo_nights(4, 5, SATURDAY, events=300)
    assert all(290 <= len(night.entries) <= 340 for night in finished)
    assert not running.night.is_over


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "nights"
    answer = run("demo", folder)
    assert answer.exit_code == 0, answer.output
    assert shlex.split(answer.output.splitlines()[-1]) == ["board-tracker", "--data", str(folder)]
    return folder


def test_the_command_lays_out_60_nights_that_replay_without_a_fault(folder: Path) -> None:
    with closing(Store(folder / "nights.db")) as store:
        assert list(Summaries(Nights(store, StreamHub())).replay_faults()) == []
        nights = store.nights()
        assert len(nights) == 60
        days = [date.fromisoformat(night.created_at[:10]) for night in nights]
        assert days == [days[0] - timedelta(weeks=week) for week in range(60)]
        assert days[0].weekday() == 5
        tables = Nights(store, StreamHub())
        is_over = [tables.get(night.code).night.is_over for night in nights]
        assert is_over == [False] + 59 * [True]
        assert len({tables.get(night.code).preset.id for night in nights}) >= 6


def test_people_come_again_and_five_to_eight_at_a_time(folder: Path) -> None:
    with closing(Store(folder / "nights.db")) as store:
        tables = Nights(store, StreamHub())
        evenings = [tables.get(night.code).night.people for night in store.nights()]
    assert {len(people) for people in evenings} <= set(range(5, 9))
    assert sum("ruth" in people for people in evenings) > 50
    assert 5 < sum("emil" in people for people in evenings) < 30


def test_a_folder_that_has_nights_is_refused_and_left_as_it_is(folder: Path) -> None:
    before = (folder / "nights.db").read_bytes()
    answer = run("demo", folder)
    assert answer.exit_code == 1
    assert "there are nights in" in answer.output
    assert (folder / "nights.db").read_bytes() == before


def test_each_night_is_written_whole_in_one_transaction(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "nights.db")) as store:
        tables = Nights(store, StreamHub())
        assert add_demo_nights(tables, demo_nights(2, 3, SATURDAY)) == 2
        assert [tables.get(row.code).head for row in store.nights()] == [row.events for row in store.nights()]
