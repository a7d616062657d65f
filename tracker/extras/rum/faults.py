"""Faults that wait for a deal when the night is to end: what is said of them there, and how they are booked."""

from collections.abc import Iterator

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.extras.rum import rules
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_table
from tracker.web.error_pages import status_of
from tracker.web.events.event_kind import Vocabulary
from tracker.web.log_sentences import refusal_in_log
from tracker.web.settlement.pages import page, record
from tracker.web.wording.texts import ngettext

bp = Blueprint("rum", __name__)


def is_rum(night: Night) -> bool:
    return isinstance(night.house_rules, rules.RumRules)


@bp.app_template_global()
def waiting_faults(night: Night) -> Iterator[Markup]:
    """Yield a sentence for each fault that waits for a deal; nothing in other games."""
    voice = Vocabulary(None, night, is_markup=True)
    for offender in rules.waiting_faults(night) if is_rum(night) else ():
        said = ngettext(
            "%(num)s point of %(name)s still waits for a deal.",
            "%(num)s points of %(name)s still wait for a deal.",
            rules.rules(night).fault_points,
            name=voice.name(offender),
        )
        yield Markup(said)  # noqa: S704  Vocabulary escapes


bp.add_app_template_global(rules.fault_payees)


@bp.post("/n/<code>/settle/faults")
@may(HOST, in_memory=True)
def book_faults(code: str) -> ResponseReturnValue:
    """Book the faults that wait for a deal, as a deal without points."""
    table = get_table(code)
    if not is_rum(table.night):
        abort(404)
    try:
        event = rules.fault_booking(table.night, request.form.get("seat", ""))
    except TableError as error:
        return page(code, refusal_in_log(error, table.history())), status_of(error)
    return record(code, event)
