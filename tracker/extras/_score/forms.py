"""Questions of the forms of score games, and what the button that pays a deal records."""

from tracker.core.errors import N_, AlreadyDone, Stale
from tracker.core.events import Event
from tracker.core.night import PAUSES
from tracker.web.events.correction_form import Field, MakeField, Option, at_table, pick, whole
from tracker.web.events.event_kind import MoveForm
from tracker.web.wording.texts import gettext as _

points_left = pick("hands", N_("Points still in each hand"), at_table, "numbers")


def yes_or_no(name: str, label: str) -> MakeField:
    """Return a question for what is true or false."""
    return lambda raw, _night: Field(
        name, "yes or no", _(label), raw.get(name, False), (Option("no", _("no")), Option("yes", _("yes")))
    )


def read_payment(form: MoveForm) -> Event:
    """Return the deal's end as the sender has seen it counted; Stale when a hand was changed since."""
    if form.counted is None:
        raise AlreadyDone("this deal is paid already: look at the table")
    counted, closing = form.counted
    pairs = (pair.partition("=") for pair in form.text("hands").split())
    hands = {seat: PAUSES if points == PAUSES else whole(points) for seat, _equals, points in pairs}
    if hands != counted:
        raise Stale("somebody’s cards have just been changed: look at the payments and tap again")
    return closing
