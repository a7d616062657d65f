"""How many join requests wait, and how many watchers come in, from one address and in all."""

from support.admission_table import new_table
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.web.access.devices import (
    MOST_WAITING,
    MOST_WATCHERS,
    MOST_WATCHERS_PER_SENDER,
)


def test_a_full_list_of_join_requests_lets_only_phones_that_wait_already_ask_again(site: Site) -> None:
    table = new_table(site)
    phones = [site.request_join(table.code, name=f"Guest {number}") for number in range(MOST_WAITING - 1)]
    form: dict[str, str | list[str]] = {"token": site.join_link(table.code)[3:], "name": "Jo"}
    late = site.phone().post("/join", form)
    assert late.status_code == 429
    assert "Ask somebody at the table" in late.text
    assert "scan" not in HtmlPage(late.text).text("main")
    assert phones[0].post("/join", form).location.partition("?")[0] == f"{table.base}/knock"


def test_watchers_come_into_the_lobby_unasked_up_to_a_number_for_each_address_and_night(site: Site, code: str) -> None:
    form: dict[str, str | list[str]] = {"token": site.join_link(code)[3:], "watch": "1"}
    for number in range(MOST_WATCHERS_PER_SENDER + 2):
        ClientPhone(site.app, "192.168.1.250").post("/join", form)
        if number < MOST_WATCHERS:
            site.request_join(code, watch="1")
    store = site.tables.store
    assert len(store.devices.of(code, "watcher")) == 2 * MOST_WATCHERS_PER_SENDER + 2
    for _ in range(MOST_WATCHERS):
        site.phone().post("/join", form)
    assert len(store.devices.of(code, "watcher")) == MOST_WATCHERS
    assert len(store.devices.of(code, "knock")) == MOST_WAITING
