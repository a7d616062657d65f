"""The JSON API: nights, people and presets for scripts, with its description as OpenAPI."""

from tracker.extras.api import machine, pages
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [pages.bp, *machine.BLUEPRINTS],
    modules=("tracker.extras._night_summaries.pages",),
    commands={"token": ("tracker.extras.api.tokens", "token")},
    begin=pages.begin,
)
