"""Units, sums and figures in words: each kind of figure has a label, a definition and a value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tracker.core.errors import N_
from tracker.extras._durations import duration_words
from tracker.extras.statistics.totals import MONEY, PotRecord, Sums, Totals, Unit
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import amount, gettext as _, ngettext, plain, signed

SIGNED = ("net", "dummy-won")
"""Figures whose sums may be below zero."""


KINDS: Mapping[str, tuple[str, str]] = {
    "nights": (N_("Nights"), N_("Nights that have ended and in which a hand was played.")),
    "hands": (N_("Hands"), N_("Finished hands; in score games rounds and deals.")),
    "time": (
        N_("Time played"),
        N_(
            "From the first hand of a night to its end, where its log has the times. Breaks of over ten minutes are "
            "left out."
        ),
    ),
    "wait": (N_("Longest wait"), N_("Between two entries of one night. Over ten minutes it is a break.")),
    "won": (
        N_("Nights won"),
        N_("Nights with the best result of all at the table. A first place that is shared counts for each."),
    ),
    "net": (
        N_("Won or lost"),
        N_(
            "What was won less what was lost, night by night. Money is what was settled, rounded to the coin. "
            "Chips of different worth and points of different games are never added up."
        ),
    ),
    "outs": (
        N_("Hands gone out"),
        N_("Hands in which the last card was played first, of all finished hands of board games."),
    ),
    "rounds": (
        N_("Rounds won"),
        N_("Rounds and deals won, of all that were played in score games. A shared win counts for each."),
    ),
    "outs-row": (
        N_("Hands won in a row"),
        N_("The longest row of hands or rounds of one night that the same person won or went out in."),
    ),
    "won-row": (N_("Nights won in a row"), N_("Among the nights that this person was at.")),
    "lost-row": (
        N_("Nights lost in a row"),
        N_("The longest row of nights that ended below zero, among those that this person was at."),
    ),
    "pots": (N_("Places taken"), N_("How often somebody took what lay on a place of the board, alone or shared.")),
    "richest": (
        N_("Richest place taken"),
        N_(
            "The most chips, IOUs among them, that one person got from a place in one hand, whatever a chip was "
            "worth. It has grown since the hand in which it was last empty."
        ),
    ),
    "dummies": (N_("Dummy hands bought"), N_("Dummy hands sold, by auction or agreement, and played.")),
    "dummy-cost": (N_("Paid for dummy hands"), N_("The prices of bought dummy hands.")),
    "dummy-won": (
        N_("Won with dummy hands"),
        N_("What their buyers won or lost from the purchase to the end of the hand, the price left out."),
    ),
    "wrong-lead": (N_("Wrong leads"), N_("Penalties for a card that was led though another one had to be.")),
    "withheld-card": (N_("Cards withheld"), N_("Penalties for a card that could have been played and was not.")),
    "match": (
        N_("Money cards matched"),
        N_("How often somebody who withheld a card had to pay for a money card that somebody else still held."),
    ),
    "false-rummy": (N_("False rummies"), N_("Penalties for calling rummy with a hand that was none.")),
    "unused-purchase": (N_("Unused purchases"), N_("Penalties for a card that was bought and not used.")),
    "penalty-cost": (
        N_("Paid in penalties"),
        N_("What penalties cost at once, what was paid for withheld money cards among it."),
    ),
    "won-from": (
        N_("Wins most from"),
        N_(
            "In each hand the winners’ chips come from the losers, in proportion to their losses; what the board gave "
            "or kept is nobody’s. Score games are left out. From five nights together on."
        ),
    ),
    "lost-to": (N_("Loses most to"), N_("Counted as “Wins most from”: what one has won, the other has lost.")),
    "partner": (
        N_("Best beside"),
        N_("At whose table a night ends best on average, if better than all nights. From five nights together on."),
    ),
    "players": (N_("Nights by players"), N_("By how many people were dealt in. From five nights on.")),
}
"""Every kind of figure by its key: its label, and its definition, which says literally what is counted in the log."""


class SumText(NamedTuple):
    """A value in words, and what it is counted in, if that is to be said."""

    text: str
    unit: str = ""


@dataclass(frozen=True)
class FigureLine:
    """A figure as a page shows it."""

    key: str
    values: tuple[SumText, ...]
    """Mostly one; a sum has one for each of its units."""
    note: str = ""
    night: str = ""
    """The code of the night that it happened in."""

    @property
    def label(self) -> str:
        return _(KINDS[self.key][0])

    @property
    def definition(self) -> str:
        return _(KINDS[self.key][1])


def unit_name(unit: Unit, games: Mapping[str, str]) -> str:
    """Return what a unit is called; `games` are the names of presets by their ids."""
    if unit.is_money:
        return _("money") if unit == MONEY else _("money (%(sample)s)", sample=amount(10**unit.decimals, unit.decimals))
    if unit.kind == "points":
        game = _(games.get(unit.game, unit.game))
        return _("points ahead in %(game)s", game=game) if unit.fewest_win else _("points of %(game)s", game=game)
    if not unit.cents:
        return _("chips without money")
    if unit.chips == 1:
        return _("chips at %(worth)s", worth=amount(unit.cents, unit.decimals))
    return _("chips at %(worth)s for %(n)s", worth=amount(unit.cents, unit.decimals), n=unit.chips)


def result_text(unit: Unit, value: int) -> str:
    """Return a result in a unit, with its sign; points, which may be a score, without a plus."""
    if unit.kind == "points" and not unit.fewest_win:
        return plain(value)
    if unit.is_money:
        return f"{'+' if value > 0 else ''}{amount(value, unit.decimals)}"
    return signed(value)


def sum_text(unit: Unit, value: int) -> str:
    """Return a sum of money, chips or points without a plus."""
    return amount(value, unit.decimals) if unit.is_money else plain(value)


def sums_texts(sums: Sums, games: Mapping[str, str], *, is_signed: bool) -> tuple[SumText, ...]:
    """Return a sum in each of its units, money first."""
    text = result_text if is_signed else sum_text
    order = in_order(sums)
    if len(order) == 1 and order[0] == Unit("chips", 1):
        return (SumText(text(order[0], sums[order[0]])),)
    return tuple(SumText(text(unit, sums[unit]), unit_name(unit, games)) for unit in order)


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Return units as sums are listed: money, chips, points."""
    return sorted(units, key=lambda unit: (not unit.is_money, unit.kind, unit))


def short_sums(sums: Sums) -> tuple[SumText, ...]:
    """Return what was won or lost in one game; chips that were settled in money are left out."""
    words = {"money": _("money"), "chips": _("chips"), "points": _("points")}
    shown = [unit for unit in in_order(sums) if not unit.cents]
    return tuple(SumText(result_text(unit, sums[unit]), words[unit.kind]) for unit in shown)


def per_cent(part: int, whole: int) -> str:
    """Return `25%`, rounded; a dash where there is nothing to share."""
    return _("%(n)s%%", n=(200 * part + whole) // (2 * whole)) if whole else "–"


def pot_note(record: PotRecord, name: str) -> str:
    """Return which pot it was, how long it had grown, who took it, and when."""
    hands = ngettext("grown over %(num)s hand", "grown over %(num)s hands", record.taken.grown)
    day = [day_words(record.night.day)] if record.night.day else []
    return " · ".join([_(record.pot_name), hands, *([name] if name else []), *day])


def figure_lines(
    totals: Totals, games: Mapping[str, str], names: Mapping[str, str] | None = None, *, is_person: bool = True
) -> Iterator[FigureLine]:
    """Yield figures of somebody or of all, none that the games lack; with `names` a pot says who took it."""
    yield _number("nights", totals.nights)
    yield _number("hands", totals.hands)
    if totals.seconds:
        note = _("%(time)s a hand", time=duration_words(totals.seconds / totals.timed_hands))
        yield FigureLine("time", (SumText(duration_words(totals.seconds)),), note)
        yield FigureLine("wait", (SumText(duration_words(totals.longest_wait)),))
    if is_person:
        yield _part("won", totals.won, totals.nights)
        yield _sums("net", totals.net, games)
        if totals.pot_hands:
            yield _part("outs", totals.outs, totals.pot_hands)
        if totals.rounds:
            yield _part("rounds", totals.rounds_won, totals.rounds)
        yield _number("won-row", totals.longest_won)
        yield _number("lost-row", totals.longest_lost)
    yield _number("outs-row", totals.longest_outs)
    if totals.pot_hands:
        yield _number("pots", totals.pots)
    if pot := totals.richest:
        note = pot_note(pot, names.get(pot.person, pot.name) if names is not None else "")
        yield FigureLine("richest", (SumText(str(pot.taken.chips)),), note, pot.night.summary.code)
    if totals.dummies:
        yield _number("dummies", totals.dummies)
        yield _sums("dummy-cost", totals.dummy_cost, games)
        yield _sums("dummy-won", totals.dummy_won, games)
    yield from (_number(offence, times) for offence, times in totals.offences.items() if times)
    if totals.offences:
        yield _sums("penalty-cost", totals.penalty_cost, games)


def _number(key: str, value: int) -> FigureLine:
    return FigureLine(key, (SumText(str(value)),))


def _part(key: str, part: int, whole: int) -> FigureLine:
    return FigureLine(key, (SumText(per_cent(part, whole)),), _("%(n)s of %(all)s", n=part, all=whole))


def _sums(key: str, value: Sums, games: Mapping[str, str]) -> FigureLine:
    return FigureLine(key, sums_texts(value, games, is_signed=key in SIGNED))


def without_breaks() -> str:
    """Return the sentence that stands beside how long somebody has played (extras/statistics/playing_time.py)."""
    return _("Breaks of over ten minutes are left out.")
