"""Nights from other apps: who is who is chosen, all come in at once, and all are taken back at once."""

import json
from collections.abc import Sequence

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.settings import DELETED, NightSettings
from tracker.core.errors import TableError
from tracker.formats.other_apps import OtherNight
from tracker.formats.text import UNREADABLE, UnreadableError
from tracker.web.access.answered_forms import id_from_key
from tracker.web.context import get_nights, get_people, redirect_to, show_again
from tracker.web.wording.texts import gettext as _, refusal

bp = Blueprint("elsewhere", __name__)


def names_in(nights: Sequence[OtherNight]) -> list[str]:
    """Return everybody's name, once."""
    return list(dict.fromkeys(name for night in nights for name in night.points))


def asking(nights: Sequence[OtherNight], wrong: str = "") -> str:
    """Return the page that asks who of a file's people is who; nobody is chosen before."""
    return render_template(
        "nights/elsewhere.html",
        nights=nights,
        names=names_in(nights),
        people=[person for person in get_people().all() if not person.is_hidden],
        packed=json.dumps([night.__dict__ for night in nights], ensure_ascii=False),
        wrong=wrong,
        done="",
    )


@bp.post("/import/elsewhere")
def take() -> ResponseReturnValue:
    """Add all nights of the form, or none, and link the people that were chosen."""
    form, batch = request.form, id_from_key(request.form)
    try:
        nights = [OtherNight(**one) for one in json.loads(form.get("nights", ""))]
        files = [night.file() for night in nights]
        codes = get_nights().import_together(files, _("Shared costs"), batch)
    except (UnreadableError, TableError) as error:
        return asking([], refusal(error)), 422
    except UNREADABLE:
        return asking([], _("The nights came damaged: choose the file again.")), 422
    people, names = get_people(), names_in(nights)
    chosen = {name: people.get(form.get(f"who-{place}", "")) for place, name in enumerate(names)}
    for code, night in zip(codes, nights, strict=True):
        for number, name in enumerate(night.points, 1):
            if person := chosen[name]:
                people.link(code, f"p{number}", person.id)
    return render_template("nights/elsewhere.html", nights=nights, names=[], people=[], packed="", wrong="", done=batch)


@bp.post("/import/elsewhere/undo")
def undo() -> ResponseReturnValue:
    """Take back all nights that came in together: they are deleted as a night is, and nobody is linked to them."""
    batch, nights = request.form.get("batch", ""), get_nights()
    for row in nights.nights():
        settings = NightSettings(nights.store, row.code)
        if batch and settings.brought_with == batch:
            settings.put_away = DELETED
            for seat in nights.get(row.code).night.all_seats:
                get_people().unlink(row.code, seat)
            show_again([row.code])
    return redirect_to("home.index")
