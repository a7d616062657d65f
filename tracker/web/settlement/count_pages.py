"""The page on which everybody counts their chips, against what the book says."""

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.app.event_rows import new_id
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.core.errors import TableError
from tracker.core.log import Entry
from tracker.web.access.answered_forms import id_from_content
from tracker.web.context import get_table, redirect_to
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.error_pages import status_of
from tracker.web.events import sentences
from tracker.web.log_sentences import refusal_in_log
from tracker.web.responses import poll_response
from tracker.web.settlement import count
from tracker.web.wording.texts import chips_typed, gettext as _

bp = Blueprint("count", __name__)


@bp.get("/n/<code>/count")
def page(code: str) -> ResponseReturnValue:
    """Show what the book says of every stack and place, and what was counted so far."""
    found = page_context(get_table(code))
    return (
        poll_response("settlement/_count_chips.html", found)
        if "seen" in request.args
        else render_template("settlement/count.html", **found)
    )


def page_context(table: OpenNight, wrong: str = "") -> dict[str, Any]:
    """Return what the count's page needs; 404 in a game without chips."""
    if not table.preset.is_pot_game:
        abort(404)
    chip_count = count.read_chip_count(table)
    return {
        "mark": f"{table.head} {chip_count.mark}",
        "table": table,
        "chip_count": chip_count,
        "identity": g.identity,
        "faces": player_tokens(table.night),
        "labels": {pot.id: label_of(pot) for pot in table.night.preset.board.values()},
        "colours": table.preset.chips,
        "may": {one.account for one in chip_count.all if may_count(table, one.account)},
        "setting_right": corrections(chip_count),
        "unsettled_pots": count.unsettled_pots(chip_count),
        "key": new_id(),
        "wrong": wrong,
    }


def corrections(chip_count: count.ChipCount) -> list[Markup]:
    """Return what using the count would write into the log, a sentence each."""
    made = count.events_of(chip_count, use=True)[1:]
    return [sentences.sentence(Entry(0, event), event, None, chip_count.night) for event in made]


def may_count(table: OpenNight, account: str) -> bool:
    """Say whether this phone may type what lies there: its own stack, or anything where everybody may record."""
    is_open = g.identity.role == "seat" and table.settings.is_open_to_all
    return g.identity.role == "host" or is_open or (g.identity.role == "seat" and account == g.identity.seat)


@bp.post("/n/<code>/count")
def save(code: str) -> ResponseReturnValue:
    """Keep what somebody counted, in chips or by colour, until the host says what the count is for."""
    table, account = get_table(code), request.form.get("account", "")
    if not may_count(table, account):
        abort(403)
    try:
        chips = typed_chips(table)
    except ValueError:
        return answer(table, _("A whole number, please."), 422)
    if request.form.get("book") not in (None, str(table.night.ledger.balance(account))):
        return answer(table, _("The book has another number by now. Look again."), 409)
    count.save_count(table, account, chips)
    return answer(table)


def typed_chips(table: OpenNight) -> int | None:
    """Return the chips that the form says; None when it takes a number back. ValueError when it is no number."""
    text = request.form.get("counted", "").strip()
    if text == "again":
        return None
    if text:
        return _whole(text)
    piles = [(one.value, request.form.get(f"colour-{at}", "").strip()) for at, one in enumerate(table.preset.chips)]
    if not any(pieces for _value, pieces in piles):
        raise ValueError
    return _whole(str(sum(value * _whole(pieces or "0") for value, pieces in piles)))


def _whole(text: str) -> int:
    if (number := chips_typed(text)) is None:
        raise ValueError
    return number


@bp.post("/n/<code>/count/done")
def record(code: str) -> ResponseReturnValue:
    """Record the count; with `use`, set the book right by it, in moves that everybody can read in the log."""
    table = get_table(code)
    head, chip_count = table.head, count.read_chip_count(table)
    if not chip_count.counted:
        return redirect_to("log.log", code=code)
    if request.form.get("mark") != chip_count.mark:
        return answer(table, _("Somebody counted something else in the meantime. Look again."), 409)
    try:
        for event in count.events_of(chip_count, use=request.form.get("use") == "count"):
            seen = ExpectedState(head=head, is_exact=True)
            done = table.record(event, id=id_from_content(request.form, event), by=g.identity.by, seen=seen)
            head = max(head, done.entry.number)
    except TableError as error:
        return answer(table, refusal_in_log(error, table.history()), status_of(error))
    count.clear_counts(table)
    return redirect_to("log.log", code=code)


@bp.post("/n/<code>/count/again")
def reset(code: str) -> ResponseReturnValue:
    table = get_table(code)
    count.clear_counts(table)
    return answer(table)


def answer(table: OpenNight, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer with the count's changing part, or send a plain browser to its page."""
    if request.headers.get("HX-Request"):
        return render_template("settlement/_count_chips.html", **page_context(table, wrong)), status
    return (
        (render_template("settlement/count.html", **page_context(table, wrong)), status)
        if wrong
        else redirect_to("count.page", code=table.code)
    )
