"""Strangers, guessers and curious phones: what they try at every address, and that none of it gets them anywhere."""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from support.client_phones import HOST, ClientPhone, Clock, Site
from support.form_walk import state_of
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.routes import app_rules, may_use, path_of
from support.sample_nights import SampleNight, night_in_third_hand
from werkzeug.routing import Rule

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.links import CODE_SIGNS
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit
from tracker.web.access.roles import ANYONE, may

METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "POST ", "X" * 50)
ABSENT = tuple(of_extras("absent"))
LEADS = ("href", "src", "action", "hx-get", "hx-post", "hx-sse:connect")


def is_inside(way: str) -> bool:
    """Whether an address leads to this server, to this page, or to a program of the phone."""
    is_path = way.startswith("/") and not way.startswith("//")
    return not way or is_path or way.startswith(("#", "data:image", "sms:", "mailto:", "whatsapp:"))


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    return night_in_third_hand(site)


def everybody(here: SampleNight) -> dict[str | None, ClientPhone]:
    """Return a phone of every role; the one that knocks has come last."""
    asking = here.site.request_join(here.table.code, name="Jo")
    return {
        None: here.site.phone(),
        "knock": asking,
        "watcher": here.watcher,
        "seat": here.ben,
        "host": here.host,
    }


def looks(here: SampleNight) -> Iterator[tuple[Rule, str]]:
    """Yield every address that can be looked at."""
    for rule in app_rules(here.site.app):
        if "GET" in (rule.methods or ()):
            yield rule, path_of(rule, here.table.code, here.site.join_link(here.table.code)[3:])


# Guessing


def test_guesses_from_fifty_addresses_get_five_tries_a_minute_each_and_hold_up_nobody(
    here: SampleNight, short_or_long: Callable[[int, int], int]
) -> None:
    guesses, clock, site = short_or_long(500, 10_000), Clock(), here.site
    site.access.tries, site.access.pace = GuessLimit(clock=clock), PostRateLimit(clock=clock)
    heard: Counter[int] = Counter()
    strangers = [site.phone() for _ in range(50)]
    for number in range(guesses):
        clock.seconds += 0.06
        signs = "".join(CODE_SIGNS[number // 30**place % 30] for place in range(6))
        heard[strangers[number % 50].post("/join", {"typed": signs, "name": "Eve"}).status_code] += 1
        if number % 100 == 50:
            assert here.ben.post(f"{here.base}/record", {"do": "say:3", "seat": "ben"}).status_code == 303
            assert site.phone().get(site.join_link(here.table.code)).status_code == 200
    assert set(heard) == {422, 429}
    assert heard[422] <= 5 * 50 * (guesses * 0.06 / 60 + 1)
    assert not site.access.devices.join_requests(here.table.code)


# Every address


def test_every_address_answers_three_methods_and_no_other(here: SampleNight) -> None:
    """Two of the others at each address, by turns."""
    for number, rule in enumerate(here.site.app.url_map.iter_rules()):
        for method in (METHODS[number % len(METHODS)], METHODS[(number + 4) % len(METHODS)]):
            answer = here.host._open(method, path_of(rule, here.table.code), {}, {})
            assert answer.status_code in (400, 405), (method, rule.rule, answer.status_code)


@dataclass(frozen=True)
class Seen:
    """One answer of a walk over every address as everybody."""

    role: str | None
    endpoint: str
    path: str
    headers: Mapping[str, str]
    text: str
    """Empty for a stream."""


@dataclass(frozen=True)
class Walk:
    seen: list[Seen]
    secrets: list[str]
    """What stands for a phone, a script, the host's link, or leads into another night."""
    ways_in: list[str]
    """What leads into this night."""
    changed: list[str]
    """The kinds of rows of which the walk has changed some."""
    logged: str
    """What was logged, also while everybody but the host posted to every address afterwards."""


class Logged(logging.Handler):
    """Keeps all that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{record.getMessage()} {record.__dict__}")


@pytest.fixture(name="walk", scope="module")
def _walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    store, live = Store(tmp_path_factory.mktemp("walk") / "nights.db"), StreamHub()
    root, logged = logging.getLogger(), Logged()
    level = root.level
    root.addHandler(logged)
    root.setLevel(logging.DEBUG)
    site = Site(Nights(store, live))
    here = night_in_third_hand(site)
    other = site.open_night(site.host(), "Zoe")
    phones = everybody(here)
    code = here.table.code
    secrets = [value for phone in phones.values() for value in phone.cookies.values()]
    secrets += [site.script_token(code, "host"), store.setting(None, "invite-secret")]
    secrets += [site.join_link(other)[3:], site.typed_code(other), site.access.mint_host_link().rsplit("/", 1)[1]]
    before = state_of(site)
    found = [look(rule, path, role, phone) for role, phone in phones.items() for rule, path in looks(here)]
    changed = [kind for kind, rows in state_of(site).items() if rows != before[kind]]
    ways_in = [site.typed_code(code), site.join_link(code)[3:]]
    for role, phone in phones.items():
        for rule in app_rules(site.app):
            if "POST" in (rule.methods or ()) and role != "host":
                phone.post(path_of(rule, code))
    site.app.logger.error("what is logged is heard")
    root.removeHandler(logged)
    root.setLevel(level)
    yield Walk(found, secrets, ways_in, changed, "".join(logged.said))
    live.stop()
    store.close()


KEPT_BY_BROWSERS = ("made_files.board_style_sheet", *of_extras("kept_by_browsers"))


def look(rule: Rule, path: str, role: str | None, phone: ClientPhone) -> Seen:
    with phone.client.open(path, headers={"Host": HOST}) as answer:
        is_stream = answer.is_streamed and rule.endpoint.endswith("stream")
        text = "" if is_stream else answer.get_data().decode(errors="replace")
        return Seen(role, rule.endpoint, path, dict(answer.headers), text)


def test_every_answer_forbids_frames_scripts_of_others_and_keeping(walk: Walk) -> None:
    for one in walk.seen:
        policy = one.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, one
        assert "script-src 'self';" in policy, one
        assert one.headers["X-Frame-Options"] == "DENY", one
        assert one.headers["Referrer-Policy"] == "same-origin", one
        assert one.headers["X-Content-Type-Options"] == "nosniff", one
        is_for_all = one.endpoint in KEPT_BY_BROWSERS and "text/html" not in one.headers["Content-Type"]
        assert one.headers["Cache-Control"].startswith("public, max-age=" if is_for_all else "no-store"), one
    assert len(walk.seen) > 150


def test_looking_at_any_page_as_anybody_changes_nothing(walk: Walk) -> None:
    assert walk.changed == []


def test_no_page_asks_for_or_leads_to_anything_outside(walk: Walk) -> None:
    for one in {one.text: one for one in walk.seen}.values():  # many addresses answer several roles alike
        leading = HtmlPage(one.text).select(", ".join(f"[{name.replace(':', chr(92) + ':')}]" for name in LEADS))
        ways = [tag.get(name) for tag in leading for name in LEADS if tag.has_attr(name)]
        found = [way for way in ways if not is_inside(way) and not way.startswith("http://" + HOST)]
        assert not found, (one.role, one.path, found)


def test_no_page_shows_a_token_of_anybody(walk: Walk) -> None:
    """The join code is for all who are in; what stands for a phone, a script or another night is on no page at all."""
    for one in walk.seen:
        assert not [secret for secret in walk.secrets if secret in one.text], (one.role, one.path)
        if one.role in (None, "knock") and one.endpoint != "join.scan":
            assert not [way for way in walk.ways_in if way in one.text], (one.role, one.path)


def test_nothing_that_gives_access_is_ever_logged(walk: Walk) -> None:
    assert "what is logged is heard" in walk.logged
    assert not [secret for secret in walk.secrets + walk.ways_in if secret in walk.logged]


OUTSIDE = """
    /static/../pyproject.toml /static/%2e%2e/pyproject.toml /static/..%2fpyproject.toml /static/..\\pyproject.toml
    /static//etc/passwd /static/%00 /static/vendor/../../pyproject.toml /static/ /static/. //etc/passwd
    /n/../etc/passwd /boards/..%2f..%2fetc%2fpasswd /boards/CON/file
"""


def test_no_address_leads_out_of_the_folder(site: Site) -> None:
    host = site.host()
    for path in OUTSIDE.split():
        answer = host.get(path)
        assert answer.status_code in (400, 404, 405), path
        assert "root:" not in answer.text
        assert "[project]" not in answer.text


# Two nights


def test_what_opens_one_night_opens_nothing_of_another(here: SampleNight) -> None:
    """Cookies under the other night's name at every address of the other night."""
    site = here.site
    other = site.open_night(site.host(), "Zoe")
    head, name = site.tables.get(other).head, site.access.devices.cookie_name
    for phone in everybody(here).values():
        thief = site.phone()
        for value in phone.cookies.values():
            thief.client.set_cookie(f"{name}_{other}", value, domain=HOST.split(":")[0])
        for rule in app_rules(site.app):
            if (
                "code" not in rule.arguments
                or may_use(site.app, rule.endpoint, None)
                or rule.endpoint.startswith(ABSENT)
            ):
                continue
            for method in {"GET", "POST"} & (rule.methods or set()):
                path = path_of(rule, other)
                assert thief._open(method, path, {}, {"Origin": f"http://{HOST}"}).status_code in (401, 403), path
    assert site.tables.get(other).head == head


# What breaks says nothing


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_page_that_breaks_says_a_sentence_and_no_more(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    @may(ANYONE)
    def broken() -> str:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setitem(site.app.view_functions, "home.index", broken)
    answer = site.phone().get("/", **headers)
    assert answer.status_code == 500
    assert not re.search(r"secret|Traceback|RuntimeError|\.py", answer.text), answer.text
    assert len(answer.text) > 20
    assert "a secret of the inside" in caplog.text  # for whoever runs it
