"""A night for random input: what a page reads is learned from the page itself, and all that is stored is compared."""

import logging
import re
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask, Request, got_request_exception, has_request_context, request
from support.client_phones import Site
from support.faults.hostile_inputs import odd_text
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.random_nights import every_preset, legal_event
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.extras._data_files import COLUMNS
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.events.registry import BUTTONS
from tracker.web.table.game_pages import KEPT

REFUSED = {400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429}
SAID = 10  # letters that a refusal has at least
ROLES = ("host", "seat", "watcher", "knock", "nobody")
ASKED: defaultdict[str, set[str]] = defaultdict(set)
"""endpoint -> the fields that its page has ever asked a form or an address for."""


class Watched(ImmutableMultiDict[str, Any]):
    """What was sent, noting which fields a page asks for: a new field is tried from the first time it is read."""

    def __getitem__(self, key: str) -> Any:
        note(key)
        return super().__getitem__(key)

    def get(self, key: str, *rest: Any, **more: Any) -> Any:
        note(key)
        return super().get(key, *rest, **more)

    def getlist(self, key: str, *rest: Any, **more: Any) -> list[Any]:
        note(key)
        return super().getlist(key, *rest, **more)

    def __contains__(self, key: object) -> bool:
        note(str(key))
        return super().__contains__(key)


def note(key: str) -> None:
    if has_request_context() and request.endpoint:
        ASKED[request.endpoint].add(key)


class WatchedRequest(Request):
    parameter_storage_class = Watched


POT_VERBS = {*BUTTONS["pots"], *KEPT["pots"]}
SCORE_VERBS = {verb for game in BUTTONS.keys() - {"pots"} for verb in (*BUTTONS[game], *KEPT[game])}
VERBS = sorted({*POT_VERBS, *SCORE_VERBS, "exchange", "no-sale", "go-on"})
GENERIC = ("cover-ann", "cards-bob", "owed-ann", "hands-ann", "points-ann", "chips-0", "pots-ace-hearts")


class FuzzNight:
    """A night in the middle of play on a file or in another place, with a phone of every role."""

    def __init__(self, place: Path | DataPlace, chance: Random) -> None:
        self.store, self.live = Store(place), StreamHub()
        self.site = Site(Nights(self.store, self.live))
        self.site.app.request_class = WatchedRequest
        self.phones = {"host": self.site.host(), "nobody": self.site.phone()}
        self.code = self.site.open_night(self.phones["host"], "Ann", chance.choice(every_preset()).id)
        self.phones["seat"] = self.site.join(self.code, "Bob")
        self.phones["watcher"] = self.site.request_join(self.code, watch="1")
        self.site.join(self.code, "Cara")
        for _ in range(chance.choice((0, 1, 1, 6, 25))):
            self.play_on(chance)
        self.phones["knock"] = self.site.request_join(self.code, name="Zoe")

    @property
    def app(self) -> Flask:
        return self.site.app

    @property
    def table(self) -> OpenNight:
        return self.site.tables.get(self.code)

    def play_on(self, chance: Random) -> None:
        if not self.table.night.is_over:
            self.table.record(legal_event(self.table.night, chance, may_end=False), id=f"p{self.table.head}", by="ann")

    def close(self) -> None:
        self.live.stop()
        self.store.close()

    # What is stored

    def kept(self) -> dict[str, list[Any]]:
        """Return every row of every table, but for what any request may renew: tokens, and counts of requests."""
        with self.store.connection.read() as db:
            rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in COLUMNS if name != "device"}
            rows["setting"] = [row for row in rows["setting"] if not str(row[1]).startswith("old-token.")]
            rows["device"] = db.execute("SELECT id, code, role, seat, name, label FROM device").fetchall()
        return {name: sorted(found, key=repr) for name, found in rows.items()}

    def schema(self) -> list[Any]:
        """Return the tables and triggers of a data file."""
        if self.store.file is None:
            return []
        with self.store.file.read() as db:
            return db.execute("SELECT name, type, sql FROM sqlite_master ORDER BY 1, 2").fetchall()

    def check(self) -> None:
        """Every night can be read from the file, and comes to the state that the server shows."""
        assert not self.store.faults()
        again = Nights(self.store, self.live)
        for row in self.store.nights():
            try:
                shown = self.site.tables.get(row.code)
            except TableError:
                continue
            assert again.get(row.code).night == shown.night
            assert row.events == shown.head

    # What pages send

    def known(self) -> dict[str, list[str]]:
        """Return what the host's pages would send now: field -> values; and the words of the table's buttons."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for path in self.pages():
            page = HtmlPage(self.phones["host"].get(path).text)
            for tag in page.select("[name][value]"):
                found[tag.get("name")].add(tag.get("value")[:200])
        night = self.table.night
        places = [*night.preset.board, "bank"]
        found["do"] |= {f"{verb}:{what}" for verb in VERBS for what in ("", "3", "ann", "bob", places[0])}
        found["seat"] |= {"ann", "bob", "cara", ""}
        found["pot"] |= set(places)
        found["source"] |= {*places, "ann"}
        found["target"] |= {*places, "bob"}
        found["token"] |= {self.site.join_link(self.code)[3:]}
        found["typed"] |= {self.site.typed_code(self.code)}
        return {name: sorted(values) for name, values in found.items()}

    def pages(self) -> Iterator[str]:
        yield from ("/new", "/boards")
        for page in (
            *("", "/sheet", "/sheet/bob", "/lobby", "/settings", "/seat/bob"),
            *("/log", "/count", "/settle", "/rules", "/log/1"),
        ):
            yield f"/n/{self.code}{page}"

    def fill(self, rule: Rule, chance: Random, odd: float) -> str:
        """Return an address that the rule matches, mostly of this night."""
        devices = [str(row.id) for row in self.store.devices.of(self.code)]
        usual = {
            "code": [self.code],
            "seat": ["ann", "bob", "cara"],
            "device": devices,
            "token": [self.site.join_link(self.code)[3:]],
            "number": [str(n + 1) for n in range(self.table.head)],
            "hand": ["0", "1", "2"],
            "preset": [one.id for one in every_preset()],
        }
        built = rule.rule
        for argument in rule.arguments:
            value = chance.choice(usual.get(argument, ["x"]))
            if chance.random() < odd:
                value = odd_text(chance)[:200].replace("?", "").replace("#", "") or "x"
            built = re.sub(rf"<(\w+:)?{argument}>", value.replace("\\", r"\\"), built)
        return built


@contextmanager
def file_place(folder: Path) -> Iterator[Path]:
    """Yield the path of a data file, which is deleted afterwards."""
    yield folder / "scene.db"
    (folder / "scene.db").unlink()


@pytest.fixture(name="scene_of", scope="module", params=["file", *of_extras("places")])
def _scene_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Random], Any]:
    folder = tmp_path_factory.mktemp("fuzz")
    new_place: Callable[[], AbstractContextManager[Path | DataPlace]] = partial(file_place, folder)
    if request.param != "file":
        new_place = request.getfixturevalue(f"{request.param}_places")

    @contextmanager
    def made(chance: Random) -> Iterator[FuzzNight]:
        with new_place() as place, ExitStack() as stack:
            scene, faults = FuzzNight(place, chance), list[str]()

            def note(_sender: Flask, exception: BaseException, **_: Any) -> None:
                faults.extend(traceback.format_exception(exception))

            stack.callback(scene.close)
            stack.enter_context(got_request_exception.connected_to(note, scene.app))
            schema = scene.schema()
            logging.disable()  # a 500 is told by the assertion, with its traceback
            stack.callback(logging.disable, logging.NOTSET)
            try:
                yield scene
            finally:
                assert not faults, "".join(faults)
            scene.check()
            assert scene.schema() == schema

    return made
