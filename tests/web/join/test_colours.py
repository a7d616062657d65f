"""A person keeps the colour of the token when somebody else is taken off the table, or comes."""

import pytest
from support.client_phones import ClientPhone, Site

from tracker.web.drawing.player_token import COLOURS, colour_of, player_tokens, tokens_of


def colours(site: Site, code: str) -> dict[str, int]:
    """Return everybody's colour at a night, as it is now and as it is after a start."""
    table = site.tables.get(code)
    now = {seat: one.colour for seat, one in player_tokens(table.night).items()}
    table.reload()
    assert {seat: one.colour for seat, one in player_tokens(table.night).items()} == now
    return now


def test_those_who_stay_keep_their_colours_when_somebody_is_removed_in_the_lobby(site: Site) -> None:
    host = site.host()
    code = site.open_night(host)
    for name in ("Ben", "Mia", "Tom"):
        site.join(code, name)
    before = colours(site, code)
    assert list(before.values()) == [1, 2, 3, 4]
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 303
    after = colours(site, code)
    assert after == {seat: colour for seat, colour in before.items() if seat != "ben"}
    site.join(code, "Lea")
    lea = colours(site, code)["lea"]
    assert lea not in after.values()
    assert {**after, "lea": lea} == colours(site, code)


def test_who_comes_later_takes_the_next_free_colour(site: Site, host: ClientPhone, code: str) -> None:
    for name in ("Ben", "Mia"):
        site.join(code, name)
    site.start_first_hand(host, code)
    before = colours(site, code)
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    assert colours(site, code) == {**before, "tom": 5}  # the entry of the first hand stands between


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 3], [1, 3]),
        ([1, 2, 9], [1, 2, 3]),
        ([2, 9, 10], [2, 1, 3]),
        (list(range(1, 11)), [*range(1, 9), 1, 2]),
    ],
)
def test_a_colour_follows_from_the_entry_and_is_no_other_persons(numbers: list[int], expected: list[int]) -> None:
    people = tuple((f"p{number}", f"P{number}", colour_of(number)) for number in numbers)
    found = [one.colour for one in tokens_of(people).values()]
    assert found == expected
    assert len(set(found[:COLOURS])) == len(numbers[:COLOURS])
