"""The whole night as one code at its end: on every phone, and brought in on another machine."""

from random import Random

import pytest
from extras._shared.qr_pictures import text_in_qr
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import ended_night, night_in_third_hand, record, visible_text

from tracker.app.event_rows import new_id
from tracker.core import events
from tracker.extras._night_files.codes import code_text

PAGES = "https://cards.example/"


@pytest.mark.parametrize("pages", ["", PAGES])
def test_every_phone_shows_the_night_as_one_code(site: Site, pages: str) -> None:
    site.app.config["PAGES"] = pages
    here = ended_night(site)
    link = pages + "#" if pages else ""
    for phone in (here.host, here.ben, here.watcher):
        assert text_in_qr(phone.get(f"{here.base}/settle").text) == link + code_text(here.table)
    assert visible_text(here.ben.get(f"{here.base}/settle")).count("The night in one code") == 1
    running = night_in_third_hand(site)
    assert "The night in one code" not in visible_text(running.host.get(f"{running.base}/settle"))


def test_the_text_of_a_code_brings_the_night_in_on_another_machine(site: Site) -> None:
    needs("imports")  # it says what else a file may be
    here, host = ended_night(site, {"money.cents": 5}), site.host()
    code, key = HtmlPage(here.ben.get(f"{here.base}/settle").text).text("#code"), new_id()
    answer = host.post("/import", {"code": f"{PAGES}#{code}", "key": key})
    assert answer.status_code == 303
    assert answer.location.endswith("/settle")
    assert host.post("/import", {"code": code, "key": key}).location == answer.location
    brought = site.tables.get(answer.location.split("/")[2])
    assert brought.night == here.table.night
    assert brought.name == here.table.name
    pages = [visible_text(host.get(f"{base}/settle")) for base in (here.base, f"/n/{brought.code}")]
    assert pages[0].partition("The night in one code")[0] == pages[1].partition("The night in one code")[0]
    wrong = (("", "paste a code"), ("hello", "like a text"), (code[:-5], "damaged"), ("N9" + code[2:], "newer"))
    for text, why in wrong:
        refused = host.post("/import", {"code": text, "key": "b"})
        assert refused.status_code == 422
        assert why in visible_text(refused)


def test_a_night_that_is_too_long_for_one_code_says_so_and_gives_the_file(site: Site) -> None:
    here, chance = ended_night(site), Random(1)
    record(here.table, events.Undo(here.table.head))
    record(here.table, *(events.Amend(1, {"name": f"{chance.getrandbits(160):x}"}) for _ in range(100)))
    assert "too long" not in visible_text(here.ben.get(f"{here.base}/settle"))
    record(here.table, events.End())
    page = HtmlPage(here.ben.get(f"{here.base}/settle").text)
    assert "too long for one code" in page.text(".night-code")
    assert f"{here.base}/night.json" in page.values(".night-code a", "href")
    assert not page.values(".night-code .qr", "viewBox")
    assert code_text(here.table)[:2] == "N1"
