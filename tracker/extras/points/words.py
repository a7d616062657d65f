"""Score sheets in words: their house rules and the one event that writes a round down."""

from dataclasses import replace
from typing import Any

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras._score.forms import read_payment
from tracker.extras.points.rules import Scores, asks_completed, pausing, rules
from tracker.web.events import correction_form as ask, every_game
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary
from tracker.web.wording.game_words import GameWords, Rules
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, ngettext, plain


def _sum(preset: Preset) -> str:
    total = preset["points.sum"]
    return "" if total == "any" else _("The points of a round come to %(n)s.", n=total)


def _late(preset: Preset) -> str:
    back = _("Who stops for some rounds and comes back begins with that too, if the own sum is better.")
    return f"{_joins(preset)} {back}"


def _joins(preset: Preset) -> str:
    if preset["points.late"] == "average":
        return _("Who joins later begins with the average sum of the table.")
    if preset["points.late"] == "zero":
        return _("Who joins later begins with 0 points.")
    if preset["points.wins"] == "high":
        return _("Who joins later begins with 0 points, or with the worst sum of the table if that is below 0.")
    return _("Who joins later begins with the worst sum of the table.")


_RULES: Rules = {
    RuleGroup(N_("The points"), "score"): {
        "points.wins": RuleWords(
            N_("Who wins?"),
            choices={"high": N_("the most points"), "low": N_("the fewest points")},
            sentences={"high": N_("The most points win."), "low": N_("The fewest points win.")},
        ),
        "points.completed": RuleWords(
            N_("Whoever completes the last task"),
            N_("As the tenth phase: the end asks who did."),
            choices={"off": N_("has won nothing by that"), "wins": N_("has won; of several, by the points")},
            sentences={"wins": N_("Whoever completes the last task of the game has won; of several, by the points.")},
        ),
        "points.entry": RuleWords(
            N_("What is written down?"),
            choices={"points": N_("everybody’s points"), "winner": N_("only who won the round")},
            sentences={"winner": N_("Only the winner of a round is written down: 1 point.")},
        ),
        "points.sum": RuleWords(
            N_("A round’s points come to"),
            N_("Another sum is asked about. Left empty, any sum is right."),
            sentence=_sum,
        ),
        "points.dealer": RuleWords(
            N_("Whose deal is it?"),
            choices={"on": N_("the page says it"), "off": N_("nobody asks")},
            sentences={"on": N_("The deal passes to the left after each round.")},
        ),
        "points.pause": RuleWords(
            N_("Who pauses in a round?"),
            N_("A proposal: each round, one tap has somebody pause, or play after all."),
            choices={"nobody": N_("nobody"), "dealer": N_("the dealer")},
            sentences={"dealer": N_("From three people on, whoever deals a round pauses in it.")},
        ),
        "points.late": RuleWords(
            N_("Who joins later begins with"),
            N_("The points decide who wins, and move no money."),
            choices={
                "worst": N_("the worst sum, but no more than 0 where the most points win"),
                "average": N_("the average sum"),
                "zero": N_("0 points"),
            },
            sentence=_late,
        ),
        "points.pay": RuleWords(
            N_("Who pays whom?"),
            N_("When points are worth money."),
            choices={"each": N_("everybody settles with everybody"), "winner": N_("everybody pays the winner")},
            sentences={
                "each": N_(
                    "In money, everybody settles each round’s difference in points with everybody who played it."
                ),
                "winner": N_(
                    "In money, everybody pays the winner the difference in points of the rounds that both have played."
                ),
            },
            part="end",
            card_order=1,
        ),
    },
}


class PointWords(GameWords):
    """The words of score sheets."""

    sentences = (N_("After each round everybody says their points; they are added up."),)
    rules = _RULES
    has_sheet = False


def _scores(_event: Scores, words: Vocabulary) -> str:
    round_ = words.after.deals[-1]
    facts = {"n": len(words.after.deals), "names": words.names(round_.winners)}
    if rules(words.after).points_entry == "winner":
        said = _("Round %(n)s: %(names)s has won", **facts)
    else:
        said = _("Round %(n)s: %(names)s with %(points)s", points=plain(round_.hands[round_.winners[0]]), **facts)
    if not round_.sits_out:
        return said
    paused = ngettext("%(names)s pauses", "%(names)s pause", len(round_.sits_out), names=words.names(round_.sits_out))
    return f"{said}. {paused}"


def _read_winner(form: MoveForm) -> Scores:
    """Return the points of a round of which only the winner is written down: 1 for that person, 0 for the others.

    Newcomers wait for the next round, unless one of them has won, or too few others play it. Who has won did not pause.
    """
    night, winner = form.night, form.argument or form.seat
    pauses = tuple(seat for seat in pausing(night, form.card_count.cover) if seat != winner)
    there = [seat for seat in night.seats if seat not in pauses]
    others = [seat for seat in there if seat not in night.newcomers]
    players = others if len({*others, winner}) > 1 else there
    return Scores({**dict.fromkeys(players, events.Score(0)), winner: events.Score(1)}, pauses)


def _without_paused(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a filled form without the points of who pauses."""
    paused = raw.get("sits_out") or ()
    points = {seat: points for seat, points in raw.get("points", {}).items() if seat not in paused}
    return {**raw, "points": points} if "points" in raw else raw


def _whose_scores(event: Scores, night: Night) -> set[str]:
    """Return everybody; where only the winner is written down, the winner, who may say so on the own phone."""
    return {seat for seat, points in event.points.items() if points or rules(night).points_entry == "points"}


SCORES = EventKind(
    event=Scores,
    sentence=_scores,
    undone=lambda _event, _words: _("Undone: the points of this round are asked for again"),
    seats=_whose_scores,
    buttons={"round": _read_winner, "pay": read_payment},
    correction=ask.Form(
        ask.pick("points", N_("Points of this round"), ask.at_table, "numbers", -MOST_CHIPS),
        ask.pick("sits_out", N_("Who pauses?"), ask.at_table, "picks"),
        from_form=_without_paused,
    ),
)


def _end(event: events.End, words: Vocabulary) -> str:
    over = every_game.END.sentence(event, words)
    if not event.winners:
        return over
    done = ngettext(
        "%(names)s has completed the last task",
        "%(names)s have completed the last task",
        len(event.winners),
        names=words.names(event.winners),
    )
    return f"{over}. {done}"


_who_completed = ask.pick("winners", N_("Who completed the last task?"), ask.at_table, "picks")
END = replace(
    every_game.END,
    sentence=_end,
    correction=ask.Form(lambda raw, night: _who_completed(raw, night) if asks_completed(night) else None),
)

KINDS: tuple[AnyKind, ...] = (SCORES, END)
