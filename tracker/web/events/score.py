"""Events of the two score games: rounds, the direction of play, and counted deals."""

from typing import Any

from tracker.core import events, rounds_game
from tracker.core.errors import N_, AlreadyDone, Stale
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.night import Night
from tracker.core.points_game import PAUSES, pausing
from tracker.core.rum_game import hand_points
from tracker.formats.codec import event_to
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, number
from tracker.web.wording.texts import gettext as _, ngettext, signed

# 8 Round Rummy


def _round(event: events.Round, words: Vocabulary) -> str:
    won = next((card for card in reversed(words.after.rounds) if card.winner == event.winner), None)
    name = words.name(event.winner)
    if won is None:
        return name
    sentence = ngettext(
        "%(name)s wins round %(round)s: %(num)s point",
        "%(name)s wins round %(round)s: %(num)s points",
        won.points,
        name=name,
        round=won.number,
    )
    if won.is_automatic and won.number == rounds_game.LAST_ROUND:
        return sentence + ". " + _("No joker in it: that wins the game")
    if won.is_automatic:
        return sentence + ". " + _("Seven equal numbers without a joker: that wins the game")
    return sentence


def _read_round(form: MoveForm) -> events.Round:
    winner, jokers, alike = [*form.argument.split("/"), "", ""][:3]
    return events.Round(winner or form.seat, events.Chips(number(jokers or "0")), seven_alike=alike == "alike")


def _ask_jokers(raw: ask.Raw, night: Night) -> ask.Field | None:
    """Return the question for jokers: of a round that wins the game without one, or that was recorded with some."""
    now = rounds_game.next_round(night)
    is_asked = raw.get("jokers") or (now is not None and now.number == rounds_game.LAST_ROUND)
    return ask.Field("jokers", "number", _("Jokers in it"), raw.get("jokers", 0)) if is_asked else None


_SEVEN_ALIKE = ask.yes_or_no("seven_alike", N_("Seven equal numbers without a joker?"))


def _ask_seven_alike(raw: ask.Raw, night: Night) -> ask.Field | None:
    """Return that question, of a round in which seven equal numbers win, or that was recorded with them."""
    now = rounds_game.next_round(night)
    is_asked = raw.get("seven_alike") or (now is not None and rounds_game.asks_seven_alike(night, now.number))
    return _SEVEN_ALIKE(raw, night) if is_asked else None


ROUND = EventKind(
    event=events.Round,
    sentence=_round,
    undone=lambda _event, _words: _("Undone: the round is open again"),
    own="winner",
    buttons={"round": _read_round},
    correction=ask.Form(ask.pick("winner", N_("Who won the round?"), ask.at_table), _ask_jokers, _ask_seven_alike),
)


REVERSE = EventKind(
    event=events.Reverse,
    sentence=lambda _event, _words: _("Play changes direction"),
    undone=lambda _event, _words: _("Undone: the direction turns back"),
    seats=lambda _event, _night: (),  # it moves no points, and whoever sees the card may say so
    icon="turn",
)


# Michigan Rummy with the snake


def _read_payment(form: MoveForm) -> events.Event:
    """Return the deal's end as the sender has seen it counted; Stale when a hand was changed since."""
    if form.counted is None:
        raise AlreadyDone("this deal is paid already: look at the table")
    counted, closing = form.counted
    pairs = (pair.partition("=") for pair in form.text("hands").split())
    hands = {seat: PAUSES if points == PAUSES else ask.whole(points) for seat, _equals, points in pairs}
    if hands != counted:
        raise Stale("somebody’s cards have just been changed: look at the payments and tap again")
    return closing


def _rummy(event: events.Rummy, words: Vocabulary) -> str:
    change = words.after.deals[-1].change.get(event.seat, 0)
    return _("%(name)s goes out: %(points)s", name=words.name(event.seat), points=signed(change))


def _undone_payment(_event: events.Event, _words: Vocabulary) -> str:
    return _("Undone: nothing is paid for this deal yet")


def _with_points(event: events.Rummy | events.StockOut, before: Night) -> dict[str, Any]:
    """Return an event's raw values with hands of cards as the points that they count."""
    points = {seat: hand_points(before, hand) for seat, hand in event.hands.items()}
    return {**event_to(event), "hands": points}


RUMMY = EventKind(
    event=events.Rummy,
    sentence=_rummy,
    undone=_undone_payment,
    own="seat",
    buttons={"pay": _read_payment},
    correction=ask.Form(
        ask.pick("seat", N_("Who went out?"), ask.at_table),
        ask.points_left,
        ask.only_if("one_turn", 2, ask.yes_or_no("one_turn", N_("All cards in one turn?"))),
        to_form=_with_points,
        from_form=ask.without_winners("hands"),
    ),
)


def _stock_out(_event: events.StockOut, words: Vocabulary) -> str:
    winners = words.after.deals[-1].winners
    return _("The stock is used up. Fewest points: %(names)s", names=words.names(winners))


STOCK_OUT = EventKind(
    event=events.StockOut,
    sentence=_stock_out,
    undone=_undone_payment,
    correction=ask.Form(ask.points_left, to_form=_with_points),
)

# A plain score sheet


def _scores(_event: events.Scores, words: Vocabulary) -> str:
    round_ = words.after.deals[-1]
    facts = {"n": len(words.after.deals), "names": words.names(round_.winners)}
    if words.after.house_rules.points_entry == "winner":
        said = _("Round %(n)s: %(names)s has won", **facts)
    else:
        said = _("Round %(n)s: %(names)s with %(points)s", points=round_.hands[round_.winners[0]], **facts)
    if not round_.sits_out:
        return said
    paused = ngettext("%(names)s pauses", "%(names)s pause", len(round_.sits_out), names=words.names(round_.sits_out))
    return f"{said}. {paused}"


def _read_winner(form: MoveForm) -> events.Scores:
    """Return the points of a round of which only the winner is written down: 1 for that person, 0 for the others.

    Newcomers wait for the next round, unless one of them has won, or too few others play it. Who has won did not pause.
    """
    night, winner = form.night, form.argument or form.seat
    pauses = tuple(seat for seat in pausing(night, form.card_count.cover) if seat != winner)
    there = [seat for seat in night.seats if seat not in pauses]
    others = [seat for seat in there if seat not in night.newcomers]
    players = others if len({*others, winner}) > 1 else there
    return events.Scores({**dict.fromkeys(players, events.Score(0)), winner: events.Score(1)}, pauses)


def _without_paused(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a filled form without the points of who pauses."""
    paused = raw.get("sits_out") or ()
    points = {seat: points for seat, points in raw.get("points", {}).items() if seat not in paused}
    return {**raw, "points": points} if "points" in raw else raw


def _whose_scores(event: events.Scores, night: Night) -> set[str]:
    """Return everybody; where only the winner is written down, the winner, who may say so on the own phone."""
    return {seat for seat, points in event.points.items() if points or night.house_rules.points_entry == "points"}


SCORES = EventKind(
    event=events.Scores,
    sentence=_scores,
    undone=lambda _event, _words: _("Undone: the points of this round are asked for again"),
    seats=_whose_scores,
    buttons={"round": _read_winner, "pay": _read_payment},
    correction=ask.Form(
        ask.pick("points", N_("Points of this round"), ask.at_table, "numbers", -MOST_CHIPS),
        ask.pick("sits_out", N_("Who pauses?"), ask.at_table, "picks"),
        from_form=_without_paused,
    ),
)

ROUNDS: tuple[AnyKind, ...] = (ROUND, REVERSE)
RUM: tuple[AnyKind, ...] = (RUMMY, STOCK_OUT)
POINTS: tuple[AnyKind, ...] = (SCORES,)
