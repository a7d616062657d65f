"""Whether a browser keeps cookies: a form that gives a role sends `cookie_field`, and without a cookie does nothing."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import abort, g, make_response, render_template, request
from markupsafe import Markup

P = ParamSpec("P")
R = TypeVar("R")

FIELD, COOKIE = "page", "kept"
PATH = re.compile(r"/[\w/.-]{0,200}", re.ASCII)
IN_APP = re.compile(
    r"; wv\)|FBA[NV]/|FB_IAB|Instagram|WhatsApp|MicroMessenger|\bLine/|Snapchat|KAKAOTALK|Viber|Telegram|Twitter|"
    r"LinkedInApp|Pinterest|TikTok|musical_ly|BytedanceWebview|GSA/|CaptiveNetworkSupport"
)
"""What the windows in which apps show a link call themselves; those of iPhones leave out "Safari" instead."""


def cookie_field() -> Markup:
    """Return the hidden field with the address of the page that shows the form, for every form that gives a role."""
    if COOKIE not in request.cookies:
        g.setdefault("cookies", {})[COOKIE] = "1", None  # it ends with the browser
    return Markup('<input type="hidden" name="%s" value="%s">') % (FIELD, page_path())


def page_path() -> str:
    """Return the path of the page whose form is sent or shown, without anything that was not in its address."""
    sent = request.form.get(FIELD, "") if request.method == "POST" else request.path
    return sent if PATH.fullmatch(sent) else "/join"


def keeps_cookies(view: Callable[P, R]) -> Callable[P, R]:
    """Have a view that gives a role answer 403 to a form of ours without our cookie."""

    @wraps(view)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if FIELD in request.form and not any(name == COOKIE or "board_" in name for name in request.cookies):
            abort(make_response(render_template("shared/no-cookies.html", **other_browser()), 403))
        return view(*args, **kwargs)

    return run


def other_browser() -> dict[str, Any]:
    """Return whether an app's own window shows the page, in which browser to open it, and its whole address."""
    agent = request.user_agent.string
    is_apple = bool(re.search("iPhone|iPad|iPod|Macintosh", agent))
    is_in_app = bool(IN_APP.search(agent)) or ("AppleWebKit/" in agent and "Safari/" not in agent)
    browser = "Safari" if is_apple else "Chrome" if "Android" in agent else "Safari / Chrome"
    return {"is_in_app": is_in_app, "browser": browser, "address": request.host_url.rstrip("/") + page_path()}
