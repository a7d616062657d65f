"""A year, or the nights that are chosen, on one page; also as a file that needs no network."""

from dataclasses import dataclass
from functools import cache, cached_property

from markupsafe import Markup

from tracker.archive.statistics import PlayedNight, Totals, totals_of_all, year_moments
from tracker.core.queries.best_moments import Moment
from tracker.web.night_result import moment_sentence
from tracker.web.resources import Inlined, inlined
from tracker.web.statistics.figures import per_cent
from tracker.web.statistics.view import Overview, PersonLine
from tracker.web.wording.dates import NO_BREAK, day_words, duration_words, without_breaks
from tracker.web.wording.texts import gettext as _, listed, ngettext

STYLES = ("shared/site.css", "shared/chart.css", "statistics/recap.css")
MOST_NAMES = 2
"""So many people share a longest row that is worth a line."""


@dataclass(frozen=True)
class Recap(Overview):
    """A year on one page."""

    @property
    def title(self) -> str:
        """The group, if one was chosen, and the year, or from when to when these nights were."""
        when = str(self.choice.year or self.days.replace(NO_BREAK, " "))
        return f"{self.choice.named_group} · {when}" if self.choice.named_group else when

    @cached_property
    def totals(self) -> Totals:
        return totals_of_all(self.nights)

    @property
    def counts(self) -> list[tuple[str, str]]:
        """How much was played: numbers with their words."""
        said = [
            ngettext("%(num)s night", "%(num)s nights", len(self.nights)),
            ngettext("%(num)s hand", "%(num)s hands", self.totals.hands),
            ngettext("%(num)s hour played", "%(num)s hours played", round(self.totals.seconds / 3600)),
            ngettext("%(num)s player", "%(num)s players", len(self.lines)),
            ngettext("%(num)s place taken", "%(num)s places taken", self.totals.pots),
        ]
        parts = (sentence.partition(" ") for sentence in said)
        return [(number, words) for number, _space, words in parts if number != "0"]

    @property
    def podium(self) -> list[PersonLine]:
        """Who won most; several where they are level."""
        if not self.lines or not self.lines[0].totals.nights_in[self.unit]:
            return []
        return [line for line in self.lines if line.net == self.lines[0].net and line.totals.nights_in[self.unit]]

    @property
    def headline(self) -> str:
        """Who won most, as a sentence."""
        names = listed(line.face.name for line in self.podium)
        return ngettext("%(names)s won most", "%(names)s won most together", len(self.podium), names=names)

    @property
    def most_nights(self) -> str:
        """Who won the most nights, as a sentence; empty where nobody won two."""
        most = max((line.totals.won for line in self.lines), default=0)
        names = [line.face.name for line in self.lines if line.totals.won == most]
        if most <= 1:
            return ""
        return _("Most nights won: %(names)s, %(n)s", names=listed(names), n=most)

    @property
    def longest_row(self) -> str:
        """The longest row of nights won, as a sentence; empty where nobody won two, or too many did."""
        most = max((line.totals.longest_won for line in self.lines), default=0)
        names = [line.face.name for line in self.lines if line.totals.longest_won == most]
        if most <= 1 or len(names) > MOST_NAMES:
            return ""
        return _("Longest run: %(names)s won %(n)s nights one after the other", names=listed(names), n=most)

    @property
    def time_line(self) -> str:
        """How long a hand took and the longest wait, as a sentence; empty where no log says it."""
        if not self.totals.seconds:
            return ""
        each, wait = self.totals.seconds / self.totals.timed_hands, self.totals.longest_wait
        facts = {"each": duration_words(each), "wait": duration_words(wait)}
        return f"{_('A hand took %(each)s, the longest wait %(wait)s.', **facts)} {without_breaks()}"

    @cached_property
    def moments(self) -> list[tuple[Markup, str]]:
        """The best moments of the year, a sentence each, with their days."""
        return [(self._sentence(night, moment), self._day(night)) for night, moment in year_moments(self.nights)]

    def _day(self, night: PlayedNight) -> str:
        return day_words(night.day) if night.day else night.summary.name

    def _sentence(self, night: PlayedNight, moment: Moment) -> Markup:
        seats = night.summary.seats
        known = {seat.seat: self.roster.names.get(night.people[at], seat.name) for at, seat in enumerate(seats)}
        place = next((pot.name for pot in night.summary.details.pots if moment.pot and pot.id == moment.pot.pot), "")
        nets = {seat.seat: seat.net for seat in seats}
        return moment_sentence(moment, known, place, nets, is_pots=night.summary.game == "pots")

    def share_of(self, line: PersonLine) -> str:
        """Return how many of their hands somebody won, in per cent."""
        totals = line.totals
        return per_cent(totals.outs + totals.rounds_won, totals.hands)

    @property
    def unit_note(self) -> str:
        """Which nights the sums are of, where some are counted otherwise; empty for all."""
        counted = dict(self._unit_nights).get(self.unit, 0)
        if counted == len(self.nights):
            return ""
        name = dict(self.unit_choices)[self.unit_key]
        return _("Sums in %(unit)s. The other nights are counted otherwise.", unit=name)


@cache
def recap_parts() -> Inlined:
    return inlined(STYLES)
