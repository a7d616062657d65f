"""The parts of the table's page in games with a board: what each shows, and the page of one viewer put together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.events import Amend, Undo
from tracker.core.queries.difference import difference
from tracker.core.queries.prompts import most_cards, stages
from tracker.core.settlement import Payment
from tracker.streaming.stream import Page
from tracker.web.access.consent import shown_requests
from tracker.web.access.permissions import get_access
from tracker.web.base.context import get_template, macro_of
from tracker.web.base.snapshot import Declared, NightSnapshot, PartGroup, PartTable, Viewer, snapshot_of
from tracker.web.drawing.board_places import board_size
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.events.registry import reason_name
from tracker.web.events.sentences import LastEvent
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages, clock_of
from tracker.web.table.told import told_entry, with_correction
from tracker.web.table.view import BoardView, DockView, TableView, dock_view, last_seconds
from tracker.web.wording.game_words import change_words
from tracker.web.wording.texts import gettext, language, ngettext, refusal, signed

LONG_SENTENCE = 70
FRAMED_MOMENTS = ("count", "ended", "match", "poker", "stakes")
"""The moments in which the frame of the page is another one (templates/table/_own.html)."""
Values = tuple[Hashable, ...]


class DockForm(NamedTuple):
    """What the form around the dock says of whoever looks."""

    viewer: Viewer
    is_own: bool
    place: int
    may_act: bool
    hand: int


class BoardFrame(NamedTuple):
    """What the frame shows of the board, and the parts that stand in it."""

    moment: str
    """Empty where the frame is as in most of a hand: no whole page is sent when one of those follows another."""
    size: int
    has_hub: bool
    pool_waits: bool
    news: tuple[str, ...]
    places: tuple[str, ...]
    seats: tuple[str, ...]
    drawn: tuple[PlayerToken, ...]
    """The people of the result, once the night is over."""


class FrameMessages(NamedTuple):
    """What a viewer is told by the frame."""

    hint: Markup
    notice: Markup


class PlayStep(NamedTuple):
    """What can be done next while cards are played."""

    is_own: bool
    waits: bool
    is_no_answer: bool
    fine: int
    head: int
    """Of a page that offers to pay a fine: each is an entry of its own."""
    has_dues: bool


class Seen:
    """All that a page is made of: the night as one viewer sees it, and what this one is told beside the game."""

    def __init__(self, table: OpenNight, view: TableView, messages: Messages) -> None:
        self.table, self.view, self.messages = table, view, messages
        self.board, self.moment, self.base = view.board, view.snapshot.moment.name, f"/n/{table.code}"
        self.language = language()

    @cached_property
    def dock(self) -> DockView:
        return dock_view(self.view)

    def cached(self, name: str, make: Callable[..., Any], *values: object) -> Any:
        """Return what was made for readers of this language (see NightSnapshot.cached)."""
        return self.view.snapshot.cached((name, self.language), make, *values)

    @cached_property
    def event(self) -> LastEvent:
        """The newest event in the words of whom it speaks to."""
        found: LastEvent = self.cached(f"event {self.view.reader}", lambda: self.view.last_event)
        is_amended = self.board.last is not None and isinstance(self.board.last.event, Amend)
        return with_correction(self.table, found) if is_amended else found

    @cached_property
    def last(self) -> tuple[Markup, bool]:
        """What happened last, as the viewer reads it, and whether that needs smaller letters."""
        view, seat = self.view, self.view.viewer.seat
        found: tuple[Markup, bool] = self.cached(f"last {view.reader}", self._last_words)
        if self.moves:
            said = macro_of("table/_sentences:own_moves")(self.moves, seat, view.night.people) + found[0]
            return said, len(said.striptags()) > LONG_SENTENCE
        return found

    @cached_property
    def moves(self) -> list[Payment]:
        """What the viewer pays and gets by the newest entry, or its correction, unless its sentence says it."""
        view, newest, seat = self.view, self.board.last, self.view.viewer.seat
        if view.did and newest and newest.event.kind == "collect":
            return []
        is_correction = newest is not None and isinstance(newest.event, Undo | Amend)
        before = self.table.history().state_after(view.head - 1) if is_correction else self.board.before
        if before is None or not seat or before.stack(seat) == view.night.stack(seat):
            return []
        all_moves = view.snapshot.cached("moves", lambda: difference(before, view.night).moves)
        moves = [one for one in all_moves if seat in (one.debtor, one.creditor)]
        others = get_access().devices.seats_with_phone(self.table.code) - {seat} if moves else ()
        return moves if view.is_own or others else []

    def _last_words(self) -> tuple[Markup, bool]:
        """Return the sentence of a reader, which is one object for all whom it speaks to alike."""
        words: dict[LastEvent, tuple[Markup, bool]] = self.cached("sentences", dict)
        event = self.event
        if event not in words:
            last = macro_of("table/_sentences:last")(event)
            words[event] = last, len(last.striptags()) > LONG_SENTENCE
        return words[event]


# The frame


def _frame(seen: Seen) -> Values:
    view, messages, board = seen.view, seen.messages, seen.board
    viewer, told = view.viewer, FrameMessages(Markup(messages.hint), Markup())  # noqa: S704  rendered by a template
    if messages.refusal or messages.note:
        told = told._replace(notice=macro_of("shared/_macros:notice")(messages.refusal, messages.note, view.head))
    asks = seen.cached(f"asks {viewer.role} {viewer.seat}", _asks_html, messages.asked, messages.notices)
    place = view.night.seats.index(view.me.face.seat) + 1 if view.me else 0
    form = DockForm(viewer, view.is_own, place, view.may_act, view.night.hand)
    result = seen.cached("result", lambda: NightResult(seen.table.history())) if view.night.is_over else None
    return asks, told, form, seen.cached("frame", _board_frame, board), result, seen.base


def _board_frame(board: BoardView) -> BoardFrame:
    night, moment = board.night, board.snapshot.moment.name
    return BoardFrame(
        moment if moment in FRAMED_MOMENTS else "",
        board_size(night),
        any(one.at is None for one in board.places),
        board.pool_waits,
        tuple(change_words(night.preset, key, value) for key, value in night.new_rules.items()),
        tuple(f"p-{one.id}" for one in board.places),
        tuple(f"s-{one.face.seat}" for one in board.seats),
        tuple(board.faces.values()) if night.is_over else (),
    )


def _asks_html(asked: object, notices: object) -> Markup:
    return Markup(get_template("join/_join_requests.html").render(asked=asked, notices=notices))  # noqa: S704


# What everybody sees alike


def _now(seen: Seen) -> Values:
    board, shot = seen.board, seen.view.snapshot
    return shot.moment.name, shot.at, shot.head, board.drawn_dealer, tuple(board.night.last_transfers)


def _tip(seen: Seen) -> Values | None:
    return None if seen.moment in ("count", "ended") else (seen.board.collecting and seen.moment,)


def _rail(seen: Seen) -> Values | None:
    return stages(seen.view.night), seen.view.snapshot.moment.stage


def _places(seen: Seen) -> Mapping[str, Values]:
    return {f"p-{one.id}": (one,) for one in seen.board.places}


def _seats(seen: Seen) -> Mapping[str, Values]:
    return {f"s-{one.face.seat}": (one,) for one in seen.board.seats}


# One viewer's own


def _own_bar(seen: Seen) -> Values | None:
    view, board = seen.view, seen.board
    told = view.me, board.dealer, board.hand_number, board.last_hand, view.night.is_over
    return (*told, seen.base) if view.is_own else None


def _bar(seen: Seen) -> Values | None:
    view, night, board = seen.view, seen.view.night, seen.board
    if view.is_own:
        return None
    if night.is_over:
        title, where = gettext("The night is over"), ngettext("%(num)s hand", "%(num)s hands", night.hand)
    else:
        title = gettext("Hand %(n)s", n=board.hand_number) if night.hand else gettext("First hand")
        where = macro_of("table/_sentences:where")(view)
    return title, board.last_hand == "now", where, view.viewer.role != "watcher", seen.base


def _strip(seen: Seen) -> Values | None:
    """Return what the hand has brought the viewer, whom the viewer owes chips, and who owes the viewer some."""
    night, me = seen.view.night, seen.view.viewer.seat
    if not seen.view.is_own or seen.moment in ("count", "ended"):
        return None
    owed = night.ledger.iou.items()
    debts = tuple((night.name(holder), chips) for (debtor, holder), chips in owed if debtor == me)
    owing = tuple((night.name(debtor), chips) for (debtor, holder), chips in owed if holder == me)
    return seen.board.sums.items(night, me), (debts, owing), f"{seen.base}/sheet/{me}"


def _bubble(seen: Seen) -> Values:
    """Return what the last seconds have brought the viewer: looked at only where an event has moved the own chips."""
    shot, seat = seen.view.snapshot, seen.view.viewer.seat
    if not seat:
        return (None,)
    sums = seen.board.sums
    since = sums.sums.get(seat), sums.newest.get(seat, shot.head), len(shot.undone), shot.night.hand
    return (seen.cached(f"last seconds {seat}", lambda *_: _bubble_words(shot, seat, seen.table), *since),)


def _bubble_words(shot: NightSnapshot, seat: str, table: OpenNight) -> tuple[int, int, str] | None:
    """Return the entry and the time (in seconds since 1970) that the bubble is about, and what it says."""
    found = last_seconds(shot, seat)
    if found is None:
        return None
    parts = [
        f"{gettext(one.label.name) if one.label else reason_name(one.what)} {signed(one.chips)}" for one in found.items
    ]
    total = signed(sum(one.chips for one in found.items))
    said = gettext("%(sum)s in all: %(parts)s", sum=total, parts=", ".join(parts))
    return found.number, int(table.moment(found.number) or 0), said


def _requests(seen: Seen) -> Values:
    view = seen.view
    shown = tuple(shown_requests(seen.table, view.viewer)) if view.may_act and view.snapshot.requests else ()
    return (shown, seen.base, view.key, view.head, view.night.hand) if shown else ((), "", "", 0, 0)


def _count(seen: Seen) -> Values | None:
    if seen.moment != "count":
        return None
    held = get_access().devices.seats_with_phone(seen.table.code)
    return seen.view, frozenset(held), most_cards(seen.view.night)


# The dock


def _said(seen: Seen) -> Values:
    view, board, (last, is_long) = seen.view, seen.board, seen.last
    not_out = view.night.name(view.snapshot.withdrawn) if view.snapshot.withdrawn else ""
    is_shown, undo = False, view.undo if view.may_act else None
    if seen.moment == "count" and view.may_act:
        name, has_points = view.night.name(board.moment.winner or ""), view.night.preset["out.count"] == "points"
        is_me, is_long = seen.dock.is_winner and view.is_own, False
        last = macro_of("table/_dock:counting")(is_me, name, not board.to_count, has_points)
    elif seen.moment == "auction" and board.moment.turn and view.may_act:
        last = macro_of("table/_dock:bidding")(last, seen.dock.is_turn and not view.viewer.records_for_all, board)
    elif seen.moment == "ante" and view.viewer.records_for_all and _may_be_left(board):
        last = macro_of("table/_dock:left_in_hand")(last)
    else:
        is_shown = True
    told = told_entry(seen.table, view.snapshot, view.viewer, seen.event, seen.moves, is_shown=is_shown)
    return last, is_long and view.may_act, undo, not_out, told


def _may_be_left(board: BoardView) -> bool:
    """Return whether somebody may still hold a money card of the hand that is just over."""
    is_after_out = board.last is not None and board.last.event.kind == "out"
    return is_after_out and board.night.phase == "showdown" and board.night.preset["left_in_hand"] != "off"


def _row(seen: Seen) -> Values | None:
    view, board, dock, base = seen.view, seen.board, seen.dock, seen.base
    if not view.may_act:
        return ("watch", base) if view.night.is_over else None
    if not dock.records_for_all and not dock.is_own:
        return "left", base
    match seen.moment:
        case "play":
            preset, is_own = view.night.preset, not dock.records_for_all
            fine = int(preset["stop.fine"])
            head = view.head if fine and is_own else 0
            return "play", PlayStep(is_own, dock.waits, dock.is_no_answer, fine, head, bool(preset.dues)), base
        case "held":
            return "held", dock.records_for_all, base
        case "ante":
            return "ante", dock, board, base, refusal(board.ante_fault) if board.ante_fault else ""
        case moment:
            return moment, dock, board, base


def _questions(seen: Seen) -> Values | None:
    if not seen.view.may_act:
        return None
    match seen.moment:
        case "held" | "count" | "ended" as moment:
            return (moment,)
        case "play":
            return "play", seen.dock.records_for_all
        case "ante":
            return "ante", seen.dock.records_for_all, not seen.view.night.hand
        case moment:
            return moment, seen.dock, seen.board, seen.last[0], seen.view.undo


def _ask_place(seen: Seen) -> Values | None:
    board, dock = seen.board, seen.dock
    if not seen.view.may_act:
        return None
    may_be_claimed = (board.collecting and seen.moment != "dummy") or any(one.by for one in board.places)
    may_claim = (dock.records_for_all or dock.is_own) and may_be_claimed
    claims = (dock.is_own, dock.records_for_all) if may_claim else None
    if not board.collecting:
        return None, claims
    places = (board.turn_ups, board.sharing) if dock.records_for_all else ((), ())
    return (dock.records_for_all, dock.may_collect, dock.fault, *places), claims


def _ask_bet(seen: Seen) -> Values | None:
    board, dock = seen.board, seen.dock
    if not seen.view.may_act:
        return None
    if not board.betting or not (dock.records_for_all or dock.may_bet):
        return (None,)
    calls = tuple(seen.view.snapshot.moment.calls.items())
    return ((dock.records_for_all, calls, seen.view.night.preset["bet.limit"]),)


# What they depend on


def _own_facts(seen: Seen) -> object:
    """Return what one viewer's own parts depend on."""
    view, board, seat = seen.view, seen.board, seen.view.viewer.seat
    offers = view.viewer.records_for_all and (board.turn_ups, board.with_several_holders)
    phones = seen.moment == "count" and get_access().devices.seats_with_phone(seen.table.code)
    common = seen.cached("own facts", _common_facts, board)
    sums = (board.sums.sums.get(seat), board.sums.newest.get(seat, view.head)) if seat else None
    return seen.messages, view.me, sums, offers, phones, common


def _common_facts(board: BoardView) -> object:
    """Return what everybody's own parts depend on: while nobody is asked anything the rest of the night, else all."""
    shot, night, name = board.snapshot, board.night, board.moment.name
    if name not in ("ante", "play", "held") or shot.requests or night.deal is None:
        return shot.at
    fault = refusal(board.ante_fault) if board.ante_fault else ""
    said = shot.moment, shot.count, shot.plan, shot.is_last, shot.head if night.preset["stop.fine"] else 0
    asks = board.collecting, board.betting, board.collecting or any(one.by for one in board.places), board.pool_waits
    waits = name == "ante" and board.not_in, fault
    return said, asks, waits, board.rest, night.ledger.iou, board.dealer, len(shot.undone)


def _said_facts(seen: Seen) -> object:
    """Return what the line under the table depends on; a host's at a seat tells payments where others have phones."""
    snapshot, viewer = seen.view.snapshot, seen.view.viewer
    has_seat = viewer.role == "host" and viewer.seat is not None
    return snapshot.at, has_seat and get_access().devices.seats_with_phone(seen.table.code)


def _who_is_told(seen: Seen) -> Hashable:
    """Return whom the newest entry says something of their own; all others are told the same in each role."""
    viewer, addressed = seen.view.viewer, seen.board.addressed
    if viewer.seat is None or addressed is None or viewer.seat in addressed:
        return viewer
    return viewer.role, viewer.is_open


PARTS = PartTable(
    {
        "all": PartGroup(
            (
                Declared("now", "table/_own:now", _now),
                Declared("tip", "table/_shared:tip", _tip),
                Declared("rail", "table/_place:rail", _rail),
                Declared("clock", "shared/_macros:clock", lambda seen: clock_of(seen.table)),
            )
        ),
        "places": PartGroup((Declared("p-", "table/_place:place", _places),)),
        "seats": PartGroup((Declared("s-", "table/_place:seat", _seats),)),
        "said": PartGroup((Declared("said", "table/_dock:said", _said),), _said_facts, _who_is_told),
        "own": PartGroup(
            (
                Declared("", "table/_own:live", _frame),
                Declared("own-bar", "table/_own:top", _own_bar),
                Declared("own-bar", "table/_head:head", _bar),
                Declared("strip", "table/_own:strip", _strip),
                Declared("last-seconds", "table/_own:bubble", _bubble),
                Declared("own-turn", "table/_own:own_turn", lambda seen: (seen.view.own_turn,)),
                Declared("requests", "table/_own:requests", _requests),
                Declared("count", "table/_count:count", _count),
                Declared("row", "table/moments/*:row", _row),
                Declared("ask-place", "table/_dock:collect", _ask_place),
                Declared("ask-bet", "table/_dock:bets", _ask_bet),
                Declared("questions", "table/moments/*:questions", _questions),
            ),
            _own_facts,
            lambda seen: seen.view.viewer,
        ),
    }
)
"""All that changes on the page of a game with a board."""


def fragments(table: OpenNight, viewer: Viewer, messages: Messages) -> Page:
    """Return what changes for one viewer, as the page, every answer and the stream have it."""
    seen = Seen(table, TableView(snapshot_of(table), viewer), messages)
    if not seen.view.may_act:
        return PARTS.page(seen, ("places", "seats"))
    return PARTS.page(seen, () if viewer.records_for_all else ("seats",))


def counted(_table: OpenNight, _viewer: Viewer) -> None:
    """Return that no deal is counted as in score games."""
