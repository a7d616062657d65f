"""How a device becomes the tablet: the host's own, or one that scans a code; a cookie leads it to its page."""

from flask import Blueprint, abort, after_this_request, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.extras._phones import TransferLinks, link_of_phone, transferring_device
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.permissions import after_unlocking, get_access, identify
from tracker.web.access.roles import ANYONE, AT_TABLE, HOST, PageRules, may
from tracker.web.base.context import get_nights, get_table, readable_night, redirect_to
from tracker.web.table.pages import viewer_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("flat_way_in", __name__)
COOKIE = "tablet"
"""Holds the code of the night whose tablet a browser is."""


class TabletLinks(TransferLinks):
    """The links by which another device becomes the tablet: each good once, for ten minutes."""

    kind = "tablet-link"


def links() -> TabletLinks:
    return TabletLinks(rows=get_access().rows)


@bp.get("/n/<code>/flat/begin")
@may(AT_TABLE, in_memory=True)
def begin(code: str) -> ResponseReturnValue:
    """Ask which device is the tablet; where it can only be this one, lead to the tablet's page at once."""
    table = get_table(code)
    is_tablet = request.cookies.get(COOKIE) == code
    if is_tablet or table.is_temporary or not get_access().has_others or g.identity.role != "host":
        return redirect_to("flat.page", code=code)
    return render_template("flat/begin.html", table=table)


@bp.post("/n/<code>/flat/code")
@may(HOST, needs_others=True)
@after_unlocking
def show_code(code: str) -> ResponseReturnValue:
    """Show a code that lets the tablet that scans it record for everybody: once, within ten minutes."""
    return render_template("flat/code.html", table=get_table(code), link=link_of_phone(g.identity, links(), "/tablet"))


@bp.get("/tablet/<token>")
@may(ANYONE, needs_others=True)
def scanned(token: str) -> ResponseReturnValue:
    """Ask whoever scanned the code for one tap; looking uses nothing up."""
    row = transferring_device(links().moving(token))
    return render_template("flat/scanned.html", table=get_table(row.code or ""), token=token)


@bp.post("/tablet")
@may(ANYONE, needs_others=True)
@keeps_cookies
def become_tablet() -> ResponseReturnValue:
    """Make this device one of the host's, without a seat, and lead it to the tablet's page."""
    with links().take(request.form.get("token", "")) as shown_by:
        code = transferring_device(shown_by).code or ""
        if identify(code).role != "host":
            get_access().devices.register_device(code, "host", name=_("The tablet"))
    get_nights().live.publish(code)
    return redirect_to("flat.page", code=code)


# The tablet stays the tablet


def remember_tablet(code: str) -> None:
    """Send the cookie by which this browser is led to the tablet's page, also after a reload or from the result."""

    @after_this_request
    def send(response: Response) -> Response:
        response.set_cookie(COOKIE, code, path=f"/n/{code}", httponly=True, samesite="Lax", secure=request.is_secure)
        return response


def lead_to_tablet(_rules: PageRules) -> None:
    """Lead the tablet from the page of its table to its own, unless it asks for the page of a phone: then forget it."""
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
