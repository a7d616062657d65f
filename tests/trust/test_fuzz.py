"""Everything that can be sent, sent wrong, as every role: refused in a sentence, never half done, never a 500.

The forms come from the app's own addresses, so a new one joins by itself. With `--long` seven thousand cases.
"""

import io
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from support.client_phones import ClientPhone, Site
from support.faults.fuzz_night import ASKED, GENERIC, REFUSED, ROLES, SAID, FuzzNight, _scene_of
from support.faults.hostile_inputs import as_bytes, odd_form, odd_text
from support.html_page import HtmlPage
from support.routes import may_use
from support.sample_nights import Form
from werkzeug.routing import Rule

from tracker.app.nights import Nights

__all__ = ["_scene_of"]


def words(text: str) -> str:
    return HtmlPage(text).text()


# Forms and addresses


def forms(scene: FuzzNight, method: str) -> list[Rule]:
    found = [rule for rule in scene.app.url_map.iter_rules() if method in (rule.methods or ())]
    no_form = ("static", "api.record", "api_nights.open_night", "api_nights.take") if method == "POST" else ("static",)
    return [one for one in found if one.endpoint not in no_form and not one.endpoint.endswith("stream")]


def some_role(app: Flask, rule: Rule, chance: Random) -> str:
    """Return one of those who may, or now and then anybody."""
    may = [role for role in ROLES if may_use(app, rule.endpoint, None if role == "nobody" else role)]
    return chance.choice(may if may and chance.random() < 0.8 else ROLES)


def test_no_form_does_more_than_be_refused(
    scene_of: Callable[[Random], Any], short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    cases, each = short_or_long(150, 5000), 50
    heard: Counter[int] = Counter()
    for number in range(cases // each):
        chance = Random(f"forms {number}")
        with scene_of(chance) as scene:
            known, rules = scene.known(), forms(scene, "POST")
            for at in range(each):
                rule = rules[(number * each + at) // 2 % len(rules)] if at % 2 else chance.choice(rules)
                heard[send_form(scene, rule, known, chance)] += 1
    figure(f"odd forms: {heard.total()} over all {len(rules)} addresses, {sorted(heard.items())}, 0 half done")
    assert set(heard) <= REFUSED | {200, 201, 204, 302, 303}


def send_form(scene: FuzzNight, rule: Rule, known: dict[str, list[str]], chance: Random) -> int:
    """Send one form as somebody; what is refused has changed nothing."""
    path, role = scene.fill(rule, chance, 0.1), some_role(scene.app, rule, chance)
    names = sorted(ASKED[rule.endpoint]) + [name for name in GENERIC if chance.random() < 0.1]
    form: dict[str, Any] = odd_form(names, known, chance)
    if rule.endpoint == "night_import.take" and chance.random() < 0.9:
        form["night"] = (io.BytesIO(spoiled_file(scene, chance)), odd_text(chance)[:100] or "night.json")
    headers = {"HX-Request": "true"} if chance.random() < 0.4 else {}
    headers["Accept-Language"] = chance.choice(("de", "en"))
    head, before = scene.table.head, scene.kept()
    answer = scene.phones[role].post(path, form, **headers)
    case = (role, rule.rule, path, form, answer.status_code, words(answer.text)[:300])
    assert answer.status_code < 500, case
    if answer.status_code >= 400:
        assert answer.status_code in REFUSED, case
        assert len(words(answer.text)) >= SAID, case
        assert scene.kept() == before, (case, changes(before, scene.kept()))
    heads = HtmlPage(answer.text).values("[data-head]", "data-head") if answer.status_code == 200 else []
    assert {int(head) for head in heads} <= {scene.table.head}, case
    assert scene.table.head >= head, case
    if location := answer.headers.get("Location"):
        assert re.match(r"/(?!/)", location), case
    return answer.status_code


def spoiled_file(scene: FuzzNight, chance: Random) -> bytes:
    """Return the night's own file with something in it replaced."""
    text = scene.table.export()
    at = chance.randrange(len(text))
    if chance.random() < 0.3:
        return as_bytes({"format": "board-tracker-night", "version": 1, "events": [{"kind": odd_text(chance)}]}, chance)
    return (text[:at] + odd_text(chance)[:300] + text[at + chance.choice((0, 1, 20)) :]).encode(errors="replace")


def changes(before: dict[str, list[Any]], after: dict[str, list[Any]]) -> list[Any]:
    return [(name, row) for name, rows in after.items() for row in rows if row not in before.get(name, [])]


def test_no_address_breaks_and_none_that_is_only_read_changes_anything(
    scene_of: Callable[[Random], Any], short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    cases, each = short_or_long(150, 2000), 75
    heard: Counter[int] = Counter()
    for number in range(cases // each):
        chance = Random(f"addresses {number}")
        with scene_of(chance) as scene:
            rules, before = forms(scene, "GET"), None
            for at in range(each):
                rule = rules[(number * each + at) % len(rules)]
                before = before or scene.kept()
                heard[look(scene, rule, chance)] += 1
            assert scene.kept() == before, changes(before or {}, scene.kept())
    figure(f"odd addresses: {heard.total()} over all {len(rules)}, {sorted(heard.items())}, 0 changed anything")


def look(scene: FuzzNight, rule: Rule, chance: Random) -> int:
    """Look at one address as somebody, with something odd behind the question mark."""
    path, role = scene.fill(rule, chance, 0.3), some_role(scene.app, rule, chance)
    asked = {name: odd_text(chance) for name in [*sorted(ASKED[rule.endpoint]), "x"] if chance.random() < 0.6}
    phone = scene.phones[role]
    answer = phone.client.open(
        path,
        query_string=asked,
        headers={"Host": phone.host, "If-Match": "x", "Range": "bytes=9-1", "Last-Event-ID": odd_text(chance)[:1]}
        if chance.random() < 0.2
        else {"Host": phone.host},
    )
    said = words(answer.get_data().decode(errors="replace"))  # the icon is no text
    case = (role, rule.rule, path, asked, answer.status_code, said[:300])
    assert answer.status_code in REFUSED | {200, 204, 302, 303}, case
    if answer.status_code >= 400:
        assert len(said) >= SAID, case
    if location := answer.headers.get("Location"):
        assert re.match(r"/(?!/)", location), case
    return answer.status_code


@pytest.mark.parametrize("key", ["a\nb", "\u202e", " a", "\x00"])
def test_what_could_not_be_read_back_is_not_written(site: Site, key: str) -> None:
    """An id or a name out of a form that no event may have would make the whole night unreadable."""
    host = site.host()
    code = site.open_night(host)
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    table = site.tables.get(code)
    filled: dict[str, dict[str, str | list[str]]] = {
        "record": {"do": "no-sale", "key": key},
        "order": {"seat": [key, "ruth"]},
        "dealer": {"seat": key},
    }
    for path, form in filled.items():
        host.post(f"/n/{code}/{path}", form)
    host.post("/new", {"preset": "michigan-rummy", "host": "Zoe"})
    (other,) = {row.code for row in site.tables.nights()} - {code}
    host.post(f"/n/{other}/settle", {"winners": key})
    again = Nights(site.tables.store, site.tables.live)
    for one in (code, other):
        assert again.get(one).night == site.tables.get(one).night
        assert again.get(one).entries == site.tables.get(one).entries
    assert table.head == 3


ODD_TEXTS = ("\ud800", "\x1f", "’" * 300)
"""By turns, after NUL, which PostgreSQL refuses wherever it stands."""


def test_no_address_and_no_field_breaks_on_a_character_that_a_store_refuses(
    scene_of: Callable[[Random], Any], short_or_long: Callable[[int, int], int]
) -> None:
    """Every address with odd parts, and every form with each field it reads odd, as a host and, where they may, as a
    stranger; in the short run with two of the texts.
    """
    texts = short_or_long(1, len(ODD_TEXTS))
    with scene_of(Random(1)) as scene:
        gets, posts = [rule for rule in forms(scene, "GET") if rule.arguments], forms(scene, "POST")
        for number, rule in enumerate([*gets, *posts]):
            roles = ("host", "nobody") if may_use(scene.app, rule.endpoint, None) else ("host",)
            turn = number % len(ODD_TEXTS)
            for odd, role in product(("a\0b", *(ODD_TEXTS + ODD_TEXTS)[turn : turn + texts]), roles):
                is_form = number >= len(gets)
                assert worst_status(scene, rule, odd, scene.phones[role], is_form=is_form) < 500, (rule, odd, role)


def worst_status(scene: FuzzNight, rule: Rule, odd: str, phone: ClientPhone, *, is_form: bool) -> int:
    path = re.sub(r"<[^>]+>", quote(odd, errors="surrogatepass", safe=""), rule.rule)
    if not is_form:
        return phone.get(path).status_code
    fields = sorted({"night", "token", "name", *ASKED[rule.endpoint]})
    form: Form = dict.fromkeys(fields, odd.encode(errors="replace").decode())
    return max(phone.post(address, form).status_code for address in {scene.fill(rule, Random(1), 0), path})
