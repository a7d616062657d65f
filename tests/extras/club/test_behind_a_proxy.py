"""A club behind a proxy: its link leads to the public address, and who waits is counted by the client's address."""

import pytest
from support.public_site import CLIENT, PUBLIC, PublicPhone, PublicSite

from tracker.app.nights import Nights


@pytest.fixture(name="public")
def _public(tables: Nights) -> PublicSite:
    return PublicSite(tables, {"club": True})


def test_the_clubs_link_leads_to_the_public_address(public: PublicSite) -> None:
    host = PublicPhone(public.app, CLIENT)
    host.post("/host", {"token": public.access.mint_host_link().rsplit("/", 1)[1]})
    assert f"{PUBLIC}/club/link/" in host.get("/house").text


def test_who_waits_is_counted_by_the_clients_address(public: PublicSite) -> None:
    heard = [
        PublicPhone(public.app, CLIENT).post("/club/ask", {"name": f"Eve {number}"}).status_code for number in range(10)
    ]
    assert heard == [303] * 8 + [429] * 2
    assert PublicPhone(public.app, "203.0.113.8").post("/club/ask", {"name": "Ada"}).status_code == 303
