"""The page that asks what of another program's file comes in: who is who is chosen, all come in at once, and all are
taken back at once."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.nights import Nights
from tracker.core.errors import TableError
from tracker.extras.imports.brought_in import BroughtIn, add_new, in_wholes
from tracker.extras.imports.other_apps import nights_in
from tracker.extras.imports.other_night import OtherFile, OtherNight
from tracker.formats.text import UNREADABLE, UnreadableError, json_value
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.request_guards import IMPORT_LIMIT
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_people, get_summaries, redirect_to, show_again
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import amount, gettext as _, reason, refusal

bp = Blueprint("imports", __name__, url_prefix="/import/elsewhere")

MOST_LISTED = 300
"""Plays that stay out, each on a line."""


@dataclass(frozen=True)
class FileOfProgram:
    """What a file of another program holds, of which nothing has come in yet."""

    file: OtherFile

    def page(self) -> ResponseReturnValue:
        """Return the page that asks what of it comes in."""
        return ask_who(self.file)

    def add(self, nights: Nights) -> Iterator[str]:
        """Add what is new of it, and yield a sentence for each night."""
        return add_new(nights, self.file)


def read(raw: bytes) -> FileOfProgram | None:
    """Return what another program's file holds; None for a night file. Raises UnreadableError."""
    file = nights_in(raw)
    return FileOfProgram(file) if file else None


def names_in(nights: Sequence[OtherNight]) -> list[str]:
    """Return everybody's name, once."""
    return list(dict.fromkeys(name for night in nights for name in night.points))


def brought_in() -> BroughtIn:
    return BroughtIn(get_nights(), get_summaries())


def ask_who(file: OtherFile) -> str:
    """Return the page that says what of a file comes in, and asks who of its people is who; nobody is chosen before."""
    new = brought_in().new_ones(file.nights)
    replaced = [one for one in map(brought_in().replaced_by, new) if one]
    return _page(
        file=file,
        nights=new,
        known=len(file.nights) - len(new),
        replaced=[(one.code, day_words(one.evening) if one.evening else one.name) for one in replaced],
        names=names_in(new),
        people=[person for person in get_people().all() if not person.is_hidden],
        packed=json.dumps([night.value() for night in new], ensure_ascii=False),
    )


def _page(**facts: object) -> str:
    shown = {"file": None, "nights": (), "known": 0, "replaced": (), "names": (), "people": (), "packed": ""}
    own = {"wrong": "", "done": "", "reason": reason, "day_of": day_shown, "listed": MOST_LISTED, "amount": amount}
    return render_template("imports/elsewhere.html", **{**shown, **own, **facts})


def day_shown(day: str) -> str:
    """Return a day of a file in the reader's words; empty for none."""
    return day_words(date.fromisoformat(day)) if day else ""


@bp.post("")
@may(HOST, most_bytes=IMPORT_LIMIT)
def take() -> ResponseReturnValue:
    """Add all nights of the form that are not here yet, or none, and link the people that were chosen."""
    form, batch = request.form, id_from_key(request.form)
    try:
        nights = [OtherNight.read(one) for one in json_value(form.get("nights", ""))]
        chosen = {name: get_people().get(form.get(f"who-{place}", "")) for place, name in enumerate(names_in(nights))}
        nights = brought_in().new_ones(in_wholes(nights) if form.get("unit") == "whole" else nights)
        codes = brought_in().bring(nights, _("Shared costs"), batch, form.getlist("replaced"))
    except (UnreadableError, TableError) as error:
        return _page(wrong=refusal(error)), 422
    except UNREADABLE:
        return _page(wrong=_("The nights came damaged: choose the file again.")), 422
    for code, night in zip(codes, nights, strict=True):
        for number, name in enumerate(night.points, 1):
            if person := chosen[name]:
                get_people().link(code, f"p{number}", person.id)
    return _page(nights=nights, done=batch)


@bp.post("/undo")
@may(HOST)
def undo() -> ResponseReturnValue:
    """Take back all nights that came in together: they are deleted as a night is, and nobody is linked to them."""
    show_again(brought_in().undo(request.form.get("batch", ""), get_people()))
    return redirect_to("home.index")
