"""How fast a phone may send, and how often a stranger may guess, ask and watch."""

import pytest
from support.client_phones import ClientPhone, Clock, Site
from support.html_page import HtmlPage

from tracker.web.access.answered_forms import AnsweredForms, KeptAnswer
from tracker.web.access.devices import MOST_WAITING, MOST_WATCHERS, MOST_WATCHERS_PER_SENDER
from tracker.web.access.links import HostLinks
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


def test_a_phone_may_send_sixty_at_once_and_ten_a_second_after_that(clock: Clock) -> None:
    pace = PostRateLimit(clock=clock)
    assert [pace.take("ben") for _ in range(61)] == [True] * 60 + [False]
    assert pace.take("mia")
    clock.seconds += 0.1
    assert [pace.take("ben") for _ in range(2)] == [True, False]
    clock.seconds += 3600
    assert sum(pace.take("ben") for _ in range(200)) == 60


def test_a_crowd_of_made_up_senders_is_forgotten_again(clock: Clock) -> None:
    pace = PostRateLimit(clock=clock)
    for number in range(20_000):
        clock.seconds += 0.1
        assert pace.take(f"address {number}")
    assert len(pace._full_at) <= 5000


def test_a_stranger_may_guess_fifteen_times_a_minute(clock: Clock) -> None:
    tries = GuessLimit(clock=clock)
    for _minute in range(2):
        assert [tries.take("10.0.0.1") for _ in range(16)] == [True] * 15 + [False]
        clock.seconds += 60


def test_a_hosts_link_is_good_for_ten_minutes_and_an_answered_form_is_answered_again_for_an_hour(clock: Clock) -> None:
    links, forms, answer = HostLinks(clock=clock), AnsweredForms(clock), KeptAnswer(303, [], "", "", [], False)
    link = links.mint()
    assert len(link) >= 43
    assert forms.begin("one") is None
    forms.end("one", answer)
    for seconds, is_good, known in ((599, True, answer), (1, False, answer), (2999, False, answer), (2, False, None)):
        clock.seconds += seconds
        assert (links.is_good(link), forms.begin("one")) == (is_good, known)


def test_a_full_list_of_join_requests_lets_only_phones_that_wait_already_ask_again(
    site: Site, host: ClientPhone, code: str
) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    first, *_ = [site.request_join(code, name=f"Guest {number}") for number in range(MOST_WAITING)]
    form: dict[str, str | list[str]] = {"token": site.join_link(code)[3:], "name": "Jo"}
    late = site.phone().post("/join", form)
    assert late.status_code == 429
    assert "Ask somebody at the table" in late.text
    assert "scan" not in HtmlPage(late.text).text("main")
    assert first.post("/join", form).location.partition("?")[0] == f"/n/{code}/knock"


def test_so_many_watchers_of_a_night_come_in_unasked_and_the_others_wait(site: Site, code: str) -> None:
    for _ in range(MOST_WATCHERS + MOST_WATCHERS_PER_SENDER):
        site.request_join(code, watch="1")
    devices = site.tables.store.devices
    assert len(devices.of(code, "watcher")) == MOST_WATCHERS
    assert len(devices.of(code, "knock")) == MOST_WATCHERS_PER_SENDER
