"""Night files that were changed at random: refused in a sentence or taken, and never a page that breaks."""

import json
from collections.abc import Callable
from random import Random

import pytest
from extras._shared.changed_texts import DATES, HALF, mutated
from extras.imports.uploads import upload_night
from support.client_phones import ClientPhone, Site
from support.of_extras import needs, of_extras
from support.paths import NIGHTS

from tracker.app.event_rows import new_id
from tracker.web.access.devices import SCRIPT, hash_token
from tracker.web.access.rate_limits import PostRateLimit


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    return site.host()


def of_a_script(site: Site, host: ClientPhone) -> dict[str, str]:
    """Return the headers of a script that has the token of the command."""
    site.tables.store.devices.add(hash_token("x" * 32), code=None, role="host", at="2026-11-20T20:15:00Z", label=SCRIPT)
    return {"Authorization": f"Bearer {'x' * 32}", "Host": host.host, "Content-Type": "application/json"}


def test_any_night_file_is_answered(site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]) -> None:
    chance, files = Random(4), sorted(NIGHTS.glob("*.json"))
    script, headers = site.phone(), of_a_script(site, host)
    for number in range(short_or_long(150, 3000)):
        value = mutated(json.loads(chance.choice(files).read_text("utf-8")), chance)
        for text in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")):
            assert upload_night(host, text, key=new_id()).status_code in (200, 303, 422), (number, value)
            brought = script.client.post("/api/import", data=text, headers=headers)
            assert brought.status_code in (200, 201, 400, 404, 422), (number, value)
    for page in ("/", *of_extras("lists"), *of_extras("csv_of_nights")[:1], "/api/nights"):
        assert host.get(page).status_code < 500


def test_half_a_character_is_refused_wherever_a_text_comes_in(site: Site, host: ClientPhone) -> None:
    needs("api")
    headers = of_a_script(site, host)
    bodies = {
        "/api/import": {"format": "board-tracker-night", "version": 1, "preset": HALF, "events": []},
        "/api/nights": {"preset": "michigan-rummy", "name": HALF},
    }
    for path, body in bodies.items():
        answer = site.phone().client.post(path, data=json.dumps(body), headers=headers)
        assert answer.status_code in (400, 422)
        assert "half a character" in answer.text


@pytest.mark.parametrize("date", DATES)
def test_a_file_of_a_night_that_begins_at_no_moment_of_this_world_is_refused(
    site: Site, host: ClientPhone, date: str
) -> None:
    file = json.loads((NIGHTS / "kitty-three-hands.json").read_text("utf-8"))
    file["events"][0]["at"] = date
    assert upload_night(host, json.dumps(file)).status_code == 422
    assert site.tables.nights() == []
