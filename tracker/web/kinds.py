"""What each kind of event did, in one sentence; `words` chooses among these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracker.core import events
from tracker.web.texts import gettext as _
from tracker.web.texts import ngettext, signed
from tracker.web.voice import Voice

Teller = Callable[[Any, Voice], str]


# Every kind of game


def _sit(event: events.Sit, voice: Voice) -> str:
    name, chips = voice.name(event.seat), voice.moved(target=event.seat)
    if voice.before is not None and event.seat in voice.before.people:
        return _("%(name)s is back at the table", name=name)
    if voice.after.preset.game != "pots":
        return _("%(name)s sits down", name=name)
    return ngettext("%(name)s sits down with %(num)s chip", "%(name)s sits down with %(num)s chips", chips, name=name)


def _leave(event: events.Leave, voice: Voice) -> str:
    name, chips = voice.name(event.seat), voice.moved(source=event.seat)
    if voice.after.preset.game != "pots":
        return _("%(name)s leaves the table", name=name)
    return ngettext(
        "%(name)s leaves and takes %(num)s chip along",
        "%(name)s leaves and takes %(num)s chips along",
        chips,
        name=name,
    )


def _order(event: events.Order, voice: Voice) -> str:
    return _("New order around the table: %(names)s", names=voice.names(event.seats))


def _end(event: events.End, voice: Voice) -> str:
    board = voice.after.preset.board if voice.after.preset.game == "pots" else {}
    left = sum(one.chips for one in voice.after.moved if one.source in board)
    if not left:
        return _("The night is over")
    if event.winners:
        names = voice.names(event.winners)
        return _(
            "The night is over. Best hand for the rest of the board, %(chips)s: %(names)s", chips=left, names=names
        )
    return ngettext(
        "The night is over. %(num)s chip of the board is shared out",
        "The night is over. %(num)s chips of the board are shared out",
        left,
    )


def _count(event: events.Count, voice: Voice) -> str:
    if voice.after.preset.game != "pots":
        return _("Counted: %(n)s", n=len(event.stacks))
    found = {account: chips - voice.after.ledger.balance(account) for account, chips in event.stacks.items()}
    wrong = [
        _("%(name)s %(difference)s", name=voice.name(account), difference=signed(off))
        for account, off in found.items()
        if off
    ]
    if wrong:
        return _("Counted, and it differs: %(differences)s", differences=", ".join(wrong))
    if len(found) == 1:
        return _(
            "Counted: %(name)s has %(chips)s, as in the book",
            name=voice.name(next(iter(found))),
            chips=sum(event.stacks.values()),
        )
    return ngettext(
        "Counted: %(num)s chip, as in the book", "Counted: %(num)s chips, as in the book", sum(event.stacks.values())
    )


def _undo(_event: events.Undo, _voice: Voice) -> str:
    return _("An entry was taken back")


def _amend(_event: events.Amend, _voice: Voice) -> str:
    return _("An entry was changed")


# The score games


def _round(event: events.Round, voice: Voice) -> str:
    won = next((one for one in reversed(voice.after.rounds) if one.winner == event.winner), None)
    name = voice.name(event.winner)
    if won is None:
        return name
    said = ngettext(
        "%(name)s wins round %(round)s: %(num)s point",
        "%(name)s wins round %(round)s: %(num)s points",
        won.points,
        name=name,
        round=won.number,
    )
    if won.number == 8 and not event.jokers:
        return said + ". " + _("No joker in it: that wins the game")
    return said


def _reverse(_event: events.Reverse, _voice: Voice) -> str:
    return _("The direction of play turns")


def _rummy(event: events.Rummy, voice: Voice) -> str:
    change = voice.after.deals[-1].change.get(event.seat, 0)
    return _("%(name)s goes out: %(points)s", name=voice.name(event.seat), points=signed(change))


def _stock_out(_event: events.StockOut, voice: Voice) -> str:
    winners = voice.after.deals[-1].winners
    return _("The stock is used up. Fewest points: %(names)s", names=voice.names(winners))


EVERY_GAME: Mapping[str, Teller] = {
    "sit": _sit,
    "leave": _leave,
    "order": _order,
    "end": _end,
    "count": _count,
    "undo": _undo,
    "amend": _amend,
    "round": _round,
    "reverse": _reverse,
    "rummy": _rummy,
    "stock-out": _stock_out,
}
