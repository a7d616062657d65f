"""What lasts minutes ends after so many minutes, whatever the machine's clock is set to, at any uptime."""

import pytest

from tracker.app.steady_clock import SteadyClock, is_before

YEAR = 365 * 24 * 3600.0
UPTIMES = (0.0, 5.0, 99.0, 936.0, 9_400.0, 99_500.0, 1e6)


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
