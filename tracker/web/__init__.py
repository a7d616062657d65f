"""The web: one Flask app, made by `create_app`. Pages are read with GET, and only a POST records anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask_babel import Babel
from jinja2 import StrictUndefined

from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.core.house_rules import MOST_CHIPS
from tracker.web import compression, context, error_pages, template_texts
from tracker.web.access import permissions, request_guards
from tracker.web.access.public_address import Addresses
from tracker.web.events.registry import reason_name
from tracker.web.resources import PACKAGE, static_dir, templates_dir
from tracker.web.wording.language import LANGUAGES, language
from tracker.web.wording.times import time_of_day

if TYPE_CHECKING:
    from tracker.core.preset import Preset
    from tracker.web.access.permissions import Access

PAGE_MODULES = (
    "nights.home",
    "nights.app_icons",
    "nights.new_night",
    "nights.night_options",
    "nights.settle_up",
    "people.pages",
    "people.kept",
    "join.pages",
    "join.join_requests",
    "join.lobby",
    "join.seat_pages",
    "join.person_offers",
    "join.phones",
    "access.pin",
    "nights.settings",
    "table.pages",
    "table.tv",
    "log.pages",
    "settlement.pages",
    "settlement.count_pages",
    "settlement.tables",
    "film.pages",
    "statistics.pages",
    "nights.files",
    "nights.phone_backup",
    "api.pages",
    "api.nights",
    "api.people",
    "api.presets",
    "api.openapi",
    "presets.pages",
    "presets.night_rules",
    "nights.backups",
    "rehearsal.pages",
    "notices",
    "join.wifi_code",
    "club.pages",
    "club.house",
)
"""The modules whose pages make the app; each is imported when an app with it is made."""
GAME_MODULES = ("table.pot_game", "score.score_games")
"""The modules that add a kind of game to GAME_KINDS; imported with the table's pages."""


def create_app(
    tables: Nights,
    *,
    host_names: Collection[str] = (),
    addresses: Callable[[], Sequence[str]] = list,
    modules: Sequence[str] = PAGE_MODULES,
    access: Access | None = None,
    summaries: Summaries | None = None,
) -> Flask:
    """Return the app that serves these tables.

    `host_names` are names it answers to besides its addresses; `addresses` returns this machine's own, best first.
    Apps of one server share `access`, which knows both already, and `summaries`.
    """
    access = access or permissions.Access(tables, Addresses(addresses, frozenset(name.lower() for name in host_names)))
    app = Flask("tracker", template_folder=str(templates_dir()), static_folder=str(static_dir()))
    app.config.update(
        HOST_NAMES=access.addresses.names,
        OWN_ADDRESSES=access.addresses.candidates,
        BABEL_TRANSLATION_DIRECTORIES=str(PACKAGE / "translations"),
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    app.extensions.update(tables=tables, summaries=summaries or Summaries(tables))
    request_guards.install(app)
    permissions.install(app, access)
    error_pages.install(app)
    Babel(app, locale_selector=language)
    app.context_processor(common_template_context)
    app.add_template_filter(context.bdi, "bdi")
    template_texts.install(app)
    app.add_template_filter(reason_name, "reason_name")
    app.add_template_global(time_of_day, "clock")
    app.add_template_global(picture_of, "picture_of")
    app.jinja_env.globals.update(most_chips=MOST_CHIPS, has_copies=tables.store.is_file)
    compression.install(app)
    for module in modules:
        app.register_blueprint(import_module(f"tracker.web.{module}").bp)
    for module in GAME_MODULES if "table.pages" in modules else ():
        import_module(f"tracker.web.{module}")
    return app


def common_template_context() -> dict[str, Any]:
    return {"lang": language(), "languages": LANGUAGES}


def picture_of(preset: Preset) -> str:
    from tracker.web.drawing import game_picture  # noqa: PLC0415 - most pages have none, the first one neither

    return game_picture.picture_of(preset)
