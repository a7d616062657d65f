"""How fast a phone may send and a stranger guess, ask and watch, and how much of the processor its pages may take."""

import pytest
from support.client_phones import ClientPhone, Clock, Site
from support.html_page import HtmlPage

from tracker.web.access import permissions
from tracker.web.access.answered_forms import AnsweredForms, KeptAnswer
from tracker.web.access.devices import MOST_WAITING, MOST_WATCHERS, MOST_WATCHERS_PER_SENDER
from tracker.web.access.links import HostLinks
from tracker.web.access.rate_limits import ALL_SECONDS, OWN_SECONDS, GuessLimit, PageBudget, PostRateLimit


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


class Processor:
    """A processor for which every request takes so long."""

    def __init__(self) -> None:
        self.seconds, self.each = 0.0, 0.0

    def __call__(self) -> float:
        self.seconds += self.each
        return self.seconds


@pytest.fixture(name="processor")
def _processor(site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Processor:
    processor = Processor()
    monkeypatch.setattr(permissions, "processor_time", processor)
    site.access.pages = PageBudget(clock=clock)
    return processor


def test_a_watcher_takes_so_much_and_gets_it_again(
    site: Site, host: ClientPhone, code: str, clock: Clock, processor: Processor
) -> None:
    zoe, ben, moe = site.request_join(code, watch="1"), site.join(code, "Ben"), site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    processor.each, most = 0.5, int(OWN_SECONDS / 0.5) + 1
    heard = [zoe.get(f"/n/{code}/log") for _ in range(20)]
    assert [one.status_code for one in heard] == [200] * most + [429] * (20 - most)
    assert heard[-1].headers["Retry-After"] == "10"
    assert moe.get(f"/n/{code}/log").status_code == 200
    clock.seconds += 10
    assert zoe.get(f"/n/{code}/log").status_code == 200
    assert [phone.get(f"/n/{code}/log").status_code for phone in (ben, host) for _ in range(30)] == [200] * 60


def help_from(site: Site, *addresses: str) -> list[int]:
    return [ClientPhone(site.app, address).get("/help").status_code for address in addresses]


def test_one_network_of_strangers_takes_no_more_than_its_share_and_others_are_served(
    site: Site, processor: Processor
) -> None:
    processor.each = 1.0
    heard = help_from(site, *(f"2001:db8:1:{number:x}::1" for number in range(60)))
    assert heard.count(200) == ALL_SECONDS + 1
    assert help_from(site, "192.168.1.9", "203.0.113.9", "2001:db8:2::1", "127.0.0.1") == [200] * 4
    assert site.host().get("/").status_code == 200


def test_what_all_strangers_together_may_take_has_an_end_and_this_machines_browser_goes_on(
    site: Site, clock: Clock, processor: Processor
) -> None:
    processor.each = 1.0
    heard = help_from(site, *(f"203.0.{number}.9" for number in range(90)))
    assert heard.count(200) == 2 * ALL_SECONDS + 1
    assert help_from(site, "127.0.0.1") == [200]
    assert site.host("127.0.0.1").get("/").status_code == 200
    clock.seconds += 3 * ALL_SECONDS
    assert help_from(site, "192.168.1.9") == [200]


@pytest.mark.parametrize("path", ["/nowhere", "/api/openapi.json", "/j/made-up", "a form"])
def test_any_page_and_any_form_is_counted(site: Site, processor: Processor, path: str) -> None:
    processor.each, phone = OWN_SECONDS + 1, site.phone()
    answer = phone.post("/language", {"lang": "de"}) if path == "a form" else phone.get(path)
    assert answer.status_code != 429
    assert phone.get("/help").status_code == 429
    with phone.get("/static/shared/site.css") as file:
        assert file.status_code == 200, "of everybody's pages"
