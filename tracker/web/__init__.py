"""The web: one Flask app, made by `create_app`. Pages are read with GET, and only a POST records anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from flask import Flask
from flask_babel import Babel, get_locale

from tracker.resources import PACKAGE, static_dir, templates_dir
from tracker.tables import Tables
from tracker.web import (
    access,
    api,
    assets,
    backups,
    boards,
    book,
    errors,
    files,
    guards,
    here,
    home,
    join,
    kept,
    knock,
    lobby,
    new,
    night_rules,
    phones,
    pin,
    running,
    seat,
    settle,
    table,
    trouble,
    tv,
)
from tracker.web.addresses import Addresses
from tracker.web.language import LANGUAGES, language
from tracker.web.pictures import picture_of
from tracker.web.texts import gettext

ROOMS = (
    home,
    new,
    join,
    knock,
    lobby,
    seat,
    phones,
    pin,
    running,
    table,
    tv,
    book,
    settle,
    files,
    kept,
    api,
    boards,
    night_rules,
    backups,
    trouble,
)


def create_app(
    tables: Tables, *, host_names: Collection[str] = (), addresses: Callable[[], Sequence[str]] = list
) -> Flask:
    """Returns the app that serves these tables.

    `host_names` are names it answers to besides its addresses; `addresses` returns this machine's own, best first.
    """
    names = frozenset(name.lower() for name in host_names)
    app = Flask("tracker", template_folder=str(templates_dir()), static_folder=str(static_dir()))
    app.config.update(
        HOST_NAMES=names,
        OWN_ADDRESSES=addresses,
        BABEL_TRANSLATION_DIRECTORIES=str(PACKAGE / "translations"),
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions["tables"] = tables
    guards.install(app)
    access.install(app, tables, Addresses(addresses, names))
    errors.install(app)
    Babel(app, locale_selector=language)
    app.context_processor(what_every_page_knows)
    app.add_template_filter(here.bdi, "bdi")
    app.add_template_filter(gettext, "told")  # a board's own words: unlike our sentences in _(), they are escaped
    app.add_template_global(here.clock, "clock")
    app.add_template_global(picture_of, "picture_of")
    app.add_template_global(knock.asked_here, "asked_here")
    assets.install(app)
    for room in ROOMS:
        app.register_blueprint(room.bp)
    return app


def what_every_page_knows() -> dict[str, Any]:
    return {"lang": str(get_locale() or "en"), "languages": LANGUAGES}
