"""How much of the processor the pages of strangers and watchers may take."""

import pytest
from support.client_phones import ClientPhone, Clock, Site

from tracker.extras.internet import page_budget
from tracker.extras.internet.page_budget import ALL_SECONDS, OWN_SECONDS, PageBudget


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


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
    monkeypatch.setattr(page_budget, "processor_time", processor)
    site.app.extensions["page_budget"] = PageBudget(clock=clock)
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
