"""How many taps lead from one page to another, each by the name of what is tapped, so that no control gets lost."""

from fnmatch import fnmatch

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage, Tag, sent, text_of
from support.of_extras import of_extras
from support.sample_nights import play_hand, record, sample_night

from tracker.core import events

TAPS = (
    "/ > Again: Michigan Rummy > /lobby",
    "/ > Another game > /new",
    "/ > All nights > /nights",
    "/ > All nights > More about > /nights/{ended}",
    "/ > English > Deutsch > /",
    "/ > Files and machine > Bring a night from a file > /import",
    "/ > Files and machine > Put away > /put-away",
    "/ > Files and machine > Join a table by its code > /join",
    "/ > Files and machine > What you can rely on > /trust",
    "/n/{code}/lobby > Settings of this night > /settings",
    "/n/{code}/lobby > Settings of this night > Table PIN > /pin",
    "/n/{code}/lobby > Settings of this night > Give the table to > /hand-over",
    "/n/{code}/lobby > Change order > /order",
    "/n/{code}/lobby > Ruth > /seat/ruth",
    "/n/{code}/lobby > Join the table > Can’t open it? > /help",
    "/n/{code}/lobby > Join the table > No Wi-Fi yet? > /wifi",
    "/n/{code}/lobby > Michigan Rummy > Michigan Kitty > /lobby",
    "/n/{code}/lobby > The rules tonight > /rules",
    "/n/{code}/lobby > You play without money. > 5 cents > /lobby",
    "/n/{code}/lobby > You play without money. > Say what a chip is worth > /rules?rule=money.cents#l-money.cents",
    "/n/{code}/lobby > All phones, and who watches > /phones",
    "/n/{code}/lobby > What you can rely on > /trust",
    "/n/{code}/lobby > Everyone is here > /dealer",
    "/n/{ended}/settle > Again! > /lobby",
)
"""A page, the names of what is tapped on it and on those that follow, and how the address ends to which that leads;
`*` stands for anything."""


def names_of(control: Tag) -> list[str]:
    """Return what a control is called: its label or text, and whose name stands in it."""
    return [control.get("aria-label") or text_of(control), *map(text_of, control.select("bdi"))]


class TappingPhone:
    """A phone whose taps are controls of the page that it looks at, each found by how its name begins."""

    def __init__(self, phone: ClientPhone, address: str) -> None:
        self.phone = phone
        self.typed: dict[str, str] = {}
        self.open(address)

    def open(self, address: str) -> None:
        answer = self.phone.get(address)
        while answer.status_code == 303:
            address = answer.location
            answer = self.phone.get(address)
        assert answer.status_code == 200, address
        self.address, self.page = address, HtmlPage(answer.text)

    def type(self, field: str, text: str) -> None:
        assert self.page.has(f"input[name={field}]")
        self.typed[field] = text

    def tap(self, name: str) -> None:
        controls = self.page.select("a[href], button, summary")
        found = [one for one in controls if any(said.startswith(name) for said in names_of(one))]
        assert found, f"nothing on {self.address} is called {name}"
        if found[0].name == "a":
            self.open(found[0].get("href"))
        elif found[0].name == "button":
            self.send(found[0])

    def send(self, button: Tag) -> None:
        form = button.find_parent("form")
        assert form
        fields: dict[str, str | list[str]] = {tag.get("name"): value for tag, value in sent(form)}
        fields |= self.typed
        if button.get("name"):
            fields[button.get("name")] = button.get("value")
        answer = self.phone.post(button.get("formaction") or form.get("action"), fields)
        assert answer.status_code == 303, answer.text
        self.typed = {}
        self.open(answer.location)


def ended(site: Site) -> tuple[ClientPhone, str]:
    """Return the host's phone and the code of a night of four that is over."""
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    record(found.table, events.End())
    return found.host, found.table.code


def chips_on_board(site: Site, phone: TappingPhone) -> int:
    night = site.tables.get(phone.address.split("/")[2]).night
    return sum(night.pot(pot) for pot in night.preset.board)


def test_a_name_and_three_taps_lead_from_the_first_page_to_the_first_antes(site: Site, host: ClientPhone) -> None:
    phone = TappingPhone(host, "/")
    phone.type("host", "Ruth")
    phone.tap("Michigan Rummy")
    site.join(phone.address.split("/")[2], "Ben")
    phone.tap("Everyone is here")
    phone.tap("Ben")
    assert chips_on_board(site, phone) > 0


def test_three_taps_lead_to_the_first_antes_of_the_next_night(site: Site) -> None:
    phone = TappingPhone(ended(site)[0], "/")
    for name in ("Again: Michigan Rummy", "Everyone is here", "Ben"):
        phone.tap(name)
    assert chips_on_board(site, phone) > 0
    assert site.names(phone.address.split("/")[2]) == ["Ruth", "Ben", "Mia", "Tom"]


def test_another_game_of_late_is_one_tap_away_with_its_rules_of_then(site: Site) -> None:
    kitty = sample_night(site, "michigan-kitty", {"money.cents": 7})
    cards = {seat: events.Chips(1) for seat in ("ruth", "ben", "mia")}
    record(kitty.table, events.Hand("ruth"), events.NoSale(), events.Out("tom", cards), events.End())
    ended(site)
    phone = TappingPhone(ended(site)[0], "/")  # Michigan Rummy was played more often
    phone.tap("Michigan Kitty")
    table = site.tables.get(phone.address.split("/")[2])
    assert (table.preset.id, table.preset["money.cents"]) == ("michigan-kitty", 7)


def test_a_guest_types_a_name_and_taps_once(site: Site, code: str) -> None:
    phone = TappingPhone(site.phone(), site.join_link(code))
    phone.type("name", "Jo")
    phone.tap("Sit down")
    assert "Jo" in site.names(code)


@pytest.mark.parametrize("line", [*TAPS, *of_extras("taps")])
def test_every_control_of_the_way_in_has_its_place_at_most_three_taps_away(site: Site, line: str) -> None:
    start, *names, end = line.split(" > ")
    host, over = ended(site)
    code = ""
    if "{code}" in line:
        code = site.open_night(host)
        add_people(host, code, "Ben", "Mia")
    phone = TappingPhone(host, start.format(code=code, ended=over))
    for name in names:
        phone.tap(name)
    assert fnmatch(phone.address, "*" + end.format(code=code, ended=over))
    assert len(names) <= 3
