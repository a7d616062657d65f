"""What the menu of the table leads to and does, for the host and for a player."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, sent
from support.of_extras import of_extras

from tracker.app.event_rows import new_id
from tracker.core import events
from tracker.core.events import Chips

WANTED = {"rules", "lobby", "files", *of_extras("menu"), *of_extras("menu_of_pots")}
OF_BAR = {"log", "share"}
"""What has an icon in the bar of whoever has no own seat, and is in the menu of the others."""


def test_every_link_of_the_menu_opens_for_the_host_and_for_a_player(site: Site, host: ClientPhone, code: str) -> None:
    guest = site.join(code, "Ben")
    site.start_first_hand(host, code)
    for phone in (host, guest):
        menu = phone.get(f"/n/{code}/sheet", HX_Request="true").text
        here = f"/n/{code}/"
        addresses = HtmlPage(menu).values(f'[href^="{here}"]', "href")
        links = {address.removeprefix(here) for address in addresses if address.removeprefix(here).isascii()}
        assert links >= WANTED
        assert links & OF_BAR == (set() if phone is host else OF_BAR)
        assert ("This is the last hand" in menu) == (phone is host)
        for link in links:
            assert phone.get(f"/n/{code}/{link}").status_code == 200, link


def test_double_stakes_are_one_tap_and_single_ones_again(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    table = site.tables.get(code)
    for event in (events.NoSale(), events.Out("ben", {"ruth": Chips(0)}), events.Poker(("ruth",))):
        table.record(event, id=new_id(), by="host")
    for words, do, times in (("Play for double", "times:2", 2), ("Single stakes again", "times:1", 1)):
        menu = HtmlPage(host.get(f"/n/{code}/sheet", HX_Request="true").text)
        assert words in menu.text(f"[value='{do}']")
        form = {**menu.hidden_fields("form"), "do": do}
        answer = host.post(f"/n/{code}/record", dict(form), HX_Request="true")
        assert answer.status_code == 200, answer.text
        assert table.night.new_rules["ante.times"] == times


def test_the_menu_changes_the_language_of_this_device_and_comes_back_to_the_table(
    site: Site, host: ClientPhone, code: str
) -> None:
    guest = site.join(code, "Ben")
    site.start_first_hand(host, code)
    page = HtmlPage(guest.get(f"/n/{code}/sheet", HX_Request="true").text)
    form = page.hidden_fields("form[action='/language']")
    assert page.value("form[action='/language'] [aria-pressed=true]", "value") == "en"
    assert guest.post("/language", {**form, "lang": "de"}).location == f"/n/{code}"
    assert 'lang="de"' in guest.get(f"/n/{code}").text
    assert 'lang="en"' in host.get(f"/n/{code}").text


def test_a_language_chosen_leads_to_no_page_but_ours(site: Site) -> None:
    for night in ("//evil.example", "../host", "a/b", "", "\u00e9"):
        assert site.phone().post("/language", {"lang": "de", "night": night}).location == "/", night


def test_the_host_gives_a_hand_up_from_the_menu_and_the_table_is_asked_who_deals(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, preset="michigan-rummy")
    guest = site.join(code, "Ben")
    site.start_first_hand(host, code)
    button = 'button[name="do"][value="abandon"]'
    assert not HtmlPage(guest.get(f"/n/{code}/sheet").text).has(button)
    menu = HtmlPage(host.get(f"/n/{code}/sheet").text)
    form = menu.one(f"form:has({button})")
    sending = {tag.get("name"): tag.get("value") for tag in form.select("input[name]")}
    assert host.post(str(form.get("action")), {**sending, "do": "abandon"}).status_code in (200, 302, 303)
    night = site.tables.get(code).night
    assert night.is_abandoned
    for page in ("", *of_extras("watched")):
        said = host.get(f"/n/{code}{page}").text
        assert "deals next" not in said
    assert "Who deals?" in host.get(f"/n/{code}").text
    assert not HtmlPage(host.get(f"/n/{code}/sheet").text).has(button)


def test_a_place_taken_leaves_the_dummy_alone_and_the_menu_says_that_it_was_sold_after_all(
    site: Site, host: ClientPhone, code: str
) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    table, button = site.tables.get(code), 'button[name="do"][value="sale"]'
    assert not HtmlPage(host.get(f"/n/{code}/sheet").text).has(button)
    table.record(events.Collect("ruth", "ten-hearts"), id=new_id(), by="host")
    assert "The dummy hand is left alone" in host.get(f"/n/{code}/log").text
    menu = HtmlPage(host.get(f"/n/{code}/sheet").text)
    form = menu.one(f"form:has({button})")
    fields = {tag.get("name"): value for tag, value in sent(form)} | {"do": "sale", "chips": "7"}
    assert host.post(str(form.get("action")), {**fields}).status_code == 303
    deal = table.night.current_deal()
    assert (deal.dummy, deal.buyer, deal.price) == ("sold", fields["seat"], 7)
    assert not HtmlPage(host.get(f"/n/{code}/sheet").text).has(button)
