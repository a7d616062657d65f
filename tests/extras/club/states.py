"""What the club adds to tests that walk all pages; see `functions_of_extras` in tests/support/of_extras.py."""

from collections.abc import Iterator

from extras.club.club_hosts import fill_club
from support.client_phones import ClientPhone, Site
from support.page_states import MOMENTS, ServedStates, State

from tracker.extras.club.settings import ClubNightSettings

OPTIONS = {"club": True}
ANNOUNCED = {"dummy", "between", "rounds", "score sheet", "snake count"}
"""Moments with the house's line to all tables."""


def add_states(states: ServedStates) -> None:
    club = fill_club(states.site, states.host)
    states.codes |= club.codes
    for name in MOMENTS.keys() - ANNOUNCED:
        ClubNightSettings(states.store, states.codes[name]).hidden_announcement = club.announcement
    states.visitors |= {("site", "knock"): club.asking, ("site", "club host"): club.host}
    states.more_states.append(State("site", "knock", "/club"))
    states.more_states += [State("site", "club host", path) for path in ("/", "/new")]
    if "ladder.page" in states.site.app.view_functions:  # where an extra has figures, one over all tables of the club
        states.more_states.append(State("site", "host", "/ladder"))


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    site, host = states.site, states.host
    assert site.phone().post("/club/ask", {"name": "Otto"}).status_code == 303
    yield host, "/house", "house.refuse"
    yield site.phone(), f"/club/assist/{states.codes['assist']}", "club.become_assistant"
    host.post("/house/line", {"line": "Last hand"})
    yield host, f"/n/{states.codes['between']}", "club_line.hide_announcement"
    yield host, "/house", "house.withdraw_assistants"
    yield host, "/house", "house.make_assistant_link"


def ways_in(site: Site, host: ClientPhone) -> list[str]:
    codes = fill_club(site, host).codes
    return ["/club", f"/club/link/{codes['club']}", f"/club/move/{codes['move']}", f"/club/assist/{codes['assist']}"]


def tokens(site: Site, host: ClientPhone) -> dict[str, str]:
    codes = fill_club(site, host).codes
    pages = {"club.link_page": "club", "club.assistant_page": "assist", "club.moving_page": "move"}
    return {view: codes[name] for view, name in {**pages, "room.room_table": "table"}.items()}
