"""How a device comes to lie in the middle: the host's own, or another one that scans a code which the host shows.

A device whose cookie says that it lies in the middle is led there from every page that leads to its table.
"""

from flask import Blueprint, abort, after_this_request, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.app.open_night import OpenNight
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.join_link import JoinLink, link_to, own_addresses
from tracker.web.access.links import PhoneTransfer, TransferLinks
from tracker.web.access.permissions import get_access, identify
from tracker.web.access.pin import after_pin
from tracker.web.access.roles import ANYONE, AT_TABLE, HOST, PageRules, may
from tracker.web.base.context import get_nights, get_table, readable_night, redirect_to
from tracker.web.table.pages import viewer_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("flat_way_in", __name__)
COOKIE = "tablet"
"""Holds the code of the night for which a browser lies in the middle."""


class TabletLinks(TransferLinks):
    """The links by which another device of the host's lies in the middle: each good once, for ten minutes."""

    kind = "tablet-link"


def links() -> TabletLinks:
    return TabletLinks(rows=get_access().rows)


@bp.get("/n/<code>/flat/begin")
@may(AT_TABLE, in_memory=True)
def begin(code: str) -> ResponseReturnValue:
    """Ask which device lies in the middle; a device that can be no other leads there at once."""
    table = get_table(code)
    if table.is_temporary or not get_access().has_others or g.identity.role != "host":
        return redirect_to("flat.page", code=code)
    return render_template("flat/begin.html", table=table)


@bp.post("/n/<code>/flat/code")
@may(HOST, needs_others=True)
@after_pin
def show_code(code: str) -> ResponseReturnValue:
    """Show a code that lets the tablet that scans it record for everybody: once, within ten minutes."""
    addresses = own_addresses()
    if g.identity.device is None or not addresses:
        abort(404)
    token = links().mint_for(PhoneTransfer(code, g.identity.device, g.identity.role))
    link = JoinLink(link_to(addresses[0], f"/tablet/{token}"), addresses[0])
    return render_template("flat/code.html", table=get_table(code), link=link)


@bp.get("/tablet/<token>")
@may(ANYONE, needs_others=True)
def scanned(token: str) -> ResponseReturnValue:
    """Ask whoever scanned the code for one tap; looking uses nothing up."""
    return render_template("flat/scanned.html", table=table_of(links().moving(token)), token=token)


@bp.post("/tablet")
@may(ANYONE, needs_others=True)
@keeps_cookies
def lie_down() -> ResponseReturnValue:
    """Make this device one of the host's, without a seat, and lead it to the middle."""
    with links().take(request.form.get("token", "")) as shown_by:
        code = table_of(shown_by).code
        if identify(code).role != "host":
            get_access().devices.register_device(code, "host", name=_("The tablet"))
    get_nights().live.publish(code)
    return redirect_to("flat.page", code=code)


def table_of(shown_by: PhoneTransfer | None) -> OpenNight:
    """Return the night of the device that shows a code; answers 410 when that is its host no more."""
    rows = get_access().devices.devices_of(shown_by.code) if shown_by else []
    if shown_by is None or (shown_by.device, "host") not in {(row.id, row.role) for row in rows}:
        abort(410, description="move")
    return get_table(shown_by.code)


# A device that lies there stays there


def keep_lying(code: str) -> None:
    """Have this browser led to the middle of a night from now on, also after a reload or from the result."""

    @after_this_request
    def send(response: Response) -> Response:
        response.set_cookie(COOKIE, code, path=f"/n/{code}", httponly=True, samesite="Lax", secure=request.is_secure)
        return response


def lead_to_middle(_rules: PageRules) -> None:
    """Lead a browser that lies in the middle there from the page of its table, unless it asks for that page itself."""
    code = (request.view_args or {}).get("code")
    if request.endpoint != "table.page" or not code or request.cookies.get(COOKIE) != code:
        return
    if "own" in request.args:

        @after_this_request
        def forget(response: Response) -> Response:
            response.delete_cookie(COOKIE, path=f"/n/{code}")
            return response

    elif (table := readable_night(code)) and viewer_of(table, g.identity).records_for_all:
        abort(redirect_to("flat.page", code=code))
