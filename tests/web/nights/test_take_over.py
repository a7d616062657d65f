"""A night that a script has opened: the browser that opens nights on this machine can become its host."""

from __future__ import annotations

from support.api_scripts import host_of_new_night
from support.client_phones import Site


def test_the_hosts_browser_takes_over_a_night_that_a_script_opened(site: Site) -> None:
    host = site.host()
    code = host_of_new_night(site).code
    assert host.get(f"/n/{code}/lobby").status_code == 403
    assert f'name="night" value="{code}"' in host.get("/").text
    for _tap in range(2):
        assert host.post("/take-over", {"night": code}).location == f"/n/{code}/lobby"
    lobby = host.get(f"/n/{code}/lobby").text
    assert 'class="qr"' in lobby
    assert site.typed_code(code) in lobby
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert 'name="night"' not in host.get("/").text


def test_a_night_that_a_browser_hosts_is_not_taken_over(site: Site) -> None:
    code = site.open_night(site.host())
    other = site.host()
    assert 'name="night"' not in other.get("/").text
    assert other.post("/take-over", {"night": code}).status_code == 403
    assert other.get(f"/n/{code}/settings").status_code == 403


def test_only_a_browser_that_opens_nights_takes_one_over(site: Site) -> None:
    script = host_of_new_night(site)
    for phone in (site.phone(), site.join(script.code, "Dan")):
        assert phone.post("/take-over", {"night": script.code}).status_code == 403
        assert "/take-over" not in phone.get("/").text
