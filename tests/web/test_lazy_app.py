"""The first pages come from a small app, and whoever gets one could not tell it from the complete one."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import UndefinedError
from support.client_phones import HOST, Site
from support.sample_nights import record
from werkzeug.test import Client, TestResponse

from tracker.core.events import End, Hand
from tracker.web import PAGE_MODULES, create_app
from tracker.web.lazy_app import FIRST_MODULES, FIRST_PAGES, LazyApp, lazy_app

LOADS = """
import sys, threading
from pathlib import Path
from werkzeug.test import Client
from tracker.streaming.hub import StreamHub
from tracker.storage import Store
from tracker.app.nights import Nights
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.lazy_app import lazy_app
folder = Path(sys.argv[1])
store = Store(folder / "nights.db")
nights = Nights(store, StreamHub())
phone = Client(lazy_app(nights, Access(nights, Addresses()), folder / "templates"))
for path, method in (("/join", "GET"), ("/n/none", "GET")):
    status = phone.open(path, method=method, headers={"Host": "192.168.1.23:8000"}).status_code
    modules = ("table.pages", "table.view", "events.sentences", "drawing.board")
    print(status, *(name for name in modules if f"tracker.web.{name}" in sys.modules))
store.close()
"""


class Making:
    """Makes the apps of a site, and notes which."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.made: list[Sequence[str]] = []

    def __call__(self, modules: Sequence[str]) -> Flask:
        self.made.append(modules)
        return create_app(self.site.tables, access=self.site.access, modules=modules)


def ask(app: Flask | LazyApp, path: str, method: str = "GET", cookie: str = "") -> TestResponse:
    headers = {"Host": HOST, "Origin": f"http://{HOST}", "Cookie": cookie, "Accept-Language": "en"}
    answer = Client(app, use_cookies=False).open(path, method=method, headers=headers)
    answer.get_data()
    answer.close()
    return answer


def cookies_of(site: Site) -> list[str]:
    """Return what nobody, a host with a night in play and one of its seats send."""
    host = site.host()
    code = site.open_night(host)
    ben = site.join(code, "Ben")
    record(site.tables.get(code), Hand("ruth"))
    return ["", *("; ".join(f"{name}={value}" for name, value in one.cookies.items()) for one in (host, ben))]


def lobby(site: Site) -> None:
    site.open_night(site.host(), "Jo", "michigan-rummy-snake")


def over(site: Site) -> None:
    record(site.tables.get(site.open_night(site.host(), "Jo")), End())


def full_disk(site: Site) -> None:
    site.tables.disk.trouble = "full"


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("besides", [lobby, over, full_disk])
def test_the_first_app_answers_like_the_complete_one(site: Site, besides: Callable[[Site], None], lang: str) -> None:
    senders, small = cookies_of(site), create_app(site.tables, access=site.access, modules=FIRST_MODULES)
    besides(site)
    senders = [f"{cookie}; lang={lang}" for cookie in senders]
    paths = [
        "/",
        "/join",
        "/trust",
        "/help",
        "/favicon.ico",
        "/apple-touch-icon.png",
        "/manifest.json",
        "/static/shared/site.css",
        "/static/none.css",
        "/host/wrong",
        site.access.mint_host_link(),
    ]
    answered = {small.url_map.bind("here").match(path)[0] for path in paths}
    assert answered == FIRST_PAGES
    for path in paths:
        for cookie in senders:
            first, other = ask(small, path, cookie=cookie), ask(site.app, path, cookie=cookie)
            assert (first.status, first.data, first.location) == (other.status, other.data, other.location), path
            first.headers.pop("Date", None), other.headers.pop("Date", None)  # a second may pass between them
            assert {*first.headers} == {*other.headers}


def test_a_first_page_needs_no_other_module(site: Site) -> None:
    making = Making(site)
    app = LazyApp(making)
    for path in ("/", "/join", site.access.mint_host_link()):
        assert ask(app, path).status_code in (200, 303)
    assert making.made == [FIRST_MODULES]


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/join"), ("POST", "/host"), ("GET", "/n/none"), ("GET", "/none"), ("PUT", "/join")]
)
def test_whatever_else_is_asked_for_waits_for_the_whole_app(site: Site, method: str, path: str) -> None:
    making = Making(site)
    app = LazyApp(making)
    assert ask(app, path, method).status_code == ask(site.app, path, method).status_code
    assert making.made == [FIRST_MODULES, PAGE_MODULES]
    assert ask(app, "/join").status_code == 200
    assert ask(app, path, method).status_code == ask(site.app, path, method).status_code
    assert making.made == [FIRST_MODULES, PAGE_MODULES]


def test_of_many_that_ask_at_once_one_loads_and_all_are_answered(site: Site) -> None:
    making, heard = Making(site), []
    app = LazyApp(making)
    code = site.open_night(site.host())
    together = threading.Barrier(8)

    def phone(path: str) -> None:
        together.wait()
        heard.append((path, ask(app, path).status_code))

    threads = [threading.Thread(target=phone, args=(path,)) for path in ["/join", f"/n/{code}"] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == [*[("/join", 200)] * 4, *[(f"/n/{code}", 403)] * 4]
    assert making.made == [FIRST_MODULES, PAGE_MODULES]


def test_all_modules_are_loaded_when_the_first_answer_is_out_though_nobody_asks(site: Site) -> None:
    making = Making(site)
    app = LazyApp(making)
    loading = app.load_when_quiet()
    assert ask(app, "/join").status_code == 200
    loading.join()
    assert making.made == [FIRST_MODULES, PAGE_MODULES]


def test_a_tables_first_page_waits_for_no_template(site: Site) -> None:
    app = LazyApp(Making(site))
    _, host, ben = cookies_of(site)
    app.load_when_quiet().join()
    known = app.complete_app().jinja_env.cache
    assert known is not None
    before = {*known.keys()}
    for cookie in (host, ben):
        assert ask(app, f"/n/{site.tables.nights()[0].code}", cookie=cookie).status_code == 200
    assert {*known.keys()} == before


def test_modules_that_could_not_be_loaded_are_tried_again(site: Site) -> None:
    making, faults = Making(site), [OSError("too many open files")]

    def make(modules: Sequence[str]) -> Flask:
        if modules == PAGE_MODULES and faults:
            raise faults.pop()
        return making(modules)

    app = LazyApp(make)
    with pytest.raises(OSError, match="too many open files"):
        ask(app, "/n/none")
    assert ask(app, "/join").status_code == 200
    assert ask(app, "/n/none").status_code == ask(site.app, "/n/none").status_code


def test_a_server_answers_its_first_page_with_most_modules_unloaded(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LOADS, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    assert said.splitlines() == ["200", "403 table.pages table.view events.sentences drawing.board"]


def test_both_apps_know_the_same_devices(site: Site, tmp_path: Path) -> None:
    app = lazy_app(site.tables, site.access, tmp_path / "templates")
    link = site.access.mint_host_link()
    assert ask(app, link).status_code == 200
    phone = Client(app)
    headers = {"Host": HOST, "Origin": f"http://{HOST}"}
    assert phone.post("/host", data={"token": link.rpartition("/")[2]}, headers=headers).status_code == 303
    assert phone.get("/new", headers=headers).status_code == 200
    assert phone.get(link, headers=headers).status_code == 410


@pytest.mark.parametrize("modules", [FIRST_MODULES, PAGE_MODULES])
def test_a_misspelt_name_in_a_template_is_an_error(site: Site, modules: Sequence[str]) -> None:
    environment = create_app(site.tables, modules=modules).jinja_env
    with pytest.raises(UndefinedError, match="nigth"):
        environment.from_string("{{ nigth }}").render()
    with pytest.raises(UndefinedError, match="dealt"):
        environment.from_string("{% if night.dealt %}x{% endif %}").render(night=object())
