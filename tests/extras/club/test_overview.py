"""What a host of a club may use, and what whoever runs the house sees of it."""

import re

from extras.club.club_hosts import become_host, owner_id
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import Form

from tracker.app.nights import Nights
from tracker.extras.club.club import Club, ClubLimits
from tracker.web.access.rate_limits import GuessLimit

# Quotas


def test_a_host_who_has_enough_tables_is_told_what_to_do(site: Site, club: Club) -> None:
    anna, ben = become_host(site, "Anna"), become_host(site, "Ben")
    for _ in range(club.limits.live_tables):
        code = site.open_night(anna, "Anna")
    refused = anna.post("/new", {"preset": "michigan-rummy", "host": "Anna", "key": "one-more"})
    assert refused.status_code == 422
    assert "End one of them first" in refused.text
    again = anna.post(f"/nights/{code}/again", {"key": "again"})
    assert again.status_code == 422
    assert "End one of them first" in again.text
    assert len(site.tables.nights()) == club.limits.live_tables
    assert site.open_night(ben, "Ben")


def test_tables_stand_by_their_names_with_numbers_in_order_and_their_sum(site: Site, tables: Nights) -> None:
    for number in (10, 2, 1, 11):
        tables.open("michigan-rummy", name=f"Table {number}")
    text = site.host().get("/house/live").text
    assert re.findall(r"Table \d+", text) == ["Table 1", "Table 2", "Table 10", "Table 11"]
    assert "4 tables" in text


def test_tables_and_hosts_are_found_and_stay_so_while_the_page_is_brought_up_to_date(site: Site) -> None:
    for name in ("Anna", "Ben", "Zoe"):
        site.open_night(become_host(site, name), name)
    house = site.host()
    page = HtmlPage(house.get("/house?q=zoe").text)
    assert page.has("form.find")
    assert page.values("#overview", "hx-get") == ["/house/live?q=zoe"]
    for address in ("/house?q=zoe", "/house/live?q=zoe"):
        names = " ".join(HtmlPage(house.get(address).text).texts(".rows .nm"))
        assert "Zoe" in names, address
        assert "Anna" not in names, address
    assert HtmlPage(house.get("/house/live?q=nobody").text).texts(".rows .nm") == []


def test_a_deleted_table_that_goes_on_counts(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    for _ in range(club.limits.live_tables):
        code = site.open_night(anna, "Anna")
        anna.post(f"/nights/{code}/put-away", {"where": "deleted"})
    assert anna.post("/new", {"preset": "michigan-rummy", "host": "Anna"}).status_code == 422


def test_the_same_form_sent_twice_opens_one_table_also_with_the_last_place(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    site.open_night(anna, "Anna")
    form: Form = {"preset": "michigan-rummy", "host": "Anna", "key": "k" * 32}
    first, second = anna.post("/new", form), anna.post("/new", form)
    assert first.location == second.location
    assert len(site.tables.nights()) == club.limits.live_tables


def test_a_table_has_so_many_phones_and_the_next_hears_what_to_do(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    code = site.open_night(anna, "Anna")
    for number in range(club.limits.phones - 1):
        site.join(code, f"Guest {number}")
    full = site.phone().post("/join", {"token": site.join_link(code)[3:], "name": "Eve"})
    assert full.status_code == 429
    assert "This table is full" in full.text
    assert "Eve" not in site.names(code)
    assert anna.post("/join", {"token": site.join_link(code)[3:], "seat": "anna"}).status_code == 303


def test_a_host_with_all_nights_is_told_whom_to_ask(site: Site, club: Club) -> None:
    anna = become_host(site, "Anna")
    for number in range(club.limits.nights):
        table = site.tables.open("michigan-rummy", name=f"Night {number}")
        club.set_owner(table.code, owner_id(club, "Anna"))
        site.tables.store.set_setting(table.code, "put-away", "archived")
    club.limits = ClubLimits(live_tables=99, nights=club.limits.nights)
    refused = anna.post("/new", {"preset": "michigan-rummy", "host": "Anna"})
    assert refused.status_code == 422
    assert "Ask whoever runs the house" in refused.text


# The overview


def test_the_overview_shows_tables_and_hosts_and_no_chips(site: Site) -> None:
    anna, house = become_host(site, "Anna"), site.host()
    code = site.open_night(anna, "Anna")
    site.join(code, "Zoe")
    site.start_first_hand(anna, code, "anna")
    for path in ("/house", "/house/live"):
        text = house.get(path).text
        assert "Anna" in text
        assert "Michigan Rummy" in text
        assert "Zoe" not in text
        assert f"/n/{code}" not in text
        assert "chip" not in re.sub(r"<symbol.*?</symbol>", "", text, flags=re.DOTALL)


def test_the_overview_counts_what_was_refused(site: Site) -> None:
    site.access.tries = GuessLimit(each=1)
    house, eve = site.host(), site.phone()
    for _ in range(3):
        eve.post("/join", {"typed": "AAAAAA", "name": "Eve"})
    assert "2 guesses were refused" in house.get("/house/live").text


def test_the_overview_says_that_nothing_can_be_saved(site: Site) -> None:
    house = site.host()
    site.tables.disk.trouble = "full"
    assert "Nothing can be recorded at any table" in house.get("/house").text
