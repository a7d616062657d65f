"""What is good once or counted for minutes is the same whenever the machine was started."""

import pytest
from support.client_phones import Clock

from tracker.web.access.answered_forms import AnsweredForms, KeptAnswer
from tracker.web.access.links import HostLinks, PhoneTransfer, TransferLinks
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

POWERS = [10.0**power - left for power in range(2, 8) for left in (0, 1, 599)]
AROUND = sorted({0.0, 5.0, 936.0, 9_400.0, 99_500.0, *(one for one in POWERS if one > 0)})
"""Seconds of uptime: ten minutes later some have one digit more, which texts compare wrongly."""


@pytest.fixture(name="clock", params=AROUND)
def _clock(request: pytest.FixtureRequest) -> Clock:
    clock = Clock()
    clock.seconds = request.param
    return clock


def test_a_link_is_good_once_and_for_ten_minutes(clock: Clock) -> None:
    links = HostLinks(clock=clock)
    used, late = links.mint(), links.mint()
    assert len(used) >= 43
    clock.seconds += 599
    for expected in ("host", None):
        with links.redeem(used) as value:
            assert value == expected
    assert links.is_good(late)
    clock.seconds += 1
    assert not links.is_good(late)


def test_a_phone_moves_by_its_newest_code_once(clock: Clock) -> None:
    links, phone = TransferLinks(clock=clock), PhoneTransfer("k7q", 7, "seat")
    older, newer = links.mint_for(phone), links.mint_for(phone)
    clock.seconds += 599
    for token, expected in ((older, None), (newer, phone), (newer, None)):
        with links.take(token) as moving:
            assert moving == expected


def test_guesses_and_taps_are_limited_and_then_free_again(clock: Clock) -> None:
    tries, pace = GuessLimit(clock=clock), PostRateLimit(clock=clock)
    assert [tries.take("10.0.0.1") for _ in range(16)] == [True] * 15 + [False]
    assert tries.take("10.0.0.2")
    assert [pace.take("ben") for _ in range(61)] == [True] * 60 + [False]
    clock.seconds += 60
    assert tries.take("10.0.0.1")
    assert sum(pace.take("ben") for _ in range(100)) == 60


def test_an_answered_form_is_answered_again_for_an_hour(clock: Clock) -> None:
    forms, answer = AnsweredForms(clock), KeptAnswer(303, [], "", "", [], False)
    assert forms.begin("one") is None
    forms.end("one", answer)
    clock.seconds += 3599
    assert forms.begin("one") == answer
    clock.seconds += 2
    assert forms.begin("one") is None
