"""Hosts of a club, as tests of several folders need them."""

from dataclasses import dataclass

from support.client_phones import ClientPhone, Site, add_people

from tracker.app.nights import Nights
from tracker.extras.club.club import Club, ClubLimits


def club_site(nights: Nights, limits: ClubLimits | None = None) -> Site:
    """Return a site with a club."""
    site = Site(nights, options={"club": True})
    if limits:
        club_of(site).limits = limits
    return site


def club_of(site: Site) -> Club:
    club = site.app.extensions["club"]
    assert isinstance(club, Club)
    return club


def become_host(site: Site, name: str) -> ClientPhone:
    """Return a browser that opened the club's link and gave a name."""
    phone = site.phone()
    token = club_of(site).token
    assert phone.get(f"/club/link/{token}").status_code == 200
    assert phone.post("/club", {"token": token, "name": name}).location == "/"
    return phone


def become_assistant(site: Site, house: ClientPhone) -> ClientPhone:
    """Return a browser that opened the link for assistants and tapped."""
    phone = site.phone()
    assert house.post("/house/assistant").status_code == 303
    token = club_of(site).settings.assistant_token
    assert phone.get(f"/club/assist/{token}").status_code == 200
    assert phone.post("/club/assist", {"token": token}).location == "/house"
    return phone


def become_screen(site: Site, house: ClientPhone) -> ClientPhone:
    """Return the browser of a big screen that asked to show all tables, and was let in."""
    phone = site.phone()
    assert phone.post("/club/ask", {"screen": "1"}).location == "/club"
    asking = site.access.devices.join_requests(None)[-1]
    assert house.post(f"/house/knocks/{asking.id}/in").status_code == 303
    assert phone.post("/club/enter").location == "/house/screen"
    return phone


def owner_id(club: Club, name: str) -> str:
    """Return the id of a host of the club."""
    return next(row.seat or "" for row in club.hosts() if row.name == name)


@dataclass(frozen=True)
class FilledClub:
    """A club with hosts and tables: what stands in its addresses, and who looks at it."""

    codes: dict[str, str]
    host: ClientPhone
    asking: ClientPhone
    """Somebody who waits for the answer of the house."""
    announcement: str
    """The id of the line to all tables."""


def fill_club(site: Site, house: ClientPhone) -> FilledClub:
    """Fill a club: a host with a table, one with a long name, tables without a host, drawn seats, somebody who asks."""
    club = club_of(site)
    anna, left, asking = become_host(site, "Anna"), become_host(site, "Leo"), site.phone()
    become_host(site, "Großmama-Wilhelmine-Lu")
    codes = [site.open_night(anna, "Anna")]
    add_people(anna, codes[0], "Mia", "Tom")
    codes += [site.open_night(left, "Leo") for _one_to_give_alone in range(2)]
    assert house.post(f"/house/hosts/{owner_id(club, 'Leo')}/dismiss").status_code == 303
    asking.post("/club/ask", {"name": "Tante Friederike"})
    owner = owner_id(club, "Anna")
    house.post("/house/tables", {"count": "12"})
    for number, code in enumerate(codes, 1):
        club.place(code, number)
    house.post("/house/seats", {"draw": "1"})
    house.post("/house/line", {"line": "Last hand, then all change tables"})
    become_assistant(site, house)
    become_screen(site, house)
    tokens = {"club": club.token, "owner": owner, "move": club.new_link(owner)}
    links = {"assist": club.settings.assistant_token, "table": club.room_tables()[7].token}
    line = club.settings.announcement
    assert line
    return FilledClub({**tokens, **links}, anna, asking, line.id)
