"""The figures of statistics: each kind has a label, a definition and a value.

A definition says literally what is counted, so that a reader can count it again in the log.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tracker.archive.statistics import PotRecord, Sums, Totals
from tracker.core.errors import N_


class PartOf(NamedTuple):
    """So many of so many."""

    part: int
    whole: int


class Duration(NamedTuple):
    """So many seconds, and how many hands were played in them where that is to be said."""

    seconds: int
    hands: int = 0


Value = int | PartOf | Duration | Sums | PotRecord


class FigureKind(NamedTuple):
    """What a figure is."""

    label: str
    definition: str


KINDS: dict[str, FigureKind] = {
    "nights": FigureKind(N_("Nights"), N_("Nights that have ended and in which a hand was played.")),
    "hands": FigureKind(N_("Hands"), N_("Finished hands; in score games rounds and deals.")),
    "time": FigureKind(
        N_("Time played"),
        N_(
            "From the first hand of a night to its end, where its log has the times. Breaks of over ten minutes are "
            "left out."
        ),
    ),
    "wait": FigureKind(N_("Longest wait"), N_("Between two entries of one night. Over ten minutes it is a break.")),
    "won": FigureKind(
        N_("Nights won"),
        N_("Nights with the best result of all at the table. A first place that is shared counts for each."),
    ),
    "net": FigureKind(
        N_("Won or lost"),
        N_(
            "What was won less what was lost, night by night. Money is what was settled, rounded to the coin. "
            "Chips of different worth and points of different games are never added up."
        ),
    ),
    "outs": FigureKind(
        N_("Hands gone out"), N_("Hands in which the last card was played first, of all finished hands of board games.")
    ),
    "rounds": FigureKind(
        N_("Rounds won"),
        N_("Rounds and deals won, of all that were played in score games. A shared win counts for each."),
    ),
    "outs-row": FigureKind(
        N_("Hands won in a row"),
        N_("The longest row of hands or rounds of one night that the same person won or went out in."),
    ),
    "won-row": FigureKind(N_("Nights won in a row"), N_("Among the nights that this person was at.")),
    "lost-row": FigureKind(
        N_("Nights lost in a row"),
        N_("The longest row of nights that ended below zero, among those that this person was at."),
    ),
    "pots": FigureKind(
        N_("Places taken"), N_("How often somebody took what lay on a place of the board, alone or shared.")
    ),
    "richest": FigureKind(
        N_("Richest place taken"),
        N_(
            "The most chips, IOUs among them, that one person got from a place in one hand, whatever a chip was "
            "worth. It has grown since the hand in which it was last empty."
        ),
    ),
    "dummies": FigureKind(N_("Dummy hands bought"), N_("Dummy hands sold, by auction or agreement, and played.")),
    "dummy-cost": FigureKind(N_("Paid for dummy hands"), N_("The prices of bought dummy hands.")),
    "dummy-won": FigureKind(
        N_("Won with dummy hands"),
        N_("What their buyers won or lost from the purchase to the end of the hand, the price left out."),
    ),
    "wrong-lead": FigureKind(N_("Wrong leads"), N_("Penalties for a card that was led though another one had to be.")),
    "withheld-card": FigureKind(
        N_("Cards withheld"), N_("Penalties for a card that could have been played and was not.")
    ),
    "match": FigureKind(
        N_("Money cards matched"),
        N_("How often somebody who withheld a card had to pay for a money card that somebody else still held."),
    ),
    "false-rummy": FigureKind(N_("False rummies"), N_("Penalties for calling rummy with a hand that was none.")),
    "unused-purchase": FigureKind(N_("Unused purchases"), N_("Penalties for a card that was bought and not used.")),
    "penalty-cost": FigureKind(
        N_("Paid in penalties"), N_("What penalties cost at once, what was paid for withheld money cards among it.")
    ),
    "won-from": FigureKind(
        N_("Wins most from"),
        N_(
            "In each hand the winners’ chips come from the losers, in proportion to their losses; what the board gave "
            "or kept is nobody’s. Score games are left out. From five nights together on."
        ),
    ),
    "lost-to": FigureKind(
        N_("Loses most to"), N_("Counted as “Wins most from”: what one has won, the other has lost.")
    ),
    "partner": FigureKind(
        N_("Best beside"),
        N_("At whose table a night ends best on average, if better than all nights. From five nights together on."),
    ),
    "players": FigureKind(N_("Nights by players"), N_("By how many people were dealt in. From five nights on.")),
}
"""Every kind of figure by its key."""


def figures_of(totals: Totals, *, is_person: bool = True) -> dict[str, Value]:
    """Return the figures of somebody, or of everybody together, by kind, without those that the games don't have."""
    return dict(_values(totals, is_person=is_person))


def _values(totals: Totals, *, is_person: bool) -> Iterator[tuple[str, Value]]:
    yield "nights", totals.nights
    yield "hands", totals.hands
    if totals.seconds:
        yield "time", Duration(totals.seconds, totals.timed_hands)
        yield "wait", Duration(totals.longest_wait)
    if is_person:
        yield "won", PartOf(totals.won, totals.nights)
        yield "net", totals.net
        if totals.pot_hands:
            yield "outs", PartOf(totals.outs, totals.pot_hands)
        if totals.rounds:
            yield "rounds", PartOf(totals.rounds_won, totals.rounds)
        yield "won-row", totals.longest_won
        yield "lost-row", totals.longest_lost
    yield "outs-row", totals.longest_outs
    if totals.pot_hands:
        yield "pots", totals.pots
    if totals.richest:
        yield "richest", totals.richest
    if totals.dummies:
        yield from (("dummies", totals.dummies), ("dummy-cost", totals.dummy_cost), ("dummy-won", totals.dummy_won))
    yield from ((offence, times) for offence, times in totals.offences.items() if times)
    if totals.offences:
        yield "penalty-cost", totals.penalty_cost
