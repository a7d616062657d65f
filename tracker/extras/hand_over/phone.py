"""Going on with another phone: it becomes what the one that shows the code is."""

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.extras._phones import TransferLinks, link_of_phone, transferring_device
from tracker.web.access.admission import send_away
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.permissions import after_unlocking, get_access, identify
from tracker.web.access.roles import ANYONE, AT_TABLE, may
from tracker.web.base.context import get_nights, get_table, redirect_to_night

bp = Blueprint("phone_transfer", __name__)


def links() -> TransferLinks:
    return TransferLinks(rows=get_access().rows)


@bp.post("/n/<code>/move")
@may(AT_TABLE, needs_others=True)
@after_unlocking
def transfer_code(code: str) -> ResponseReturnValue:
    """Show a code that makes the phone that scans it what this one is: once, within ten minutes."""
    link = link_of_phone(g.identity, links(), "/m")
    return render_template("hand_over/move-phone.html", table=get_table(code), identity=g.identity, link=link)


@bp.get("/m/<token>")
@may(ANYONE, needs_others=True)
def transfer_form(token: str) -> ResponseReturnValue:
    """Ask whoever scanned the code for one tap; looking uses nothing up."""
    row = transferring_device(links().moving(token))
    table = get_table(row.code or "")
    return render_template(
        "hand_over/take-seat.html", table=table, token=token, row=row, name=seating.name_of(table, row.seat)
    )


@bp.post("/m")
@may(ANYONE, needs_others=True)
@keeps_cookies
def transfer() -> ResponseReturnValue:
    """Make this phone what the other one was, and end that one."""
    with links().take(request.form.get("token", "")) as moving:
        row = transferring_device(moving)
        code = row.code or ""
        role = "host" if identify(code).role == "host" else row.role  # a host who takes a seat stays the host
        get_access().devices.register_device(code, role, seat=row.seat, name=row.name)
        if g.identity.device != row.id:
            send_away(row)
    get_nights().live.publish(code)
    return redirect_to_night(code)
