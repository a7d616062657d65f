"""Hosts of a club, as tests of several folders need them."""

from __future__ import annotations

from support.client_phones import ClientPhone, Site

from tracker.app.club import Club


def become_host(site: Site, name: str) -> ClientPhone:
    """Return a browser that opened the club's link and gave a name."""
    phone = site.phone()
    token = site.access.club.token if site.access.club else ""
    assert phone.get(f"/club/link/{token}").status_code == 200
    assert phone.post("/club", {"token": token, "name": name}).location == "/"
    return phone


def owner_id(club: Club, name: str) -> str:
    """Return the id of a host of the club."""
    return next(row.seat or "" for row in club.hosts() if row.name == name)
