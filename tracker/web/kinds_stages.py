"""What each kind of event did, in one sentence: the stages and payments that only some boards have, and new rules."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.core import events
from tracker.core.night import DUMMY, HELD, PLAY, POKER
from tracker.web.kinds_pots import Teller, hand_won
from tracker.web.rule_words import change_words
from tracker.web.texts import gettext as _
from tracker.web.texts import listed
from tracker.web.voice import Voice


def _place(event: events.Place, voice: Voice) -> str:
    stakes = listed(f"{voice.name(pot)} {chips}" for pot, chips in event.pots.items())
    return _(
        "%(name)s places %(chips)s: %(stakes)s",
        name=voice.name(event.seat),
        chips=sum(event.pots.values()),
        stakes=stakes,
    )


def _share(event: events.Share, voice: Voice) -> str:
    chips, pot = voice.moved(source=event.pot), voice.name(event.pot)
    return _("%(names)s share %(chips)s: %(pot)s", names=voice.names(event.seats), chips=chips, pot=pot)


def _bet(event: events.Bet, voice: Voice) -> str:
    name = voice.name(event.seat)
    if event.pot is None:
        return _("%(name)s bets %(chips)s", name=name, chips=event.chips)
    return _("%(name)s bets %(chips)s on %(pot)s", name=name, chips=event.chips, pot=voice.name(event.pot))


def _go_on(_event: events.GoOn, voice: Voice) -> str:
    stages = {
        DUMMY: _("Now the dummy hand"),
        HELD: _("Now the money cards that are held"),
        POKER: _("Now the poker hand"),
        PLAY: _("The play begins"),
    }
    return stages.get(voice.after.phase, _("The next stage begins"))


def _turn_up(event: events.TurnUp, voice: Voice) -> str:
    dealer = voice.after.the_deal().dealer
    pot, name = voice.name(event.pot), voice.name(dealer)
    if event.cards is None:
        chips = voice.moved(source=event.pot)
        return _("%(pot)s was turned up: %(name)s deals and takes %(chips)s", pot=pot, name=name, chips=chips)
    won = hand_won(dealer, event.cards, voice)
    return _("%(pot)s was turned up and ends the hand for %(name)s", pot=pot, name=name) + won


def _fine(event: events.Fine, voice: Voice) -> str:
    chips = voice.after.preset["stop.fine"]
    return _("%(name)s can't go on and pays %(chips)s", name=voice.name(event.seat), chips=chips)


def _due(event: events.PayDue, voice: Voice) -> str:
    due = next((one for one in voice.after.preset.dues if one.id == event.due), None)
    card, chips = (voice.text(_(due.name)), due.chips) if due else (event.due, 0)
    return _("%(name)s plays %(card)s: %(chips)s from each", name=voice.name(event.seat), card=card, chips=chips)


def _left(event: events.Left, voice: Voice) -> str:
    chips, pot = voice.moved(source=event.seat), voice.name(event.pot)
    return _("%(name)s still holds %(pot)s and pays %(chips)s", name=voice.name(event.seat), pot=pot, chips=chips)


def _sweep(event: events.Sweep, voice: Voice) -> str:
    chips = voice.moved(target=event.seat)
    return _(
        "%(name)s plays every card in one go and takes the board: %(chips)s", name=voice.name(event.seat), chips=chips
    )


def _rule(event: events.Rule, voice: Voice) -> str:
    game = voice.after.preset.game
    rules = "; ".join(change_words(game, key, value) for key, value in event.change.items())
    if game == "pots":
        return _("A new rule from the next hand on: %(rules)s", rules=rules)
    return _("A new rule from now on: %(rules)s", rules=rules)


STAGES: Mapping[str, Teller] = {
    "place": _place,
    "share": _share,
    "bet": _bet,
    "go-on": _go_on,
    "turn-up": _turn_up,
    "fine": _fine,
    "due": _due,
    "left": _left,
    "sweep": _sweep,
    "rule": _rule,
}
