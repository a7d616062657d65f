"""Everything that is kept about a person, as a page and as a file; and forgetting it."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.person_names import comparison_key
from tracker.extras._night_summaries.pages import get_all_summaries, get_summaries
from tracker.extras._people import LinkedSeat, device_facts
from tracker.extras._responsible import ResponsibleSettings
from tracker.extras.people.offers import SeatOfNight
from tracker.extras.people.view import PersonView, change_sentence, known_people, person_view
from tracker.formats.text import UNREADABLE, name_order
from tracker.storage import CorruptLog
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, redirect_to
from tracker.web.responses import attachment
from tracker.web.wording.dates import day_of

bp = Blueprint("kept", __name__)


@bp.get("/people/<person>/kept")
@may(HOST)
def page(person: str) -> str:
    """List what is kept about a person, and where."""
    people, view = known_people(), _view(person)
    changes = [(day_of(one.at), change_sentence(people, one)) for one in people.changes_of(person)]
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
@may(HOST)
def file(person: str) -> Response:
    """Send everything that is kept about a person, with every entry of the logs that names their seats."""
    view = _view(person)
    return _file(view.person.name, view.nights)


@bp.get("/people/data")
@may(HOST)
def search() -> str:
    """Offer every seat that somebody of a name has had at any table of the house, whoever opened it."""
    name = request.args.get("name", "")
    found = _seats_of_name(name) if comparison_key(name) else []
    return render_template("people/data.html", name=name, found=found, day_of=day_of)


@bp.post("/people/data")
@may(HOST)
def file_of_seats() -> Response:
    """Send everything that is kept about somebody who had the chosen seats."""
    name, chosen = request.form.get("name", ""), request.form.getlist("seat")
    return _file(name, [one for one in _seats_of_name(name) if "/".join(one.key) in chosen])


def _seats_of_name(name: str) -> list[SeatOfNight]:
    """Return the seats at all tables that had a name, or belong to a person who ever had it; the newest first."""
    people, key, found = known_people(), comparison_key(name), list[SeatOfNight]()
    owners = {one.id for one in people.all() if key in map(comparison_key, people.names_of(one.id))}
    seats, summaries = people.seats(), get_all_summaries()
    for night in (*summaries.all(), *summaries.deleted()):
        found += [SeatOfNight(night, seat) for seat in night.seats]
    return [one for one in found if key == comparison_key(one.seat.name) or seats.get(one.key) in owners]


def _view(person: str) -> PersonView:
    summaries = get_summaries()
    return person_view(known_people(), [*summaries.all(), *summaries.deleted()], person)


def _file(name: str, seats: Sequence[SeatOfNight]) -> Response:
    text = json.dumps(_everything(name, seats), ensure_ascii=False, indent=1)
    return attachment(name, text, "json", "application/json")


def _everything(name: str, seats: Sequence[SeatOfNight]) -> dict[str, Any]:
    """Return as JSON what is kept about somebody; others stand in it only where an entry of theirs needs them."""
    people = known_people()
    known = {one.id: one for seat in seats if (one := people.person_of(*seat.key))}
    keys = [seat.key for seat in seats]
    return {
        "name": name,
        "responsible": get_nights().settings.declared_by(ResponsibleSettings).responsible._asdict(),
        "people": [
            {
                "id": one.id,
                "name": one.name,
                "colour": one.colour,
                "hidden": one.is_hidden,
                "names": sorted(people.names_of(one.id), key=name_order),
                "changes": [{"number": made.number, "at": made.at, **made.raw} for made in people.changes_of(one.id)],
            }
            for one in known.values()
        ],
        "nights": [_night(one) for one in seats],
        **{what: [*kept(name, keys, known)] for what, kept in current_app.extensions["kept_about"].items()},
    }


def _night(one: SeatOfNight) -> dict[str, Any]:
    """Return what one night has of somebody: results, open payments, phones, and the entries of its log."""
    night, seat = one.night, one.seat
    names = {other.seat: other.name for other in night.seats}
    return {
        "code": night.code,
        "night": night.name,
        "begin": night.day,
        "game": night.game_name,
        "seat": seat.seat,
        "name": seat.name,
        "net": seat.net,
        "cents": seat.cents,
        "decimals": night.decimals,
        "hands": seat.hands,
        "open payments": [
            {"from": names.get(pay.source, pay.source), "to": names.get(pay.target, pay.target), "cents": pay.cents}
            for pay in night.unpaid
            if seat.seat in (pay.source, pay.target)
        ],
        "phones": [device_facts(row) for row in get_access().devices.at_seat(*one.key)],
        "entries": [*_entries(one.key, {*names})],
    }


def _entries(seat: LinkedSeat, seats: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield every entry of a night's log that names a seat, was recorded by its phone, or takes back or corrects one of
    these; none of a damaged log."""
    try:
        rows = [(row, json.loads(row.body)) for row in get_nights().store.events(seat.code)]
    except (CorruptLog, *UNREADABLE):
        return
    quoted, yielded, others = json.dumps(seat.seat), set[int | str](), {*seats} - {seat.seat}
    for row, event in rows:
        if row.by == seat.seat or quoted in row.body or event.get("event") in yielded:
            yielded |= {row.number, row.id}
            recorded_by = row.by if row.by not in others else "somebody else"
            part = event if event.get("seat") == seat.seat else _without(event, others)
            yield {"number": row.number, "at": row.at, "by": recorded_by, **part}


def _without(value: Any, others: Collection[str]) -> Any:
    """Return a value without the seats of others in its lists and among the keys of its objects."""
    if isinstance(value, dict):
        return {key: _without(one, others) for key, one in value.items() if key not in others}
    if isinstance(value, list):
        return [_without(one, others) for one in value if not (isinstance(one, str) and one in others)]
    return value


@bp.get("/people/<person>/forget")
@may(HOST)
def forget_page(person: str) -> str:
    """Say what forgetting does and does not, and ask."""
    view = _view(person)
    return render_template("people/forget.html", view=view, person=view.person)


@bp.post("/people/<person>/forget")
@may(HOST)
def forget(person: str) -> ResponseReturnValue:
    """Forget a person: a second time there is nobody any more, and nothing happens."""
    if known_people().get(person):
        known_people().forget(person)
    return redirect_to("people.index")
