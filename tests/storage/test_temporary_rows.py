"""What lasts minutes, at any uptime of the machine: every method, in memory and in a shared database; the clock."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.at_once import at_once
from support.client_phones import Clock

from tracker.app.steady_clock import SteadyClock, is_before
from tracker.storage import DataPlace, ExpiringRows, Store, temporary

UPTIMES = (0.0, 5.0, 99.0, 401.0, 936.0, 9_400.0, 99_500.0, 999_700.0)
"""Seconds since the machine was started; within ten minutes of each the number has one digit more, but for two."""
MINUTES = 600.0
ENDED = -1.0


def added(rows: ExpiringRows) -> None:
    rows.add("link", "a", MINUTES, "one")
    rows.add("link", "a", MINUTES + 1, "two")
    rows.add("link", "b", ENDED, "three")
    assert (rows.value("link", "a"), rows.value("link", "b"), rows.value("other", "a")) == ("two", None, None)


def keys(rows: ExpiringRows) -> None:
    for key, seconds in (("a", MINUTES), ("a", MINUTES), ("b", MINUTES), ("c", ENDED)):
        rows.add("came", key, seconds, "here")
    rows.add("came", "d", MINUTES, "elsewhere")
    assert rows.keys("came", "here") == {"a", "b"}
    assert rows.keys("came", "nowhere") == set()


def taken(rows: ExpiringRows) -> None:
    rows.add("link", "a", MINUTES, "one")
    rows.add("link", "b", ENDED, "two")
    assert [rows.take("link", key) for key in ("a", "a", "b", "c")] == ["one", None, None, None]
    rows.add("link", "a", MINUTES, "one")
    assert sorted(at_once([lambda: rows.take("link", "a") or ""] * 8)) == [""] * 7 + ["one"]


def given_back(rows: ExpiringRows) -> None:
    for _ in range(3):
        assert rows.count_one("guess", "a", MINUTES, each=3, in_all=9)
    rows.give_back("guess", "a")
    rows.give_back("guess", "nobody")
    assert [rows.count_one("guess", "a", MINUTES, each=3, in_all=9) for _ in range(2)] == [True, False]


def counted(rows: ExpiringRows) -> None:
    rows.add("guess", "a", ENDED)
    assert [rows.count_one("guess", "a", MINUTES, each=2, in_all=3) for _ in range(3)] == [True, True, False]
    assert [rows.count_one("guess", key, MINUTES, each=2, in_all=3) for key in "bcd"] == [True, False, False]
    assert rows.count_one("another kind", "a", MINUTES, each=2, in_all=3)


def counted_in_groups(rows: ExpiringRows) -> None:
    flood = [rows.count_one("guess", f"a{number}", MINUTES, each=5, in_all=40, group="a") for number in range(60)]
    assert sum(flood) == 20, "half of all"
    others = [rows.count_one("guess", f"b{number}", MINUTES, each=5, in_all=40, group="b") for number in range(60)]
    assert sum(others) == 5, "an even share of what is left"
    assert rows.count_one("guess", "c", MINUTES, each=5, in_all=40, group="c")
    last = [
        rows.count_one("guess", f"d{number}", MINUTES, each=5, in_all=40, group=f"d{number}") for number in range(60)
    ]
    assert sum(last) == 40 - 26, "never more than all"


def tallied(rows: ExpiringRows) -> None:
    for key in "aab":
        rows.tally("refused", key, MINUTES)
    rows.tally("refused", "a", MINUTES)
    assert rows.sums("refused") == {"a": 3, "b": 1}


METHODS = (
    added, keys, taken, given_back, counted, counted_in_groups, tallied,
)  # fmt: skip


@pytest.mark.parametrize("uptime", UPTIMES)
@pytest.mark.parametrize("check", METHODS, ids=lambda method: method.__name__)
def test_every_method_does_the_same_at_every_uptime(uptime: float, check: Callable[[ExpiringRows], None]) -> None:
    check(ExpiringRows(clock=Clock(uptime)))


def test_no_method_is_left_out() -> None:
    public = {name for name in vars(ExpiringRows) if not name.startswith("_")}
    called = {name for method in METHODS for name in method.__code__.co_names}
    called |= {
        name
        for method in METHODS
        for one in method.__code__.co_consts
        if hasattr(one, "co_names")
        for name in one.co_names
    }
    assert public <= called


@pytest.fixture(name="shared")
def _shared(place: Path | DataPlace) -> Iterator[ExpiringRows]:
    with closing(Store(place)) as store:
        yield store.temporary


@pytest.mark.every_place
@pytest.mark.parametrize("check", METHODS, ids=lambda method: method.__name__)
def test_what_processes_share_does_what_one_process_does(
    shared: ExpiringRows, check: Callable[[ExpiringRows], None]
) -> None:
    check(shared)


@pytest.mark.parametrize("uptime", UPTIMES)
def test_a_row_is_there_until_it_ends_and_not_longer(uptime: float) -> None:
    clock = Clock(uptime)
    rows = ExpiringRows(clock=clock)
    rows.add("link", "a", MINUTES, "host")
    rows.tally("refused", "a", MINUTES)
    assert rows.count_one("guess", "a", MINUTES, each=1, in_all=9)
    for later in (1.0, 60.0, 64.0, 200.0, 594.0, 599.9):
        clock.seconds = uptime + later
        assert rows.value("link", "a") == "host"
        assert rows.keys("link", "host") == {"a"}
        assert rows.sums("refused") == {"a": 1}
        assert not rows.count_one("guess", "a", MINUTES, each=1, in_all=9)
    clock.seconds = uptime + MINUTES
    assert rows.take("link", "a") is None
    assert rows.value("link", "a") is None
    assert not rows.keys("link", "host")
    assert not rows.sums("refused")
    assert rows.count_one("guess", "a", MINUTES, each=1, in_all=9)


def test_rows_that_have_ended_or_were_taken_back_are_kept_nowhere() -> None:
    clock = Clock(0.0)
    rows = ExpiringRows(clock=clock)
    for number in range(20_000):
        rows.add("link", f"{number}", MINUTES, f"{number}")
        rows.take("link", f"{number}")
        rows.tally("refused", "pace", MINUTES)
    assert not rows._kinds["link"]
    assert [len(kept) for kept in rows._kinds["refused"].values()] == [1], "what is counted within seconds is one row"
    clock.seconds = MINUTES
    rows.value("refused", "pace")
    assert not rows._kinds["refused"]


def test_a_kind_has_so_many_rows_at_the_most_and_the_first_to_end_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "MOST_OF_A_KIND", 90)
    rows = ExpiringRows(clock=Clock(0.0))
    for number in range(100):
        rows.add("came", f"{number}", MINUTES + number, "here")
    assert len(rows._kinds["came"]) == 90
    assert rows.value("came", "9") is None
    assert rows.value("came", "10") == "here"


# The clock, whatever the machine's own is set to


YEAR = 365 * 24 * 3600.0


@pytest.mark.parametrize("uptime", UPTIMES)
def test_a_clock_that_is_set_meanwhile_ends_nothing_early_and_lets_nothing_last_longer(uptime: float) -> None:
    wall, passed = [1.7e9], [uptime]
    clock = SteadyClock(lambda: wall[0], lambda: passed[0])
    end = clock() + 300
    for jump in (YEAR, -2 * YEAR, -50 * YEAR):
        wall[0] += jump
        assert is_before(clock(), end, 300)
    passed[0] += 299
    assert is_before(clock(), end, 300)
    passed[0] += 1
    assert not is_before(clock(), end, 300)


def test_an_end_that_an_earlier_run_set_by_a_clock_a_year_ahead_has_passed() -> None:
    ahead, now = SteadyClock(lambda: 1.7e9 + YEAR, lambda: 50.0), SteadyClock(lambda: 1.7e9, lambda: 50.0)
    assert not is_before(now(), ahead() + 300, 300)
    assert is_before(now(), now() + 300, 300)


def test_a_moment_is_shown_by_the_machines_clock_as_it_is_set_now() -> None:
    wall, passed = [0.0], [7.0]
    clock = SteadyClock(lambda: wall[0], lambda: passed[0])
    end = clock() + 600
    wall[0], passed[0] = 1.7e9, 17.0
    assert clock.on_machine(end) == 1.7e9 + 590
