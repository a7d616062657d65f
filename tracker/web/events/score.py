"""What the events have in common by which a deal or round of a score game is paid or written down."""

from tracker.core import events
from tracker.core.errors import AlreadyDone, Stale
from tracker.core.score_game import PAUSES
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import MoveForm


def read_payment(form: MoveForm) -> events.Event:
    """Return the deal's end as the sender has seen it counted; Stale when a hand was changed since."""
    if form.counted is None:
        raise AlreadyDone("this deal is paid already: look at the table")
    counted, closing = form.counted
    pairs = (pair.partition("=") for pair in form.text("hands").split())
    hands = {seat: PAUSES if points == PAUSES else ask.whole(points) for seat, _equals, points in pairs}
    if hands != counted:
        raise Stale("somebody’s cards have just been changed: look at the payments and tap again")
    return closing
