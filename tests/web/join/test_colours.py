"""A person has one colour on a night, on every page, whoever comes, goes or is known from other nights."""

import re
from collections import defaultdict

from support.client_phones import ClientPhone, Site

from tracker.app.event_rows import new_id
from tracker.core.events import End
from tracker.web.drawing.player_token import colour_of, player_tokens, tokens_of


def colours(site: Site, code: str) -> dict[str, int]:
    """Return everybody's colour at a night, as it is now and as it is after a start."""
    table = site.tables.get(code)
    now = {seat: one.colour for seat, one in player_tokens(table.night).items()}
    table.reload()
    assert {seat: one.colour for seat, one in player_tokens(table.night).items()} == now
    return now


def test_who_stays_keeps_the_colour_and_who_comes_takes_the_next_free_one(
    site: Site, host: ClientPhone, code: str
) -> None:
    for name in ("Ben", "Mia", "Tom"):
        site.join(code, name)
    assert colours(site, code) == {"ruth": 1, "ben": 2, "mia": 3, "tom": 4}
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 303
    assert colours(site, code) == {"ruth": 1, "mia": 3, "tom": 4}
    site.join(code, "Lea")
    site.start_first_hand(host, code)
    host.post(f"/n/{code}/seats", {"name": "Zoe"})
    assert colours(site, code) == {"ruth": 1, "mia": 3, "tom": 4, "lea": 6, "zoe": 8}


def test_a_colour_follows_from_the_entry_and_is_no_other_persons_while_there_are_any() -> None:
    many = [*range(1, 11)], [*range(1, 9), 1, 2]
    for numbers, expected in (([1, 3], [1, 3]), ([1, 2, 9], [1, 2, 3]), ([2, 9, 10], [2, 1, 3]), many):
        people = tuple((f"p{number}", f"P{number}", colour_of(number)) for number in numbers)
        assert [one.colour for one in tokens_of(people).values()] == expected


TOKEN = re.compile(r'class="tok p(\d)[^"]*"[^>]*>.*?<b[^>]*>(\w+)</b>', re.DOTALL)


def painted(phone: ClientPhone, *addresses: str) -> dict[str, set[str]]:
    """Return the colours in which pages show people, by their letters."""
    found = defaultdict(set)
    for address in addresses:
        answer = phone.get(address)
        assert answer.status_code == 200, address
        for colour, letters in TOKEN.findall(answer.text):
            found[letters].add(colour)
    return found


def test_a_night_has_one_colour_for_each_person_on_every_page_also_after_other_nights(
    site: Site, host: ClientPhone, code: str
) -> None:
    """Again! carries the colours; at another night the same people sit down in another order."""
    for name in ("Ben", "Cleo", "Dora"):
        site.join(code, name)
    host.post(f"/n/{code}/seat/ben/remove")
    guest = site.join(code, "Ben")  # the last one by now
    site.tables.get(code).record(End(), id=new_id(), by="host")
    first = painted(host, f"/n/{code}/settle")
    again = host.post(f"/n/{code}/again").location.split("/")[2]
    other = site.open_night(host, "Dora")
    for name in ("Cleo", "Ben", "Ruth"):
        host.post(f"/n/{other}/seats", {"name": name})
    guest.get(f"/n/{code}")
    pages = [f"/n/{again}/{page}" for page in ("lobby", "lobby/seats", "dealer", "order", "phones", "share")]
    assert painted(host, f"/n/{code}/settle", *pages) == first
    assert painted(guest, pages[0]) == painted(site.phone(), site.join_link(again)) == first
    site.start_first_hand(host, again, "ben")
    for phone, own in ((host, ("log", "settings", "sheet/ben", "seat/ben")), (guest, ("log", "seat/ben"))):
        assert painted(phone, f"/n/{again}", *(f"/n/{again}/{page}" for page in own)) == first
