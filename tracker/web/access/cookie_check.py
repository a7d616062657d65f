"""Whether a browser keeps cookies: asked before it is given a role, which lives in one.

A page with a form that gives a role puts `cookie_field` into it, and thereby sends a cookie along. Whoever sends such a
form without any cookie of ours keeps none: nothing happens, and they are told where to go on.
"""

import re
from typing import Any

from flask import Flask, Response, g, make_response, render_template, request
from markupsafe import Markup

FIELD, COOKIE = "page", "kept"
PATH = re.compile(r"/[\w/.-]{0,200}", re.ASCII)
IN_APP = re.compile(
    r"; wv\)|FBA[NV]/|FB_IAB|Instagram|WhatsApp|MicroMessenger|\bLine/|Snapchat|KAKAOTALK|Viber|Telegram|Twitter|"
    r"LinkedInApp|Pinterest|TikTok|musical_ly|BytedanceWebview|GSA/|CaptiveNetworkSupport"
)
"""What the windows in which apps show a link call themselves; those of iPhones leave out "Safari" instead."""


def install(app: Flask) -> None:
    """Ask before any form that has the field; after `permissions.install`."""
    app.before_request(check)
    app.after_request(send_cookie)
    app.add_template_global(cookie_field)
    app.add_template_global(other_browser)


def cookie_field() -> Markup:
    """Return the hidden field with the address of the page that shows the form, for every form that gives a role."""
    g.asks_for_cookie = True
    return Markup('<input type="hidden" name="%s" value="%s">') % (FIELD, page_path())


def page_path() -> str:
    """Return the path of the page whose form is sent or shown, without anything that was not in its address."""
    sent = request.form.get(FIELD, "") if request.method == "POST" else request.path
    return sent if PATH.fullmatch(sent) else "/join"


def check() -> Response | None:
    """Let a form through whose browser sends a cookie of ours; else answer 403 with what to do."""
    if request.method != "POST" or not request.mimetype.endswith("urlencoded") or FIELD not in request.form:
        return None
    if any(name == COOKIE or "board_" in name for name in request.cookies):
        return None
    return make_response(render_template("shared/no-cookies.html", **other_browser()), 403)


def send_cookie(response: Response) -> Response:
    """Send the cookie with a page that asks for one; it ends with the browser."""
    if g.get("asks_for_cookie") and COOKIE not in request.cookies:
        response.set_cookie(COOKIE, "1", httponly=True, samesite="Lax", secure=request.is_secure)
    return response


def other_browser() -> dict[str, Any]:
    """Return whether an app's own window shows the page, in which browser to open it, and its whole address."""
    agent = request.user_agent.string
    is_apple = bool(re.search("iPhone|iPad|iPod|Macintosh", agent))
    is_in_app = bool(IN_APP.search(agent)) or ("AppleWebKit/" in agent and "Safari/" not in agent)
    browser = "Safari" if is_apple else "Chrome" if "Android" in agent else "Safari / Chrome"
    return {"is_in_app": is_in_app, "browser": browser, "address": request.host_url.rstrip("/") + page_path()}
