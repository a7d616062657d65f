"""The page on which everybody counts their chips against the book; numbers wait in settings until the host decides."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.app.event_rows import new_id
from tracker.app.log_history import History
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.app.settings import NightSettings, records
from tracker.core.errors import TableError
from tracker.core.events import Amount, Chips, Count, Event, Move, Text
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.settlement import Payment, matched
from tracker.web.access.admission import Question
from tracker.web.access.answered_forms import id_from_content
from tracker.web.access.devices import Identity
from tracker.web.access.roles import ALLOWED_IN, AT_TABLE, HOST, may
from tracker.web.base.context import get_table, redirect_to
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.error_pages import status_of
from tracker.web.events import sentences
from tracker.web.log_sentences import refusal_in_log
from tracker.web.responses import poll_response
from tracker.web.wording.texts import chips_typed, gettext as _

REASON = Text("counted")
"""Of the moves that set the book right by a count."""


class CountedChips(NamedTuple):
    """The chips counted in one stack or pot, and those that the log had there at that moment."""

    counted: int
    in_log: int


class CountSettings(NightSettings):
    """The settings of a night, with what is counted."""

    counted = records("counted.", CountedChips, "/")
    """By account: what somebody has counted there."""


def settings_of(table: OpenNight) -> CountSettings:
    return table.settings.declared_by(CountSettings)


@dataclass(frozen=True)
class AccountCount:
    """One stack or pot: what the book says, and what was counted, if anybody has."""

    account: str
    book: int
    counted: int | None = None

    @property
    def off(self) -> int:
        """How many chips more (or fewer) than the book lie there; 0 while nobody has counted."""
        return self.chips - self.book

    @property
    def chips(self) -> int:
        """Chips that lie there, as counted and else as in the book."""
        return self.book if self.counted is None else self.counted


@dataclass(frozen=True)
class ChipCount:
    """A count that is going on."""

    night: Night
    seats: tuple[AccountCount, ...]
    pots: tuple[AccountCount, ...]

    @property
    def all(self) -> tuple[AccountCount, ...]:
        return self.seats + self.pots

    @property
    def counted(self) -> dict[str, int]:
        return {one.account: one.counted for one in self.all if one.counted is not None}

    @property
    def off(self) -> int:
        return sum(one.off for one in self.all)

    @property
    def mark(self) -> str:
        """Return a short text that is another one for another count: what a form says it has shown."""
        return " ".join(f"{one.account}:{one.book}:{one.counted}" for one in self.all if one.counted is not None)


def read_chip_count(table: OpenNight) -> ChipCount:
    """Return the count of this table, from the night's settings."""
    night = table.night
    return ChipCount(
        night, tuple(_account_counts(table, night.seats)), tuple(_account_counts(table, night.preset.board))
    )


def _account_counts(table: OpenNight, accounts: Iterable[str]) -> Iterator[AccountCount]:
    counted = settings_of(table).counted
    for account in accounts:
        book, chips = table.night.ledger.balance(account), counted.get(account)
        yield AccountCount(account, book, chips.counted if chips and chips.in_log == book else None)


def save_count(table: OpenNight, account: str, counted: int | None) -> None:
    """Store what somebody counted; None deletes it. Raises Unknown when there is no such stack or pot."""
    table.night.require_account(account)
    book = table.night.ledger.balance(account)
    settings_of(table).counted.put(account, None if counted is None else CountedChips(counted, book))


def clear_counts(table: OpenNight) -> None:
    for account in settings_of(table).counted.names():
        settings_of(table).counted.put(account, None)


class CountQuestion(NamedTuple):
    """The question of whether a seat has the chips that the book says."""

    seat: str
    stack: int
    template: str = "count/_ask.html"
    is_first: bool = False


def ask_to_count(table: OpenNight, identity: Identity) -> Question | None:
    """Return the question to a phone whose chips are to be counted."""
    # While people play, the question would lie over the top bar, which they need.
    if identity.seat not in table.night.seats or not table.night.is_between_hands:
        return None
    stack = stack_to_count(table, identity.seat)
    return None if stack is None else CountQuestion(identity.seat, stack)


def stack_to_count(table: OpenNight, seat: str) -> int | None:
    """Return the chips of a seat in the book, while others have counted theirs and it has not; else None."""
    night, counted = table.night, settings_of(table).counted
    latest = {one: counted.get(one) for one in night.seats}
    done = [one for one, chips in latest.items() if chips and chips.in_log == night.stack(one)]
    return night.stack(seat) if done and seat not in done else None


def setting_right(chip_count: ChipCount) -> tuple[list[Payment], dict[str, int]]:
    """Return the moves that bring the book to what was counted, and the chips that they leave short or over in pots.

    Chips that nobody finds go to the bank, and chips that nobody missed come from it, but none from or to a pot. What
    is short is matched with what is over, pots first and the bank last.
    """
    off = {one.account: one.off for one in (*chip_count.pots, *chip_count.seats)} | {BANK: -chip_count.off}
    moves, left = list[Payment](), dict[str, int]()
    for one in matched({account: -chips for account, chips in off.items()}, off):
        pots = {one.debtor, one.creditor} & {*chip_count.night.preset.board}
        if pots and BANK in (one.debtor, one.creditor):
            left[pots.pop()] = one.chips
        else:
            moves.append(one)
    return moves, left


def events_of(chip_count: ChipCount, *, use: bool) -> list[Event]:
    """Return what a finished count records: the count and, if it is to be used, the moves that set the book right."""
    counted = Count({account: Chips(chips) for account, chips in chip_count.counted.items()})
    made = setting_right(chip_count)[0] if use else []
    return [counted, *(Move(one.debtor, one.creditor, Amount(one.chips), REASON) for one in made)]


bp = Blueprint("count", __name__)


@bp.get("/n/<code>/count")
@may(ALLOWED_IN)
def page(code: str) -> ResponseReturnValue:
    """Show what the book says of every stack and place, and what was counted so far."""
    found = page_context(get_table(code))
    return (
        poll_response("count/_count_chips.html", found)
        if "seen" in request.args
        else render_template("count/count.html", **found)
    )


def page_context(table: OpenNight, wrong: str = "") -> dict[str, Any]:
    """Return what the count's page needs; 404 in a game without chips."""
    if not table.preset.is_pot_game:
        abort(404)
    chip_count = read_chip_count(table)
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
        "unsettled_pots": setting_right(chip_count)[1],
        "key": new_id(),
        "wrong": wrong,
    }


def corrections(chip_count: ChipCount) -> list[Markup]:
    """Return what using the count would write into the log, a sentence each."""
    made = events_of(chip_count, use=True)[1:]
    return [sentences.sentence(event, None, chip_count.night) for event in made]


def may_count(table: OpenNight, account: str) -> bool:
    """Say whether this phone may type what lies there: its own stack, or anything where everybody may record."""
    is_open = g.identity.role == "seat" and table.settings.is_open_to_all
    return g.identity.role == "host" or is_open or (g.identity.role == "seat" and account == g.identity.seat)


@bp.post("/n/<code>/count")
@may(AT_TABLE)
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
    save_count(table, account, chips)
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
@may(HOST)
def record(code: str) -> ResponseReturnValue:
    """Record the count; with `use`, set the book right by it, in moves that everybody can read in the log."""
    table = get_table(code)
    head, chip_count = table.head, read_chip_count(table)
    if not chip_count.counted:
        return redirect_to("log.log", code=code)
    if request.form.get("mark") != chip_count.mark:
        return answer(table, _("Somebody counted something else in the meantime. Look again."), 409)
    try:
        for event in events_of(chip_count, use=request.form.get("use") == "count"):
            seen = ExpectedState(head=head, is_exact=True)
            done = table.record(event, id=id_from_content(request.form, event), by=g.identity.by, seen=seen)
            head = max(head, done.entry.number)
    except TableError as error:
        return answer(table, refusal_in_log(error, table.history()), status_of(error))
    clear_counts(table)
    return redirect_to("log.log", code=code)


@bp.post("/n/<code>/count/again")
@may(HOST)
def reset(code: str) -> ResponseReturnValue:
    table = get_table(code)
    clear_counts(table)
    return answer(table)


def answer(table: OpenNight, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer with the count's changing part, or send a plain browser to its page."""
    if request.headers.get("HX-Request"):
        return render_template("count/_count_chips.html", **page_context(table, wrong)), status
    return (
        (render_template("count/count.html", **page_context(table, wrong)), status)
        if wrong
        else redirect_to("count.page", code=table.code)
    )


@bp.app_template_global()
def count_difference(history: History) -> int:
    """Return how many chips more (or fewer) the last count of this hand found than the book had; 0 without one.

    Chips that it moved itself are where it found them.
    """
    if not history.night.counted or history.night.is_over:
        return 0
    events = [event for _number, event, _night in history.steps]
    index = max(index for index, event in enumerate(events) if isinstance(event, Count))
    counted = history.steps[index][2].counted or {}
    while index + 1 < len(events) and isinstance(move := events[index + 1], Move) and move.why == REASON:
        index += 1
    book = history.steps[index][2].ledger
    return sum(counted.values()) - sum(book.balance(account) for account in counted)
