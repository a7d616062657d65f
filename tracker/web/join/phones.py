"""The phones of a night."""

from dataclasses import dataclass

from flask import Blueprint, g, render_template

from tracker.app.open_night import OpenNight
from tracker.storage import DeviceRow
from tracker.web.access.devices import SCRIPT
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_table
from tracker.web.drawing.player_token import PlayerToken, player_tokens

bp = Blueprint("phones", __name__)


@dataclass(frozen=True)
class Phone:
    """One device as the host sees it."""

    row: DeviceRow
    face: PlayerToken | None
    """Of the seat it holds; None for one that only watches, or that has no seat."""
    is_here: bool = False
    """It follows the night just now."""
    is_admitted: bool = False
    """Somebody has said yes to it, and it has not come in yet."""

    @property
    def is_script(self) -> bool:
        return self.row.label == SCRIPT


@bp.get("/n/<code>/phones")
@may(HOST, needs_others=True)
def page(code: str) -> str:
    """Show every phone that is in, with a way to send it away."""
    table = get_table(code)
    return render_template("join/phones.html", table=table, identity=g.identity, phones=phones_of(table))


def phones_of(table: OpenNight) -> list[Phone]:
    """Return the devices of a night that may see it: by seat, then those that watch, then those admitted."""
    drawn, here = player_tokens(table.night), get_nights().live.presence.devices(table.code)
    rows = [row for row in get_access().devices.devices_of(table.code) if row.role != "knock"]
    places = {seat: at for at, seat in enumerate(drawn)}
    rows.sort(key=lambda row: (places.get(row.seat or "", len(places)), row.role != "host", row.id))
    came = [Phone(row, drawn.get(row.seat) if row.seat else None, str(row.id) in here) for row in rows]
    return came + [Phone(row, None, is_admitted=True) for row in get_access().devices.admitted(table.code)]
