"""The web: one Flask app, made by `create_app`. Pages are read with GET, and only a POST records anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask_babel import Babel, get_locale

from tracker.resources import PACKAGE, static_dir, templates_dir
from tracker.tables import Tables
from tracker.web import access, assets, errors, guards, here
from tracker.web.addresses import Addresses
from tracker.web.language import LANGUAGES, language
from tracker.web.texts import gettext

if TYPE_CHECKING:
    from tracker.core.preset import Preset
    from tracker.web.access import Door

ROOMS = (
    "home",
    "new",
    "join",
    "knock",
    "lobby",
    "seat",
    "phones",
    "pin",
    "running",
    "table",
    "tv",
    "book",
    "settle",
    "files",
    "kept",
    "api",
    "boards",
    "night_rules",
    "backups",
    "trouble",
    "wifi",
)
"""The modules whose pages make the app; each is imported when an app with it is made."""


def create_app(
    tables: Tables,
    *,
    host_names: Collection[str] = (),
    addresses: Callable[[], Sequence[str]] = list,
    rooms: Sequence[str] = ROOMS,
    door: Door | None = None,
) -> Flask:
    """Returns the app that serves these tables.

    `host_names` are names it answers to besides its addresses; `addresses` returns this machine's own, best first.
    Apps of one server share a `door`, which knows both already.
    """
    at_door = door or access.Door(tables, Addresses(addresses, frozenset(name.lower() for name in host_names)))
    app = Flask("tracker", template_folder=str(templates_dir()), static_folder=str(static_dir()))
    app.config.update(
        HOST_NAMES=at_door.addresses.names,
        OWN_ADDRESSES=at_door.addresses.candidates,
        BABEL_TRANSLATION_DIRECTORIES=str(PACKAGE / "translations"),
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions["tables"] = tables
    guards.install(app)
    access.install(app, at_door)
    errors.install(app)
    Babel(app, locale_selector=language)
    app.context_processor(what_every_page_knows)
    app.add_template_filter(here.bdi, "bdi")
    app.add_template_filter(gettext, "told")  # a board's own words: unlike our sentences in _(), they are escaped
    app.add_template_global(here.clock, "clock")
    app.add_template_global(picture_of, "picture_of")
    assets.install(app)
    for room in rooms:
        app.register_blueprint(import_module(f"tracker.web.{room}").bp)
    return app


def what_every_page_knows() -> dict[str, Any]:
    return {"lang": str(get_locale() or "en"), "languages": LANGUAGES}


def picture_of(preset: Preset) -> str:
    from tracker.web import pictures  # noqa: PLC0415 - most pages have none, the first one neither

    return pictures.picture_of(preset)
