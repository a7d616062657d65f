"""What can be relied on, and who is responsible for what is kept about guests."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from tracker.core.errors import Malformed
from tracker.extras._responsible import Responsible, ResponsibleSettings
from tracker.formats.text import clean_text
from tracker.web.access.permissions import get_access, is_house
from tracker.web.access.roles import ANYONE, HOST, may
from tracker.web.base.context import form_page, get_nights, redirect_to
from tracker.web.wording.texts import refusal

bp = Blueprint("trust", __name__)

MOST_TEXT = 100


def settings() -> ResponsibleSettings:
    return get_nights().settings.declared_by(ResponsibleSettings)


@bp.get("/trust")
@may(ANYONE)
def page(wrong: str = "") -> ResponseReturnValue:
    """Say what can be relied on, what plain http on a home network can't promise, and who answers for guests' data."""
    return form_page(
        "trust/trust.html",
        wrong,
        is_public=bool(get_access().addresses.public),
        is_house=is_house(),
        responsible=settings().responsible,
    )


@bp.post("/trust")
@may(HOST)
def save_responsible() -> ResponseReturnValue:
    """Keep who is responsible for what is kept about guests, and how to reach them; an empty name takes it away."""
    try:
        typed = (" ".join(request.form.get(key, "").split()) for key in ("name", "contact"))
        name, contact = (clean_text(text, MOST_TEXT) for text in typed)
    except Malformed as error:
        return page(refusal(error))
    settings().responsible = Responsible(name, contact) if name else Responsible()
    return redirect_to("trust.page")
