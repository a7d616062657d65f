"""What a phone's form says, as an event of the log: the words of the buttons on the table's page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from tracker.codec import event_from, event_to
from tracker.core import pot_game
from tracker.core.errors import Stale
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.seen import Seen
from tracker.web.moments import Moment
from tracker.web.views import Scene

Form = Mapping[str, str]
Raw = dict[str, Any]


def event_of(form: Form, scene: Scene, moment: Moment) -> Event:
    """Return the event that a form asks to record.

    `do` is `verb` or `verb:argument`. Raises BadEvent or Stale; an unknown verb is a BadEvent too.
    """
    verb, _, argument = form.get("do", "").partition(":")
    build = _BUILD.get(verb)
    raw = build(form, argument, scene, moment) if build else {}
    return event_from({"kind": verb, **raw})


def event_id(form: Form, event: Event) -> str:
    """Return the event's id: the same button of the same picture gives the same id, so a double tap is one event."""
    body = json.dumps(event_to(event), sort_keys=True)
    print_ = hashlib.sha256(body.encode()).hexdigest()[:12]
    return f"{form.get('key', '')[:40]}-{print_}"


def form_id(form: Form) -> str:
    """Return the id of what a form says: sent again as it was, because its answer got lost, it is the same event."""
    print_ = hashlib.sha256(json.dumps(sorted(form.items())).encode()).hexdigest()[:12]
    return f"{form.get('key', '')[:40]}-{print_}"


def seen_of(form: Form, event: Event) -> Seen:
    """Return what the sender's page showed, as far as the event depends on it."""
    pots = {form["pot"]: number(form, "held")} if event.kind == "collect" and form.get("held") else {}
    hand = number(form, "hand") if form.get("hand") else None
    return Seen(head=number(form, "head") if form.get("head") else None, hand=hand, pots=pots)


def number(form: Form, name: str) -> int:
    """Return a whole number typed or written in the form; -1 when it is none, which every event refuses."""
    text = form.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else -1


def cover_of(form: Form) -> dict[str, str]:
    """Return who lends to whom, from the fields `cover-<seat>`."""
    named = ((name.removeprefix("cover-"), source) for name, source in form.items() if name.startswith("cover-"))
    return {seat: source for seat, source in named if source}


def _hand(form: Form, dealer: str, scene: Scene, moment: Moment) -> Raw:
    dealer = dealer or form.get("seat", "")
    if moment.dealer and dealer != moment.dealer:
        raise Stale("somebody else deals now: look at the table and tap again")
    lent = {seat: scene.plan[seat] for seat in moment.short if scene.plan.get(seat)}
    out = [seat for seat in scene.night.seats if scene.plan.get(seat) == "out" or seat in moment.short]
    return {
        "kind": "hand",
        "dealer": dealer,
        "sits_out": [seat for seat in out if seat not in lent and seat != dealer],
        "cover": {seat: source for seat, source in lent.items() if source != "out"},
    }


def _sale(form: Form, price: str, _: Scene, __: Moment) -> Raw:
    return {"buyer": form.get("seat", ""), "price": number({"n": price}, "n"), **_cover(form)}


def _bid(form: Form, chips: str, _: Scene, moment: Moment) -> Raw:
    return {"seat": form.get("turn") or moment.turn or "", "chips": number({"n": chips}, "n"), **_cover(form)}


def _pass(form: Form, seat: str, _: Scene, moment: Moment) -> Raw:
    return {"seat": seat or moment.turn or "", **_cover(form)}


def _collect(form: Form, _: str, __: Scene, ___: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "pot": form.get("pot", "")}


def _pay(form: Form, winner: str, scene: Scene, moment: Moment) -> Raw:
    if winner != (moment.winner or winner):
        raise Stale("somebody else is out now: look at the table and tap again")
    typed = {seat: number(form, f"cards-{seat}") for seat in moment.payers if form.get(f"cards-{seat}")}
    cards = {seat: scene.said[seat] for seat in moment.payers if seat in scene.said} | typed
    each = scene.night.preset.number("out.per_card")
    short = {seat for seat, left in cards.items() if left * each > scene.night.stack(seat)}
    cover = {seat: source for seat, source in cover_of(form).items() if seat in short}
    excused = [form["excused"]] if form.get("excused") in cards else []
    return {"kind": "out", "seat": winner, "cards": cards, "excused": excused, "cover": cover}


def has_count(night: Night, seat: str) -> bool:
    """Return whether going out asks the others for their cards: not where they cost nothing, nor for an offender."""
    return night.preset.number("out.per_card") > 0 and not pot_game.takes_nothing(night, seat)


def _out(form: Form, seat: str, scene: Scene, _: Moment) -> Raw:
    seat, night = seat or form.get("seat", ""), scene.night
    if seat not in pot_game.players(night) or has_count(night, seat) or pot_game.takes_nothing(night, seat):
        return {"seat": seat}
    return {"seat": seat, "cards": {one: 0 for one in pot_game.players(night) if one != seat}}


def _match(form: Form, question: str, _: Scene, __: Moment) -> Raw:
    pot, offender = f"{question or form.get('question', '')}/".split("/")[:2]
    return {"kind": "held", "pot": pot, "offender": offender, "seat": form.get("seat", ""), **_cover(form)}


def _poker(form: Form, seat: str, _: Scene, __: Moment) -> Raw:
    winners = form.get("winners", "").split() or [seat or form.get("seat", "")]
    return {"winners": winners}


def _place(form: Form, seat: str, _: Scene, __: Moment) -> Raw:
    stakes = (one.partition(":") for one in form.get("stakes", "").split())
    pots = {pot: number({"n": chips}, "n") for pot, _, chips in stakes}
    return {"seat": seat or form.get("seat", ""), "pots": pots, **_cover(form)}


def _share(form: Form, _: str, __: Scene, ___: Moment) -> Raw:
    return {"pot": form.get("pot", ""), "seats": form.get("winners", "").split()}


def _bet(form: Form, chips: str, _: Scene, __: Moment) -> Raw:
    pot = {"pot": form["pot"]} if form.get("pot") else {}
    return {"seat": form.get("seat", ""), "chips": _chips(form, chips), **pot, **_cover(form)}


def _turn_up(form: Form, _: str, scene: Scene, __: Moment) -> Raw:
    pot = form.get("pot", "")
    if pot not in scene.night.preset.board or not scene.night.preset.board[pot].ends_hand:
        return {"pot": pot}
    deal = scene.night.the_deal()
    return {"pot": pot, "cards": {seat: number(form, f"cards-{seat}") for seat in deal.seats if seat != deal.dealer}}


def _of_seat(form: Form, _: str, __: Scene, ___: Moment) -> Raw:
    return {"seat": form.get("seat", ""), **_cover(form)}


def _due(form: Form, due: str, _: Scene, __: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "due": due, **_cover(form)}


def _left(form: Form, pot: str, _: Scene, __: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "pot": pot, **_cover(form)}


def _sweep(form: Form, _: str, __: Scene, ___: Moment) -> Raw:
    return {"seat": form.get("seat", "")}


def _penalty(form: Form, offence: str, _: Scene, __: Moment) -> Raw:
    offence, suit = f"{offence}/".split("/")[:2]
    return {"seat": form.get("seat", ""), "offence": offence, **({"suit": suit} if suit else {}), **_cover(form)}


def _buy(form: Form, chips: str, _: Scene, __: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "chips": _chips(form, chips)}


def _borrow(form: Form, chips: str, _: Scene, __: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "source": form.get("source", ""), "chips": _chips(form, chips)}


def _repay(form: Form, holder: str, _: Scene, __: Moment) -> Raw:
    return {"seat": form.get("seat", ""), "holder": holder, "chips": number(form, f"owed-{holder}")}


def _move(form: Form, chips: str, _: Scene, __: Moment) -> Raw:
    ends = {"source": form.get("source", ""), "target": form.get("target", "")}
    return {**ends, "chips": _chips(form, chips), "why": form.get("why", "").strip()}


def _leave(form: Form, seat: str, _: Scene, __: Moment) -> Raw:
    return {"seat": seat or form.get("seat", "")}


def _undo(_: Form, entry: str, __: Scene, ___: Moment) -> Raw:
    return {"kind": "undo", "event": number({"n": entry}, "n")}


def _chips(form: Form, chips: str) -> int:
    return number({"n": chips}, "n") if chips else number(form, "chips")


def _cover(form: Form) -> Raw:
    cover = cover_of(form)
    return {"cover": cover} if cover else {}


_BUILD: Mapping[str, Callable[[Form, str, Scene, Moment], Raw]] = {
    "ante": _hand,
    "sale": _sale,
    "bid": _bid,
    "pass": _pass,
    "collect": _collect,
    "pay": _pay,
    "out": _out,
    "match": _match,
    "poker": _poker,
    "penalty": _penalty,
    "buy": _buy,
    "borrow": _borrow,
    "repay": _repay,
    "move": _move,
    "leave": _leave,
    "undo": _undo,
    "place": _place,
    "share": _share,
    "bet": _bet,
    "turn-up": _turn_up,
    "fine": _of_seat,
    "due": _due,
    "left": _left,
    "sweep": _sweep,
}
"""verb of a button -> the event's fields; `exchange`, `no-sale` and `go-on` have none"""
