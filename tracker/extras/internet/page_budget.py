"""How much processor time the pages of strangers and watchers may take, each and all together."""

import time
from collections.abc import Callable

from flask import Blueprint, Flask, Response, abort, current_app, g, request

from tracker.formats.sender import THIS_MACHINE, network_of
from tracker.web.access.permissions import get_access
from tracker.web.access.rate_limits import Levels
from tracker.web.access.request_guards import sender
from tracker.web.access.roles import PageRules
from tracker.web.wording.texts import gettext as _

bp = Blueprint("internet", __name__)

OWN_SECONDS, OWN_RATE = 5.0, 0.1
"""Of processor time that a device, or all strangers of a sender, may take at once; and in each second after that."""
ALL_SECONDS, ALL_RATE = 20.0, 0.5
"""The same of all together."""
SMALL_SECONDS = 0.5
"""What whoever has taken less may still take when all together have taken too much."""
ALL = ""


class PageBudget(Levels):
    """How much processor time strangers and watchers may take, each and all together; counted after each request."""

    def has_left(self, account: str, network: str) -> bool:
        """Return whether an account may ask for a page, by what it, its network and all together have taken."""
        now = self._clock()
        with self._lock:
            in_all = self._taken(ALL, now, ALL_RATE)
            own, of_network = (self._taken(one, now, OWN_RATE) for one in (account, network))
        if own > OWN_SECONDS or in_all > 2 * ALL_SECONDS:
            return False
        return in_all <= ALL_SECONDS or max(own, of_network) <= SMALL_SECONDS

    def take(self, account: str, network: str, seconds: float) -> None:
        """Count what a request of an account has taken."""
        now = self._clock()
        with self._lock:
            for name, rate in ((account, OWN_RATE), (network, OWN_RATE), (ALL, ALL_RATE)):
                self._add(name, max(now, self._full_at.get(name, now)) + seconds / rate, now)

    def _taken(self, account: str, now: float, rate: float) -> float:
        return max(0.0, self._full_at.get(account, now) - now) * rate


processor_time: Callable[[], float] = getattr(time, "thread_time", time.monotonic)
"""Returns the seconds of processor time of this thread."""


def begin(app: Flask) -> None:
    """Count the pages of strangers and watchers before anything else is asked of a request."""
    app.extensions["page_budget"] = PageBudget()
    app.extensions["guards"].insert(0, check_pages)


def check_pages(_rules: PageRules) -> None:
    """Answer 429 to a stranger or a watcher whose pages have taken too much of the processor; files cost nothing."""
    identity, access = g.identity, get_access()
    is_counted = identity.role in access.counted_roles and request.endpoint != "static" and access.has_others
    if not is_counted or sender() in THIS_MACHINE:
        return
    account = f"device {identity.device}" if identity.device else f"sender {sender()}"
    network = f"network {network_of(sender())}"
    if not page_budget().has_left(account, network):
        access.count_refusal("pace")
        text = _("Wait a moment, then open this page again.")  # alone: a page around it would cost what it asks for
        abort(Response(text, 429, {"Retry-After": "10"}, content_type="text/plain; charset=utf-8"))
    g.counted_page = account, network, processor_time()


@bp.teardown_app_request
def count_page(_error: BaseException | None) -> None:
    """Count what a stranger's or watcher's page has taken."""
    if counted := g.pop("counted_page", None):
        account, network, began_at = counted
        page_budget().take(account, network, processor_time() - began_at)


def page_budget() -> PageBudget:
    found: PageBudget = current_app.extensions["page_budget"]
    return found
