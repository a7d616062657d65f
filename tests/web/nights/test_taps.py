"""How many taps lead from one page to another, each by the name of what is tapped, so that no control gets lost."""

from fnmatch import fnmatch

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage, Tag, sent, text_of
from support.of_extras import of_extras
from support.sample_nights import ended_night, play_hand, record, sample_night

from tracker.core import events

TAPS = (
    "/ > Again: Michigan Rummy > /lobby",
    "/ > Another game > /new",
    "/ > English > Deutsch > /",
    "/ > Files and machine > Join a table by its code > /join",
    "/n/{code}/lobby > Settings of this night > /settings",
    "/n/{code}/lobby > Change order > /order",
    "/n/{code}/lobby > Ruth > /seat/ruth",
    "/n/{code}/lobby > Join the table > Can’t open it? > /help",
    "/n/{code}/lobby > The rules tonight > /rules",
    "/n/{code}/lobby > You play without money. > 5 cents > /lobby",
    "/n/{code}/lobby > You play without money. > Say what a chip is worth > /rules?rule=money.cents#l-money.cents",
    "/n/{code}/lobby > All phones, and who watches > /phones",
    "/n/{code}/lobby > Everyone is here > /dealer",
    "/n/{ended}/settle > Again! > /lobby",
    "/n/{ended}/settle > Good night > /",
    "/n/{ended}/settle > Undo > /n/{ended}/log",
    "/n/{ended}/settle > Keep it, send it > Files > /files",
    "/n/{ended}/settle > Keep it, send it > Log > /log",
    "/n/{played} > Code to join > /share",
    "/n/{played} > Everything recorded tonight > /log",
    "/n/{played} > Menu > This hand > Give this hand up > /n/{played}",
    "/n/{taken} > Menu > This hand > The dummy hand was sold after all > !",
    "/n/{played} > Menu > This is the last hand > /n/{played}",
    "/n/{played} > Menu > People and screens > Players and phones > /lobby",
    "/n/{played} > Menu > The rules tonight > All rules > /rules",
    "/n/{played} > Menu > The rules tonight > Settings of this night > /settings",
    "/n/{played} > Menu > Count and keep > The night as a file > /files",
    "/n/{played} > Menu > This phone > Sounds and voice > /sounds",
    *(f"/n/{{played}} > Menu > This phone > {name} > !" for name in ("Light", "Left hand", "Turn", "?", "Deutsch")),
    "/n/{played} > Menu > The first page > /",
    "/n/{played}/sheet/ben > 50 > /n/{played}",
    "/n/{played}/sheet/ben > Another number > Buy > !",
    "/n/{played}/sheet/ben > Borrow chips > 20 > !",
    "/n/{played}/sheet/ben > Played wrongly > Led too high > /n/{played}",
    "/n/{played}/sheet/ben > Pay by hand > Pay > !",
    "/n/{between}/sheet/ben > Leave the table > Ben leaves the table > /n/{between}",
    "/n/{played}/sheet/ben > Seat, name and phone > /seat/ben",
    "/n/{between} > Finish > Finish the night > /n/{between}/settle",
    "/n/{between} > Finish > One more hand, the last one > /n/{between}/settle",
    "/n/{between} > Menu > This hand > Somebody else deals > !",
    "/n/{between} > Menu > This hand > Play for double > /n/{between}",
    "/n/{between}/sheet/mia > Sit the next hand out > /n/{between}",
)
"""A page, the names of what is tapped on it and on those that follow, and how the address ends to which that leads;
`*` stands for anything, and `!` for what is there to be tapped and needs a script, or something typed before."""

TAPS_OF_A_GUEST = (
    *of_extras("taps_of_a_guest"),
    "/n/{played} > Ben > /sheet/ben",
    "/n/{played} > Menu > My chips > /sheet/ben",
    "/n/{played} > Menu > People and screens > Players and phones > /lobby",
    "/n/{played} > Menu > People and screens > Code to join > /share",
    "/n/{played} > Menu > The rules tonight > /rules",
    "/n/{played} > Menu > Log and count > Everything recorded > /log",
    "/n/{played} > Menu > Log and count > The night as a file > /files",
    "/n/{played} > Menu > This phone > Sounds and voice > /sounds",
    "/n/{played} > Menu > This phone > The first page > /",
    "/n/{played}/sheet/ben > 50 > /n/{played}",
    "/n/{between}/sheet/ben > Leave the table > Ben leaves the table > /n/{between}",
)
"""The same from the phone of somebody at the table who is not the host."""


def names_of(control: Tag) -> list[str]:
    """Return what a control is called: its label or text, and whose name stands in it."""
    return [control.get("aria-label") or text_of(control), *map(text_of, control.select("bdi"))]


class TappingPhone:
    """A phone whose taps are controls of the page that it looks at, each found by how its name begins."""

    def __init__(self, phone: ClientPhone, address: str) -> None:
        self.phone = phone
        self.open(address)

    def open(self, address: str) -> None:
        answer = self.phone.get(address)
        while answer.status_code == 303:
            address = answer.location
            answer = self.phone.get(address)
        assert answer.status_code == 200, address
        self.address, self.page = address, HtmlPage(answer.text)

    def called(self, name: str) -> Tag:
        controls = self.page.select("a[href], button, summary")
        found = [one for one in controls if any(said.startswith(name) for said in names_of(one))]
        assert found, f"nothing on {self.address} is called {name}"
        return found[0]

    def tap(self, name: str, /, **typed: str) -> None:
        """Tap a control, after something was typed into fields of its form."""
        control = self.called(name)
        if control.name == "a":
            self.open(control.get("href"))
        elif control.name == "button":
            self.send(control, typed)

    def send(self, button: Tag, typed: dict[str, str]) -> None:
        form = button.find_parent("form")
        assert form
        assert button.get("type") in ("", "submit"), button  # so that a browser without scripts sends it, too
        assert all(form.select(f"input[name={field}]") for field in typed)
        own = {button.get("name"): button.get("value")} if button.get("name") else {}
        fields = {tag.get("name"): value for tag, value in sent(form)}
        answer = self.phone.post(button.get("formaction") or form.get("action"), {**fields, **typed, **own})
        assert answer.status_code == 303, answer.text
        self.open(answer.location)


def chips_on_board(site: Site, phone: TappingPhone) -> int:
    night = site.tables.get(phone.address.split("/")[2]).night
    return sum(night.pot(pot) for pot in night.preset.board)


def test_a_name_and_three_taps_lead_from_the_first_page_to_the_first_antes(site: Site, host: ClientPhone) -> None:
    phone = TappingPhone(host, "/")
    phone.tap("Michigan Rummy", host="Ruth")
    site.join(phone.address.split("/")[2], "Ben")
    phone.tap("Everyone is here")
    phone.tap("Ben")
    assert chips_on_board(site, phone) > 0


def test_three_taps_lead_to_the_first_antes_of_the_next_night(site: Site) -> None:
    phone = TappingPhone(ended_night(site).host, "/")
    for name in ("Again: Michigan Rummy", "Everyone is here", "Ben"):
        phone.tap(name)
    assert chips_on_board(site, phone) > 0
    assert site.names(phone.address.split("/")[2]) == ["Ruth", "Ben", "Mia", "Tom"]


def test_another_game_of_late_is_one_tap_away_with_its_rules_of_then(site: Site) -> None:
    kitty = sample_night(site, "michigan-kitty", {"money.cents": 7})
    cards = {seat: events.Chips(1) for seat in ("ruth", "ben", "mia")}
    record(kitty.table, events.Hand("ruth"), events.NoSale(), events.Out("tom", cards), events.End())
    ended_night(site)
    phone = TappingPhone(ended_night(site).host, "/")  # Michigan Rummy was played more often
    phone.tap("Michigan Kitty")
    table = site.tables.get(phone.address.split("/")[2])
    assert (table.preset.id, table.preset["money.cents"]) == ("michigan-kitty", 7)


def test_a_guest_types_a_name_and_taps_once_or_taps_the_own_name(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Tom")
    for name, typed in (("Sit down", {"name": "Jo"}), ("Tom", {})):
        phone = TappingPhone(site.phone(), site.join_link(code))
        phone.tap(name, **typed)
        assert "this phone" in phone.page.text(f"#c-{typed.get('name', name).lower()}")
    assert site.names(code) == ["Ruth", "Tom", "Jo"]


def the_places(site: Site, line: str) -> tuple[ClientPhone, ClientPhone, dict[str, str]]:
    """Return the host's phone, a guest's, and the codes of the nights that a line names."""
    found = ended_night(site)
    codes = {"ended": found.table.code}
    if "{code}" in line:
        codes["code"] = site.open_night(found.host)
        add_people(found.host, codes["code"], "Ben", "Mia")
    then = {"between": (), "played": (events.NoSale(),), "taken": (events.Collect("mia", "ace-hearts"),)}
    for name in (one for one in then if f"{{{one}}}" in line):
        found = sample_night(site)
        codes[name] = found.table.code
        play_hand(found.table, "ruth", "ben", "mia")
        if then[name]:
            record(found.table, events.Hand("ben"), *then[name])
    return found.host, found.ben, codes


@pytest.mark.parametrize(
    ("line", "is_guest"),
    [*((line, False) for line in (*TAPS, *of_extras("taps"))), *((one, True) for one in TAPS_OF_A_GUEST)],
)
def test_every_control_has_its_place_at_most_three_taps_away(site: Site, line: str, *, is_guest: bool) -> None:
    host, guest, codes = the_places(site, line)
    start, *names, end = line.split(" > ")
    phone = TappingPhone(guest if is_guest else host, start.format(**codes))
    *before, last = names
    for name in before:
        phone.tap(name)
    assert names_of(phone.called(last))
    if end != "!":
        phone.tap(last)
        assert fnmatch(phone.address, "*" + end.format(**codes))
    assert len(names) <= 3
