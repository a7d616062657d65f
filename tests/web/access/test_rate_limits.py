from support.client_phones import Clock

from tracker.web.access.rate_limits import GuessLimit, PostRateLimit


def test_a_phone_may_send_sixty_at_once_and_ten_a_second_after_that() -> None:
    clock = Clock()
    pace = PostRateLimit(clock=clock)
    assert [pace.take("ben") for _ in range(61)] == [True] * 60 + [False]
    assert pace.take("mia")
    clock.seconds += 0.1
    assert [pace.take("ben") for _ in range(2)] == [True, False]
    clock.seconds += 3600
    assert sum(pace.take("ben") for _ in range(200)) == 60


def test_an_hour_of_taps_twice_a_second_is_never_held_up() -> None:
    clock = Clock()
    pace = PostRateLimit(clock=clock)
    for _ in range(7200):
        clock.seconds += 0.5
        assert pace.take("host")


def test_a_crowd_of_made_up_senders_is_forgotten_again() -> None:
    clock = Clock()
    pace = PostRateLimit(clock=clock)
    for number in range(20_000):
        clock.seconds += 0.1
        assert pace.take(f"address {number}")
    assert len(pace._full_at) <= 5000


def test_many_addresses_together_have_three_hundred_guesses_a_minute_and_four_leave_some_for_the_others() -> None:
    clock = Clock()
    tries = GuessLimit(clock=clock)
    for minute in range(10):
        clock.seconds = 1000.0 + 60 * minute
        granted = sum(tries.take(f"10.0.0.{address}") for address in range(4) for _ in range(20))
        assert granted == 60
        assert tries.take("10.0.0.200")
        more = [f"10.0.{part}.{address}" for part in (0, 1) for address in range(4, 200)]
        granted += 1 + sum(tries.take(address) for address in more for _ in range(20))
        assert granted == 300


def test_a_right_guess_costs_nothing() -> None:
    tries = GuessLimit()
    for _ in range(30):
        assert tries.take("10.0.0.1")
        tries.give_back("10.0.0.1")
