"""The list of people, a person's page, and every change that can be taken back."""

from functools import partial

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.person_names import BadName, clean_name, comparison_key
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._people import LinkedSeat, show_again
from tracker.extras.people.offers import earlier_names
from tracker.extras.people.people import COLOURS
from tracker.extras.people.view import all_people, change_sentence, known_people, name_line, person_view, shared_nights
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, redirect_to
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import refusal, whole_number

bp = Blueprint("people", __name__)

MOST_NAMES = 40


@bp.get("/people")
@may(HOST)
def index() -> str:
    """List everybody, and the names of earlier nights that are nobody yet."""
    people, nights = known_people(), get_summaries().all()
    views = all_people(people, nights)
    return render_template(
        "people/people.html",
        listed=[one for one in views if not one.person.is_hidden],
        hidden=[one for one in views if one.person.is_hidden],
        names=earlier_names(people, nights)[:MOST_NAMES],
        name_line=name_line,
        undoable=people.last_change(),
        sentence_of=partial(change_sentence, people),
        damaged=people.damaged_rows(),
    )


@bp.get("/people/names")
@may(HOST)
def names() -> str:
    """Ask which seats of a name are one person, and who it is."""
    people, nights = known_people(), get_summaries().all()
    key = comparison_key(request.args.get("name", ""))
    found = next((one for one in earlier_names(people, nights) if comparison_key(one.name) == key), None) or abort(404)
    views = [one for one in all_people(people, nights) if not one.person.is_hidden]
    return render_template("people/names.html", name=found, people=views, day_of=day_of)


@bp.post("/people")
@may(HOST)
def add() -> ResponseReturnValue:
    """Make the chosen seats one person: a new one, or one that is known."""
    people, person = known_people(), request.form.get("person", "")
    seats = chosen_seats()
    if not seats:
        abort(400)
    if not person:
        person = people.add(clean_name(request.form.get("name", "")), seats).id
    else:
        for seat in seats:
            people.link(*seat, person)
    return redirect_to("people.page", person=person)


def chosen_seats() -> list[LinkedSeat]:
    """Return the seats of the form that there are; each is `code/seat`."""
    known = {LinkedSeat(one.code, seat.seat) for one in get_summaries().all() for seat in one.seats}
    typed = (LinkedSeat(*text.split("/", 1)) for text in request.form.getlist("seat") if "/" in text)
    return [seat for seat in typed if seat in known]


@bp.get("/people/<person>")
@may(HOST)
def page(person: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    people, nights = known_people(), get_summaries().all()
    view = person_view(people, nights, person)
    others = [(one, shared_nights(view, one)) for one in all_people(people, nights) if one.person.id != person]
    return form_page(
        "people/person.html",
        wrong,
        view=view,
        person=view.person,
        face=view.face,
        others=sorted(others, key=lambda other: other[1] > 0),  # who sat beside them is hardly the same
        colours=[PlayerToken("", "", view.face.initial, colour) for colour in range(1, COLOURS + 1)],
        undoable=people.last_change(person),
        sentence_of=partial(change_sentence, people),
        day_of=day_of,
        typed=typed,
    )


@bp.post("/people/<person>/name")
@may(HOST)
def rename(person: str) -> ResponseReturnValue:
    known = known_people().find(person)
    try:
        name = clean_name(request.form.get("name", ""))
    except BadName as bad:
        return page(person, refusal(bad), bad.name)
    if name != known.name:
        known_people().rename(person, name)
    return redirect_to("people.page", person=person)


@bp.post("/people/<person>/colour")
@may(HOST)
def set_colour(person: str) -> ResponseReturnValue:
    """Give a person's token another colour."""
    colour = whole_number(request.form.get("colour", "")) or 0
    if not 1 <= colour <= COLOURS:
        abort(400)
    if known_people().find(person).colour != colour:
        known_people().set_colour(person, colour)
        show_again(code for code, _seat in known_people().seats_of(person))
    return redirect_to("people.page", person=person)


@bp.post("/people/<person>/hide")
@may(HOST)
def hide(person: str) -> ResponseReturnValue:
    """Leave a person out of lists and offers, or bring them back."""
    is_hidden = request.form.get("hidden") == "1"
    if known_people().find(person).is_hidden != is_hidden:
        known_people().hide(person, is_hidden=is_hidden)
    return redirect_to("people.page", person=person)


@bp.post("/people/<person>/merge")
@may(HOST)
def merge(person: str) -> ResponseReturnValue:
    """Give this person the nights of another one, who is the same."""
    known_people().merge(request.form.get("other", ""), person)
    return redirect_to("people.page", person=person)


@bp.post("/people/<person>/split")
@may(HOST)
def split(person: str) -> ResponseReturnValue:
    """Take nights away from a person for a new one."""
    seats = chosen_seats()
    try:
        name = clean_name(request.form.get("name", ""))
    except BadName as bad:
        return page(person, refusal(bad), bad.name)
    known_people().split(person, seats, name)
    return redirect_to("people.page", person=person)


@bp.post("/people/undo")
@may(HOST)
def undo() -> ResponseReturnValue:
    number, person = whole_number(request.form.get("number", ""), 9), request.form.get("person", "")
    if number is None:
        abort(400)
    known_people().undo(number)
    return redirect_to("people.page", person=person) if known_people().get(person) else redirect_to("people.index")
