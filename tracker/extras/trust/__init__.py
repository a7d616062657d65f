"""A page that says what can be relied on, what nobody can promise, and who answers for guests' data."""

from tracker.extras.trust.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "home.foot": "trust/_link.html",
        "lobby.foot": "trust/_link.html",
        "machine.end": "trust/_row.html",
        "join_by_code.foot": "trust/_join.html",
    },
)
