"""What the menu of the table leads to and does, for the host and for a player."""

from support.client_phones import Site
from support.of_extras import of_extras
from support.sample_nights import TableNight

from tracker.core import events
from tracker.core.events import Chips, SeatId

WANTED = {"rules", "lobby", "files", *of_extras("menu"), *of_extras("menu_of_pots")}
OF_BAR = {"log", "share"}
"""What has an icon in the bar of whoever has no own seat, and is in the menu of the others."""


def test_every_link_of_the_menu_opens_for_the_host_and_for_a_player(night: TableNight) -> None:
    here = f"{night.begin().base}/"
    for phone in (night.host, night.ben):
        menu = night.sheet("", phone)
        links = {address.removeprefix(here) for address in menu.values(f'[href^="{here}"]', "href")}
        assert links >= WANTED
        assert links & OF_BAR == (set() if phone is night.host else OF_BAR)
        assert ("This is the last hand" in menu.text()) == (phone is night.host)
        for link in links:
            assert phone.get(f"{here}{link}").status_code == 200, link


def test_double_stakes_are_one_tap_and_single_ones_again(night: TableNight) -> None:
    left = dict.fromkeys(("ruth", "mia", "tom"), Chips(0))
    night.begin().record(events.Out(SeatId("ben"), left), events.Poker((SeatId("ruth"),)))
    for words, do, times in (("Play for double", "times:2", 2), ("Single stakes again", "times:1", 1)):
        assert words in night.sheet().text(f"[value='{do}']")
        assert night.tap(do).status_code == 200
        assert night.table.night.new_rules["ante.times"] == times


def test_the_menu_changes_the_language_of_this_device_and_comes_back_to_the_table(night: TableNight) -> None:
    page, address = night.begin().sheet("", night.ben), f"/n/{night.code}"
    form = page.hidden_fields("form[action='/language']")
    assert page.value("form[action='/language'] [aria-pressed=true]", "value") == "en"
    assert night.ben.post("/language", {**form, "lang": "de"}).location == address
    for phone, lang in ((night.ben, "de"), (night.host, "en")):
        assert f'lang="{lang}"' in phone.get(address).text


def test_a_language_chosen_leads_to_no_page_but_ours(site: Site) -> None:
    for night in ("//evil.example", "../host", "a/b", "", "\u00e9"):
        assert site.phone().post("/language", {"lang": "de", "night": night}).location == "/", night


def test_the_host_gives_a_hand_up_from_the_menu_and_the_table_is_asked_who_deals(night: TableNight) -> None:
    button = "form button[name=do][value=abandon]"
    night.begin()
    assert [night.sheet("", phone).has(button) for phone in (night.ben, night.host)] == [False, True]
    assert night.tap("abandon").status_code == 200
    assert night.table.night.is_abandoned
    for page in ("", *of_extras("watched")):
        assert "deals next" not in night.host.get(f"{night.base}{page}").text
    assert "Who deals?" in night.page()
    assert not night.sheet().has(button)


def test_a_place_taken_leaves_the_dummy_alone_and_the_menu_says_that_it_was_sold_after_all(night: TableNight) -> None:
    form = "form:has(button[name=do][value=sale])"
    night.tap("ante:ruth", seat="ruth")
    assert not night.sheet().has(form)
    night.record(events.Collect(SeatId("ruth"), "ten-hearts"))
    assert "The dummy hand is left alone" in night.host.get(f"{night.base}/log").text
    fields = {**night.sheet().form(form), "chips": "7"}
    assert night.tap("sale", fields=fields).status_code == 200
    deal = night.table.night.current_deal()
    assert (deal.dummy, deal.buyer, deal.price) == ("sold", fields["seat"], 7)
    assert not night.sheet().has(form)
