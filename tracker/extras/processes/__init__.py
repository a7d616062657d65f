"""The nights in a PostgreSQL database, for a club that outgrows one machine: several processes serve them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tracker.extras.processes.database import SERVER
from tracker.extras.processes.shared_rows import SharedRows
from tracker.web.base.extra import Extra

if TYPE_CHECKING:
    from flask import Flask

    from tracker.app.nights import Nights
    from tracker.extras.processes.postgres import PostgresConnection
    from tracker.web.access.permissions import Access


def begin(app: Flask) -> None:
    """Follow other processes, and count with them, where the nights are in a database."""
    nights: Nights = app.extensions["nights"]
    access: Access = app.extensions["access"]
    rows = nights.store.temporary
    if not isinstance(rows, SharedRows):
        return
    from tracker.extras.processes.other_processes import OtherProcesses  # noqa: PLC0415 - needs psycopg, and is seldom
    from tracker.extras.processes.shared_arrivals import SharedArrivals  # noqa: PLC0415
    from tracker.extras.processes.shared_limits import SharedAnsweredForms, SharedPostRateLimit  # noqa: PLC0415
    from tracker.web.wording.texts import gettext  # noqa: PLC0415

    app.extensions["troubles"][SERVER] = lambda: gettext("The database does not answer.")
    access.devices.arrivals = SharedArrivals(nights.store, access.devices.clock)
    access.pace, access.network_pace = (
        SharedPostRateLimit(limit, rows) for limit in (access.pace, access.network_pace)
    )
    if access.scripts.pace:
        access.scripts.pace = SharedPostRateLimit(access.scripts.pace, rows)
    access.answered_forms = SharedAnsweredForms(rows)
    OtherProcesses(nights, cast("PostgresConnection", nights.store.connection), rows)


EXTRA = Extra(commands={"move": ("tracker.extras.processes.move", "move")}, begin=begin)
