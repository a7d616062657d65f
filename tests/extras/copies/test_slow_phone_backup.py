"""A phone that keeps the log asks one question at a time: a slow network must not look like another log."""

from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.server_process import Command
from support.waiting import held_requests, meanwhile, until

HAS_ALL = "([code, head]) => JSON.parse(localStorage.getItem(`night ${code}`) || '{}').lines?.length === head"
LONGEST_PAUSE_MS = 3000  # before a phone asks for what is new


def test_answers_that_come_late_are_not_taken_for_another_log(browser: Browser, shared_command: Command) -> None:
    with browser_night(browser, shared_command) as night:
        host = night.play("Ruth", others=["Tom"])
        night.record("no-sale")
        table = host.page.url
        host.page.goto("about:blank")
        held = held_requests(host.page, "**/copy?*")
        host.page.goto(table)
        host.collect_for("ten-hearts", "tom")
        meanwhile(host.page, lambda: bool(held))
        host.collect_for("ace-hearts", "tom")
        host.page.wait_for_timeout(LONGEST_PAUSE_MS + 500)
        assert len(held) == 1
        host.page.unroute("**/copy?*")  # which also lets those go on that were held up
        until(host.page, HAS_ALL, [night.code, night.head()])
        assert host.page.locator("#phone-backup").count() == 0
