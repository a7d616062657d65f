"""The Flask app: `create_app` puts the guards before every request and the pages of all features behind them."""

from collections.abc import Collection, Mapping
from copy import copy
from functools import cache

from flask import Flask
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from tracker import extras
from tracker.app.known_nights import KnownNights
from tracker.app.nights import Nights
from tracker.core.house_rules import MOST_CHIPS
from tracker.streaming.stream import slot
from tracker.web import compression, error_pages, notices
from tracker.web.access import permissions, request_guards, seat_colours
from tracker.web.access.cookie_check import cookie_field, other_browser
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.access.roles import ANYONE, may, rules_of
from tracker.web.base import context, extra
from tracker.web.drawing.board import PILE_BOX
from tracker.web.drawing.game_picture import picture_of
from tracker.web.events.registry import reason_name
from tracker.web.join import join_requests, lobby, pages as join, seat_pages
from tracker.web.log import pages as log
from tracker.web.nights import files, home, made_files, new_night, night_options, settings
from tracker.web.presets import night_rules
from tracker.web.resources import static_dir, templates_dir
from tracker.web.settlement import pages as settlement
from tracker.web.table import pages as table
from tracker.web.template_layout import CompiledTemplates, TemplateLayout
from tracker.web.wording import texts
from tracker.web.wording.dates import time_of_day
from tracker.web.wording.game_words import words_of

PAGES = (
    *(home, new_night, night_options, settings, files, made_files),
    *(join, join_requests, lobby, seat_pages),
    *(table, log, settlement),
    *(night_rules, notices),
)
"""The modules with a blueprint."""


class PrintablePart(BaseConverter):
    """A part of an address, as a code: without the control characters that no database and no file name takes."""

    regex = r"[^/\x00-\x1f\x7f]+"
    part_isolating = True  # werkzeug takes the slash in the class for one that the part may hold


def create_app(
    nights: Nights,
    *,
    access: Access | None = None,
    without: Collection[str] = (),
    options: Mapping[str, object] | None = None,
) -> Flask:
    """Return the app that serves these nights.

    `access` knows the names and addresses that it answers to, and whether anybody but the browser it runs in can ask
    it. `without` names the extras to leave out, `options` has what was given for those of the others.
    """
    access = access or Access(nights, Addresses(list))
    app = copy(app_without_nights(has_others=access.has_others, without=frozenset(without)))
    app.config = copy(app.config)
    app.config.update(
        HOST_NAMES=access.addresses.names,
        OWN_ADDRESSES=access.addresses.candidates,
        PUBLIC_ADDRESS=access.addresses.public,
        HAS_COPIES=nights.store.file is not None and access.has_others,
        OPTIONS=options or {},
    )
    app.extensions = {"nights": nights, "known_nights": KnownNights(nights), "access": access}
    access.large_bodies = large_bodies(app)
    seat_colours.watch(app)
    extra.begin(app, extras.load(without))
    return app


def large_bodies(app: Flask) -> dict[str, int]:
    """Return the addresses that take more bytes than the server takes of everybody, and how many."""
    pages = ((rule.rule, rules_of(app.view_functions[rule.endpoint])) for rule in app.url_map.iter_rules())
    return {address: one.most_bytes for address, one in pages if one.most_bytes > request_guards.SERVER_LIMIT}


@cache
def app_without_nights(*, has_others: bool, without: frozenset[str] = frozenset()) -> Flask:
    """Return what all apps of this process have in common, made once: their addresses, templates, guards and pages."""
    app = Flask("tracker", template_folder=str(templates_dir()), static_folder=str(static_dir()))
    app.url_map.converters["default"] = PrintablePart
    compiled = CompiledTemplates.in_temporary_folder() if has_others else None
    app.jinja_options = {"extensions": [TemplateLayout], "undefined": StrictUndefined, "bytecode_cache": compiled}
    app.view_functions["static"] = may(ANYONE, in_memory=True)(app.view_functions["static"])
    request_guards.install(app)
    permissions.install(app)
    app.add_template_global(cookie_field)
    app.add_template_global(other_browser)
    error_pages.install(app)
    app.context_processor(context.common_template_context)
    app.add_template_filter(context.bdi, "bdi")
    app.add_template_global(context.where_now)
    texts.install(app)
    app.add_template_filter(reason_name, "reason_name")
    app.add_template_filter(words_of, "game_words")
    app.add_template_global(time_of_day, "clock")
    app.add_template_global(picture_of, "picture_of")
    app.jinja_env.globals.update(slot=slot, most_chips=MOST_CHIPS, pile_box=PILE_BOX, has_others=has_others)
    compression.install(app)
    for module in PAGES:
        app.register_blueprint(module.bp)
    extra.install(app, extras.load(without))
    return app
