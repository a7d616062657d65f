"""Units, sums and figures in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tracker.archive.figures import KINDS, Duration, PartOf, Value
from tracker.archive.statistics import MONEY, PotRecord, Sums, Unit
from tracker.web.wording.dates import day_words, duration_words
from tracker.web.wording.texts import MINUS, amount, gettext as _, ngettext, signed

SIGNED = ("net", "dummy-won")
"""Figures whose sums may be below zero."""


class SumText(NamedTuple):
    """A value in words, and what it is counted in, if that is to be said."""

    text: str
    unit: str = ""


@dataclass(frozen=True)
class FigureLine:
    """A figure as a page shows it."""

    key: str
    label: str
    definition: str
    values: tuple[SumText, ...]
    """Mostly one; a sum has one for each of its units."""
    note: str = ""
    night: str = ""
    """The code of the night that it happened in."""


def unit_name(unit: Unit, games: Mapping[str, str]) -> str:
    """Return what a unit is called; `games` are the names of presets by their ids."""
    if unit == MONEY:
        return _("money")
    if unit.kind == "points":
        return _("points of %(game)s", game=_(games.get(unit.game, unit.game)))
    if not unit.cents:
        return _("chips without money")
    if unit.chips == 1:
        return _("chips at %(worth)s", worth=amount(unit.cents))
    return _("chips at %(worth)s for %(n)s", worth=amount(unit.cents), n=unit.chips)


def result_text(unit: Unit, value: int) -> str:
    """Return a result in a unit, with its sign; points, which may be a score, without a plus."""
    if unit.kind == "points":
        return f"{MINUS if value < 0 else ''}{abs(value)}"
    if unit == MONEY:
        return f"+{amount(value)}" if value > 0 else amount(value)
    return signed(value)


def sum_text(unit: Unit, value: int) -> str:
    """Return a sum of money, chips or points without a plus."""
    return amount(value) if unit == MONEY else f"{MINUS if value < 0 else ''}{abs(value)}"


def sums_texts(sums: Sums, games: Mapping[str, str], *, is_signed: bool) -> tuple[SumText, ...]:
    """Return a sum in each of its units, money first."""
    text = result_text if is_signed else sum_text
    order = in_order(sums)
    if len(order) == 1 and order[0] == Unit("chips", 1):
        return (SumText(text(order[0], sums[order[0]])),)
    return tuple(SumText(text(unit, sums[unit]), unit_name(unit, games)) for unit in order)


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Return units as sums are listed: money, chips, points."""
    return sorted(units, key=lambda unit: (unit != MONEY, unit.kind, unit))


def short_sums(sums: Sums) -> tuple[SumText, ...]:
    """Return what was won or lost in one game; chips that were settled in money are left out."""
    words = {"money": _("money"), "chips": _("chips"), "points": _("points")}
    shown = [unit for unit in in_order(sums) if not unit.cents]
    return tuple(SumText(result_text(unit, sums[unit]), words[unit.kind]) for unit in shown)


def per_cent(share: PartOf) -> str:
    """Return `25%`, rounded; a dash where there is nothing to share."""
    return _("%(n)s%%", n=round(100 * share.part / share.whole)) if share.whole else "–"


def pot_note(record: PotRecord, name: str) -> str:
    """Return which pot it was, how long it had grown, who took it, and when."""
    hands = ngettext("grown over %(num)s hand", "grown over %(num)s hands", record.taken.grown)
    day = [day_words(record.night.day)] if record.night.day else []
    return " · ".join([_(record.pot_name), hands, *([name] if name else []), *day])


def figure_line(key: str, values: tuple[SumText, ...], note: str = "", night: str = "") -> FigureLine:
    """Return the line of a kind of figure."""
    return FigureLine(key, _(KINDS[key].label), _(KINDS[key].definition), values, note, night)


def figure_lines(
    figures: Mapping[str, Value], games: Mapping[str, str], names: Mapping[str, str] | None = None
) -> list[FigureLine]:
    """Return figures as a page shows them; with `names` of people a pot says who took it."""
    return [_line(key, value, games, names) for key, value in figures.items()]


def _line(key: str, value: Value, games: Mapping[str, str], names: Mapping[str, str] | None) -> FigureLine:
    if isinstance(value, PartOf):
        note = _("%(n)s of %(all)s", n=value.part, all=value.whole)
        return figure_line(key, (SumText(per_cent(value)),), note)
    if isinstance(value, Duration):
        note = _("%(time)s a hand", time=duration_words(value.seconds / value.hands)) if value.hands else ""
        return figure_line(key, (SumText(duration_words(value.seconds)),), note)
    if isinstance(value, PotRecord):
        note = pot_note(value, names.get(value.person, value.name) if names is not None else "")
        return figure_line(key, (SumText(str(value.taken.chips)),), note, value.night.summary.code)
    if isinstance(value, int):
        return figure_line(key, (SumText(str(value)),))
    return figure_line(key, sums_texts(value, games, is_signed=key in SIGNED))
