"""The phones of a night: who is in, and going on with another phone."""

from dataclasses import dataclass

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.open_night import OpenNight
from tracker.storage import DeviceRow
from tracker.web.access.admission import send_away
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.devices import SCRIPT
from tracker.web.access.join_link import JoinLink, link_to, own_addresses
from tracker.web.access.links import PhoneTransfer, TransferLinks
from tracker.web.access.permissions import after_unlocking, get_access, identify
from tracker.web.access.roles import ANYONE, AT_TABLE, HOST, may
from tracker.web.base.context import get_nights, get_table, redirect_to_night
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


# Going on with another phone


@bp.post("/n/<code>/move")
@may(AT_TABLE, needs_others=True)
@after_unlocking
def transfer_code(code: str) -> ResponseReturnValue:
    """Show a code that makes the phone that scans it what this one is: once, within ten minutes."""
    link = link_of_phone(code, get_access().phone_links, "/m")
    return render_template("join/move-phone.html", table=get_table(code), identity=g.identity, link=link)


def link_of_phone(code: str, links: TransferLinks, path: str) -> JoinLink:
    """Return a new link below a path that stands for the phone that asks; 404 where no other device reaches it."""
    addresses = own_addresses()
    if g.identity.device is None or not addresses:
        abort(404)
    token = links.mint_for(PhoneTransfer(code, g.identity.device, g.identity.role))
    return JoinLink(link_to(addresses[0], f"{path}/{token}"), addresses[0])


@bp.get("/m/<token>")
@may(ANYONE, needs_others=True)
def transfer_form(token: str) -> ResponseReturnValue:
    """Ask whoever scanned the code for one tap; looking uses nothing up."""
    row = transferring_device(get_access().phone_links.moving(token))
    table = get_table(row.code or "")
    return render_template(
        "join/take-seat.html", table=table, token=token, row=row, name=seating.name_of(table, row.seat)
    )


@bp.post("/m")
@may(ANYONE, needs_others=True)
@keeps_cookies
def transfer() -> ResponseReturnValue:
    """Make this phone what the other one was, and ends that one."""
    with get_access().phone_links.take(request.form.get("token", "")) as moving:
        row = transferring_device(moving)
        code = row.code or ""
        role = "host" if identify(code).role == "host" else row.role  # a host who takes a seat stays the host
        get_access().devices.register_device(code, role, seat=row.seat, name=row.name)
        if g.identity.device != row.id:
            send_away(row)
    get_nights().live.publish(code)
    return redirect_to_night(code)


def transferring_device(moving: PhoneTransfer | None) -> DeviceRow:
    """Return the phone that shows the code; answers 410 when it was sent away, or is not any more what it was then."""
    rows = get_access().devices.devices_of(moving.code) if moving else []
    found = (row for row in rows if moving and (row.id, row.role) == (moving.device, moving.role))
    return next(found, None) or abort(410, description="move")
