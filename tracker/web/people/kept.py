"""Everything that is kept about a person, as a page and as a file; and forgetting it."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from tracker.archive.people import LinkedSeat, to_json
from tracker.formats.text import file_name
from tracker.storage import CorruptLog
from tracker.web.access.permissions import get_access
from tracker.web.context import get_nights, get_people, get_summaries, redirect_to
from tracker.web.people.view import PersonView, change_sentence, person_view
from tracker.web.wording.dates import day_of

bp = Blueprint("kept", __name__)


@bp.get("/people/<person>/kept")
def page(person: str) -> str:
    """List what is kept about a person, and where."""
    people, view = get_people(), _view(person)
    changes = [
        (day_of(one.at), change_sentence(one.change, people.before(one.number))) for one in people.changes_of(person)
    ]
    phones = [row for seat in people.seats_of(person) for row in get_access().devices.at_seat(*seat)]
    return render_template(
        "people/kept.html",
        view=view,
        person=view.person,
        changes=changes,
        phones=Counter(row.label for row in phones),
        day_of=day_of,
    )


@bp.get("/people/<person>/kept.json")
def file(person: str) -> Response:
    """Send everything that is kept about a person, with every entry of the logs that names their seats."""
    view = _view(person)
    text = json.dumps(_everything(view), ensure_ascii=False, indent=1)
    name = f'attachment; filename="{file_name(view.person.name)}.json"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(text, mimetype="application/json", headers=headers)


def _view(person: str) -> PersonView:
    summaries = get_summaries()
    return person_view(get_people(), [*summaries.all(), *summaries.deleted()], person)


def _everything(view: PersonView) -> dict[str, Any]:
    """Return what is kept about a person as plain JSON values."""
    person = view.person
    nights = []
    for night, seat in view.nights:
        row = {"code": night.code, "night": night.name, "begin": night.day, "game": night.game_name}
        phones = [one.label for one in get_access().devices.at_seat(night.code, seat.seat)]
        summary = {"seat": seat.seat, "name": seat.name, "net": seat.net, "cents": seat.cents, "hands": seat.hands}
        nights.append({**row, **summary, "phones": phones, "entries": [*_entries(LinkedSeat(night.code, seat.seat))]})
    return {
        "id": person.id,
        "name": person.name,
        "colour": person.colour,
        "hidden": person.is_hidden,
        "changes": [
            {"number": one.number, "at": one.at, **to_json(one.change)} for one in get_people().changes_of(person.id)
        ],
        "nights": nights,
    }


def _entries(seat: LinkedSeat) -> Iterator[dict[str, Any]]:
    """Yield every entry of a night's log that names a seat or was recorded by its phone; none of a damaged log."""
    try:
        rows = [*get_nights().store.events(seat.code)]
    except CorruptLog:
        return
    quoted = json.dumps(seat.seat)
    for row in rows:
        if row.by == seat.seat or quoted in row.body:
            yield {"number": row.number, "at": row.at, "by": row.by, **json.loads(row.body)}


@bp.get("/people/<person>/forget")
def forget_page(person: str) -> str:
    """Say what forgetting does and does not, and ask."""
    view = _view(person)
    return render_template("people/forget.html", view=view, person=view.person)


@bp.post("/people/<person>/forget")
def forget(person: str) -> ResponseReturnValue:
    """Forget a person: a second time there is nobody any more, and nothing happens."""
    if get_people().get(person):
        get_people().forget(person)
    return redirect_to("people.index")
