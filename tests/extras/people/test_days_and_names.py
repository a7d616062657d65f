"""Days of play on the pages of people, and nights that are found by every name that somebody ever had."""

import json
from urllib.parse import urlencode

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.known_people import known_people

from tracker.app.known_people import LinkedSeat
from tracker.extras.people.people import People

DAYS = {
    "2026-03-07T20:00:00Z": "7 Mar 2026",
    "2025-10-04T20:00:00Z": "4 Oct 2025",
    "2025-01-18T20:00:00Z": "18 Jan 2025",
}
"""When nights began, the newest first, and their days."""


@pytest.fixture(name="codes")
def _codes(site: Site) -> list[str]:
    """Give the codes of nights that came in in another order than they were played, the newest first."""
    codes = {}
    for begun in sorted(DAYS, key=lambda one: one[5:]):
        sits = [{"kind": "sit", "seat": one, "name": one.title(), "at": begun} for one in ("ann", "bob", "cara")]
        hand = [{"kind": "hand", "dealer": "cara"}, {"kind": "out", "seat": "bob", "cards": {"ann": 1, "cara": 2}}]
        night = {"preset": "michigan-rummy", "options": {"poker.when": "off", "dummy": "unused"}}
        frame = {"format": "board-tracker-night", "version": 1, "name": begun[:4], **night}
        text = json.dumps({**frame, "events": [*sits, *hand, {"kind": "end"}]})
        codes[begun] = site.tables.import_night(text).code
    return [codes[begun] for begun in DAYS]


def words_on(host: ClientPhone, address: str, part: str = "main") -> str:
    answer = host.get(address)
    assert answer.status_code == 200, address
    return HtmlPage(answer.text).text(part).replace("\N{NO-BREAK SPACE}", " ")


def test_the_pages_of_people_have_the_days_of_play_in_their_order(
    site: Site, host: ClientPhone, codes: list[str]
) -> None:
    people: People = known_people(site.tables)
    ann = people.add("Ann", [LinkedSeat(code, "ann") for code in codes])
    for address, part in (
        (f"/people/{ann.id}", ".their-nights"),
        ("/people/names?name=Bob", "main"),
        (f"/people/{ann.id}/kept", "main"),
    ):
        said = words_on(host, address, part)
        places = [said.find(day) for day in DAYS.values()]
        assert places == sorted(places), address
        assert places[0] >= 0, address
    for address in ("/people", f"/people/{ann.id}"):
        assert f"last on {next(iter(DAYS.values()))}" in words_on(host, address, "body"), address


def test_a_night_is_found_by_every_name_that_somebody_there_ever_had(
    site: Site, host: ClientPhone, codes: list[str]
) -> None:
    people: People = known_people(site.tables)
    bobs = [LinkedSeat(code, "bob") for code in codes]
    robert = people.add("Bobby", bobs[:1]).id
    people.rename(robert, "Robert")
    people.merge(people.add("Bertie", bobs[1:]).id, robert)
    for query, count in {
        **dict.fromkeys(("bob", "Bobby", "ROBERT", "bertie", "ann robert"), len(codes)),
        **dict.fromkeys(("nobody", "obert"), 0),
    }.items():
        page = HtmlPage(host.get(f"/nights?{urlencode({'q': query})}").text)
        assert len(page.select(".past-nights > li > a:first-child")) == count, query
