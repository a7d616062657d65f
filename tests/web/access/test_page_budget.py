"""Processor time of strangers and watchers: so much each, so much in all, and honest phones never notice."""

import pytest
from support.client_phones import ClientPhone, Clock, Site

from tracker.web.access import permissions
from tracker.web.access.rate_limits import ALL_SECONDS, MOST_SENDERS, OWN_SECONDS, PageBudget


class Processor:
    """A processor for which every request takes so long."""

    def __init__(self) -> None:
        self.seconds, self.each = 0.0, 0.0

    def __call__(self) -> float:
        self.seconds += self.each
        return self.seconds


@pytest.fixture(name="clock")
def _clock(site: Site) -> Clock:
    clock = Clock()
    site.access.pages = PageBudget(clock=clock)
    return clock


@pytest.fixture(name="processor")
def _processor(monkeypatch: pytest.MonkeyPatch) -> Processor:
    processor = Processor()
    monkeypatch.setattr(permissions, "processor_time", processor)
    return processor


def test_a_watcher_takes_so_much_and_gets_it_again(
    site: Site, host: ClientPhone, code: str, clock: Clock, processor: Processor
) -> None:
    zoe, ben, moe = site.request_join(code, watch="1"), site.join(code, "Ben"), site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    processor.each = 0.5
    heard = [zoe.get(f"/n/{code}/log").status_code for _ in range(20)]
    assert heard == [200] * (int(OWN_SECONDS / processor.each) + 1) + [429] * (19 - int(OWN_SECONDS / processor.each))
    refused = zoe.get(f"/n/{code}/log")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
    assert moe.get(f"/n/{code}/log").status_code == 200
    clock.seconds += 10
    assert zoe.get(f"/n/{code}/log").status_code == 200
    assert [phone.get(f"/n/{code}/log").status_code for phone in (ben, host) for _ in range(30)] == [200] * 60


@pytest.mark.usefixtures("clock")
def test_one_network_of_strangers_takes_no_more_than_its_share_and_others_are_served(
    site: Site, processor: Processor
) -> None:
    processor.each = 1.0
    heard = [ClientPhone(site.app, f"2001:db8:1:{number:x}::1").get("/help").status_code for number in range(60)]
    assert heard.count(200) == ALL_SECONDS + 1
    for address in ("192.168.1.9", "203.0.113.9", "2001:db8:2::1", "127.0.0.1"):
        assert ClientPhone(site.app, address).get("/help").status_code == 200
    assert site.host().get("/").status_code == 200


def test_what_all_strangers_together_may_take_has_an_end_and_this_machines_browser_goes_on(
    site: Site, clock: Clock, processor: Processor
) -> None:
    processor.each = 1.0
    heard = [ClientPhone(site.app, f"203.0.{number}.9").get("/help").status_code for number in range(90)]
    assert heard.count(200) == 2 * ALL_SECONDS + 1
    assert ClientPhone(site.app, "127.0.0.1").get("/help").status_code == 200
    assert site.host("127.0.0.1").get("/").status_code == 200
    clock.seconds += 3 * ALL_SECONDS
    assert ClientPhone(site.app, "192.168.1.9").get("/help").status_code == 200


@pytest.mark.parametrize("path", ["/nowhere", "/api/openapi.json", "/j/made-up"])
@pytest.mark.usefixtures("clock")
def test_any_page_is_counted(site: Site, processor: Processor, path: str) -> None:
    processor.each, phone = OWN_SECONDS + 1, site.phone()
    phone.get(path)
    assert phone.get("/help").status_code == 429
    with phone.get("/static/shared/site.css") as file:
        assert file.status_code == 200, "of everybody's pages"


@pytest.mark.usefixtures("clock")
def test_what_is_sent_is_counted_too(site: Site, processor: Processor) -> None:
    processor.each, phone = OWN_SECONDS + 1, site.phone()
    assert phone.post("/language", {"lang": "de"}).status_code == 303
    assert phone.post("/language", {"lang": "de"}).status_code == 429


def test_a_crowd_of_accounts_is_forgotten_again() -> None:
    clock = Clock()
    budget = PageBudget(clock=clock)
    for number in range(20_000):
        clock.seconds += 0.1
        budget.take(f"sender {number}", f"network {number}", 0.001)
    assert len(budget._full_at) <= MOST_SENDERS
