"""The way from the first page to a night, for the host, for guests and for strangers."""

from datetime import UTC, datetime, timedelta

import pytest
from support.api_scripts import with_command_token
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage

from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.program_days import ProgramDays
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core.events import End


def test_an_open_night_is_carried_on_from_home(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    site.start_first_hand(host, code, "ben")
    page = host.get("/").text
    assert "Carry on: " in page
    assert "Hand 1, Ben deals" in page
    assert f'href="/n/{code}"' in page


def test_home_shows_a_stranger_the_way_to_the_table_and_no_names(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    answer = site.phone().get("/")
    assert answer.location == "/join"
    assert "Ben" not in site.phone().get("/join").text
    assert site.phone().get(f"/n/{code}").status_code == 403


def test_a_guest_finds_the_night_on_the_first_page_and_cannot_open_another(site: Site, code: str) -> None:
    ben = site.join(code, "Ben")
    page = ben.get("/").text
    assert f"/n/{code}" in page
    assert not HtmlPage(page).has("[name=preset], a[href='/new']")
    assert ben.post("/new", {"preset": "michigan-rummy", "host": "Ben"}).status_code == 403


def test_the_game_played_last_is_on_top(site: Site, host: ClientPhone) -> None:
    site.open_night(host, preset="michigan-kitty")
    page = host.get("/new").text
    assert page.index("michigan-kitty") < page.index("michigan-rummy")


def test_the_hosts_name_is_remembered(site: Site, host: ClientPhone) -> None:
    site.open_night(host, "Ruth")
    assert 'value="Ruth"' in host.get("/new").text


def test_a_night_that_is_over_may_be_looked_at_from_the_machine_that_keeps_it(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    add_people(host, code, "Ben")
    table.record(End(), id="the-end", by="ruth")
    other = site.host()
    assert other.get(f"/n/{code}/settle").status_code == 200
    assert other.post(f"/n/{code}/record", {"do": "undo:1"}).status_code == 403
    assert site.phone().get(f"/n/{code}/settle").status_code == 403


@pytest.mark.parametrize("where", ["", ARCHIVED, DELETED])
@pytest.mark.parametrize("how", ["new", "again", "script"])
def test_phones_of_a_night_long_over_are_strangers_once_the_next_begins(
    site: Site, host: ClientPhone, where: str, how: str
) -> None:
    now, uptime = [datetime.now(UTC)], [0.0]
    site.access.days = ProgramDays(site.tables.store, lambda: now[0], lambda: uptime[0])
    over_now, long_over = site.open_night(host), site.open_night(host)
    ben, mia = site.join(over_now, "Ben"), site.join(long_over, "Mia")
    site.tables.get(long_over).record(End(), id="the-end", by="ruth")
    for jump, days in ((0, 0), (0, 1), (400, 0), (-400, 0), (0, 1)):
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
        assert mia.get(f"/n/{long_over}/settle").status_code == 200, "the evening, a day later, or the clock has jumped"
        now[0], uptime[0] = now[0] + timedelta(days=jump + days), uptime[0] + days * 24 * 3600
    site.tables.get(over_now).record(End(), id="the-end", by="ruth")
    for code in (over_now, long_over):
        assert host.post(f"/nights/{code}/put-away", {"where": where}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 200
    if how == "new":
        site.open_night(host)
    elif how == "script":
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
    else:
        assert host.post(f"/nights/{over_now}/again", {"key": new_id()}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 403
    if how == "again":  # and Ben's phone goes along
        assert ben.get(f"/n/{over_now}/settle").status_code == 303
    assert ben.get(f"/n/{over_now}/settle").status_code == 200
