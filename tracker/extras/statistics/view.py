"""What the pages of statistics show, as values and in words: of everybody, of one person, of two; and a year's recap on
one page, also as a file that needs no network."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from tracker.app.person_names import comparison_key
from tracker.extras._chart.line_chart import ChartLine, line_chart, scale
from tracker.extras._durations import duration_words
from tracker.extras._night_lists import month_words
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._people import LinkedSeat, People
from tracker.extras.statistics.choice import Choice, unit_in, unit_key
from tracker.extras.statistics.details import PotSummary
from tracker.extras.statistics.figures import (
    KINDS,
    FigureLine,
    SumText,
    figure_lines,
    per_cent,
    result_text,
    short_sums,
    sums_texts,
    unit_name,
    without_breaks,
)
from tracker.extras.statistics.moments import Moment
from tracker.extras.statistics.story import moment_sentence
from tracker.extras.statistics.totals import (
    PlayedNight,
    Rival,
    Totals,
    Unit,
    best_partner,
    chosen,
    cumulative,
    nights_by_players,
    people_of,
    pot_lines,
    rivals,
    times_ahead,
    totals_of,
    totals_of_all,
    year_moments,
)
from tracker.formats.text import name_order
from tracker.web.drawing.player_token import COLOURS, PlayerToken, initials
from tracker.web.wording.dates import NO_BREAK, day_words, month_name
from tracker.web.wording.texts import amount, gettext as _, listed, ngettext, plain

NAME = "name:"
"""How what stands for a name begins of which nobody has said who it is."""
MOST_LINES = 8
MOST_POINTS = 160
"""On a line: the points of more nights would lie on top of each other."""
MOST_LABELS = 8
MOST_ROWS = 24
MOST_YEARS_WITH_MONTHS = 2
MOST_NAMES = 2
"""So many people share a longest row that is worth a line."""


@dataclass(frozen=True)
class CumulativeChart:
    """The chart, and its numbers: after the last night of each month, or of each year when there are many."""

    picture: Markup
    faces: Sequence[PlayerToken]
    rows: Sequence[tuple[str, Sequence[str]]]


def cumulative_chart(
    nights: Sequence[PlayedNight], unit: Unit, faces: Sequence[PlayerToken], title: str
) -> CumulativeChart:
    """Return the chart of these people (the first eight) over the nights that have results in a unit."""
    counted, shown = [night for night in nights if unit in night.units], faces[:MOST_LINES]
    sums = [[0, *cumulative(counted, unit, face.seat)] for face in shown]
    days = [night.day for night in counted]
    every = max(1, -(-len(counted) // MOST_POINTS))
    places = [*range(len(counted) % every, len(counted) + 1, every)]
    lines = [ChartLine(face, tuple(one[place] for place in places)) for face, one in zip(shown, sums, strict=True)]
    ends = listed(f"{face.name} {result_text(unit, one[-1])}" for face, one in zip(shown, sums, strict=True))
    picture = line_chart(
        lines,
        moment_names([days[place - 1] if place else None for place in places]),
        title=title,
        desc=_("At the end: %(ends)s", ends=ends),
        value_text=axis_text(unit, [value for one in sums for value in one]),
    )
    return CumulativeChart(picture, shown, _table_rows(days, sums, unit))


def moment_names(days: Sequence[date | None]) -> list[str]:
    """Return the name of each moment on the axis: a year or a month at its first night, at most eight; else nothing."""
    months = {(day.year, day.month): place for place, day in reversed([*enumerate(days)]) if day}
    years = {number: place for (number, _month), place in sorted(months.items(), reverse=True)}
    places = sorted(years.values() if len(years) > MOST_YEARS_WITH_MONTHS else months.values())
    apart, newest, names = max(1, -(-len(days) // MOST_LABELS)), -len(days), [""] * len(days)
    for place in places:
        day = days[place]
        if day and place - newest >= apart:
            names[place] = str(day.year) if len(years) > 1 and years[day.year] == place else month_name(day)
            newest = place
    return names


def axis_text(unit: Unit, values: Sequence[int]) -> Callable[[int], str]:
    """Return how the axis writes a number: money in whole units where all its steps are whole."""
    if not unit.is_money:
        return plain
    _low, _high, step = scale(values)
    whole = 10**unit.decimals
    if step % whole == 0:
        return lambda cents: plain(int(cents / whole))
    return lambda cents: amount(cents, unit.decimals)


def _table_rows(
    days: Sequence[date | None], sums: Sequence[Sequence[int]], unit: Unit
) -> list[tuple[str, Sequence[str]]]:
    last = {(day.year, day.month): place for place, day in enumerate(days, start=1) if day}
    by_year = {number: place for (number, _month), place in last.items()}
    ends = {month_words(date(*month, 1)): place for month, place in last.items()}
    if len(ends) > MOST_ROWS:
        ends = {str(number): place for number, place in by_year.items()}
    return [(name, [result_text(unit, one[place]) for one in sums]) for name, place in ends.items()]


ROWS = {"won-row": "longest_won", "lost-row": "longest_lost", "outs-row": "longest_outs"}
"""Figures that are one person's, and the totals that hold them."""
OF_THE_NIGHTS = ("nights", "hands", "time", "wait")
"""Figures that are the same for everybody at the same nights."""


@dataclass(frozen=True)
class Roster:
    """The people of all nights."""

    seats: Mapping[LinkedSeat, str]
    """(code, seat) -> person; where nobody has said who sat there, NAME and the name."""
    faces: Mapping[str, PlayerToken]
    """By person, those who are listed; a face's `seat` is the person."""

    @property
    def names(self) -> Mapping[str, str]:
        return {person: face.name for person, face in self.faces.items()}


def roster_of(people: People, nights: Sequence[NightSummary]) -> Roster:
    """Return the people of a data folder, hidden ones without a face; a name that is nobody's is one person here."""
    names = names_of_nobody(people, nights)
    listed = [(one.id, one.name, one.colour) for one in people.all() if not one.is_hidden]
    listed += [(NAME + name, name, at % COLOURS + 1) for at, name in enumerate(names, len(listed))]
    letters = initials([name for _, name, _ in listed])
    faces = {id_: PlayerToken(id_, name, letters[at], colour) for at, (id_, name, colour) in enumerate(listed)}
    return Roster({**people.seats(), **{seat: NAME + name for name, seats in names.items() for seat in seats}}, faces)


def names_of_nobody(people: People, nights: Sequence[NightSummary]) -> dict[str, list[LinkedSeat]]:
    """Return the seats that are nobody's by name as written last, most frequent first, of nights that count."""
    owners, found = people.seats(), defaultdict[str, list[LinkedSeat]](list)
    written, counted = dict[str, str](), set[str]()
    for night in nights:
        seats = {seat.seat: seat for seat in night.seats if LinkedSeat(night.code, seat.seat) not in owners}
        for forgotten in people.forgotten(night.code, seats):
            del seats[forgotten]
        for seat in seats.values():
            key = comparison_key(seat.name)
            found[written.setdefault(key, seat.name)].append(LinkedSeat(night.code, seat.seat))
            counted |= {written[key]} if night.counts_for(seat) else set()
    in_order = sorted(counted, key=lambda name: (-len(found[name]), name_order(name)))
    return {name: found[name] for name in in_order}


def nights_words(totals: Totals) -> str:
    nights = ngettext("%(num)s night", "%(num)s nights", totals.nights)
    return f"{nights}, {_('%(n)s won', n=totals.won)}" if totals.won else nights


@dataclass(frozen=True)
class PersonLine:
    """Somebody in the table."""

    face: PlayerToken
    totals: Totals
    unit: Unit

    @property
    def net(self) -> int:
        return self.totals.net[self.unit]

    @property
    def words(self) -> str:
        return nights_words(self.totals)

    @property
    def net_text(self) -> str:
        return result_text(self.unit, self.net) if self.totals.nights_in[self.unit] else "–"


@dataclass(frozen=True)
class Statistics:
    """The chosen nights, and what is common to every page about them."""

    choice: Choice
    nights: Sequence[PlayedNight]
    roster: Roster

    @cached_property
    def games(self) -> Mapping[str, str]:
        """The names of the games played, by preset."""
        return {night.summary.preset: night.summary.game_name for night in self.nights}

    @cached_property
    def _unit_nights(self) -> list[tuple[Unit, int]]:
        """What the nights' results are counted in and of how many, the most first, money before its chips."""
        counted = Counter(unit for night in self.nights for unit in night.units)
        return sorted(counted.items(), key=lambda one: (-one[1], not one[0].is_money, one[0]))

    @property
    def unit_choices(self) -> list[tuple[str, str]]:
        """(key, words) of each unit, with how many nights are counted in it."""
        return [
            (unit_key(unit), f"{unit_name(unit, self.games)} ({ngettext('%(num)s night', '%(num)s nights', nights)})")
            for unit, nights in self._unit_nights
        ]

    @cached_property
    def unit(self) -> Unit:
        """What sums of the table and the chart are counted in."""
        return unit_in([unit for unit, _nights in self._unit_nights], self.choice.unit)

    @property
    def unit_key(self) -> str:
        return unit_key(self.unit)

    @property
    def unit_word(self) -> str:
        """The head of a column of sums."""
        return {"money": _("Money"), "chips": _("Chips"), "points": _("Points")}[self.unit.kind]

    @property
    def days(self) -> str:
        """From when to when these nights were; empty where nobody knows it."""
        days = [night.day for night in self.nights if night.day]
        if not days:
            return ""
        first, last = min(days), max(days)
        dash = "\N{NO-BREAK SPACE}– "  # begins no line
        return day_words(first) if first == last else f"{day_words(first)}{dash}{day_words(last)}"

    @property
    def summary(self) -> str:
        """Which nights these are, in a line."""
        words = [ngettext("%(num)s night", "%(num)s nights", len(self.nights)), *([self.days] if self.days else [])]
        names = [self.roster.names[one] for one in self.choice.group if one in self.roster.faces]
        group = [self.choice.named_group] if self.choice.named_group else []
        return " · ".join([*group, *words, *([_("with %(names)s", names=listed(names))] if names else [])])

    def faces_of(self, people: Sequence[str]) -> list[PlayerToken]:
        """Return the faces of those people that are listed."""
        return [self.roster.faces[person] for person in people if person in self.roster.faces]

    def chart_of(self, faces: Sequence[PlayerToken], title: str) -> CumulativeChart:
        """Return the chart of these people in the chosen unit."""
        return cumulative_chart(self.nights, self.unit, faces, title)


@dataclass(frozen=True)
class Overview(Statistics):
    """Statistics of everybody, or of a group: the nights at which all of it sat."""

    @cached_property
    def lines(self) -> list[PersonLine]:
        """Everybody (of the group), who has won most first."""
        people = [one for one in people_of(self.nights) if not self.choice.group or one in self.choice.group]
        found = [PersonLine(face, totals_of(self.nights, face.seat), self.unit) for face in self.faces_of(people)]
        found.sort(key=lambda line: name_order(line.face.name))
        return sorted(found, key=lambda line: (not line.totals.nights_in[self.unit], -line.net))

    @cached_property
    def chart(self) -> CumulativeChart:
        """Those who came most often."""
        often = sorted(self.lines, key=lambda line: -line.totals.nights_in[self.unit])
        return self.chart_of([line.face for line in often], _("Won and lost, night after night"))

    @cached_property
    def figures(self) -> list[FigureLine]:
        """The figures of all seats together, and the longest rows with whose they are."""
        together = totals_of_all(self.nights)
        lines = figure_lines(together, self.games, self.roster.names, is_person=False)
        return [*(line for line in lines if line.key not in ROWS), *self._longest_rows()]

    def _longest_rows(self) -> Iterator[FigureLine]:
        for key, name in ROWS.items():
            most, names = self.best_in(name)
            if most > 1:
                yield FigureLine(key, (SumText(str(most)),), listed(names))

    def best_in(self, total: str) -> tuple[int, list[str]]:
        """Return the most that anybody has of one of the totals, and the names of those who have it."""
        most = max((getattr(line.totals, total) for line in self.lines), default=0)
        return most, [line.face.name for line in self.lines if getattr(line.totals, total) == most]

    @property
    def unknown(self) -> int:
        """How many seats at these nights are counted by their names alone."""
        return sum(person.startswith(NAME) for night in self.nights for person in night.people)

    @cached_property
    def pots(self) -> list[tuple[PotSummary, int]]:
        """The places of the board and the hands of each, where all nights are of one game."""
        return pot_lines(self.nights) if len(self.games) == 1 else []


@dataclass(frozen=True)
class PersonStatistics(Statistics):
    """Statistics of one person; `nights` are those at which this person sat."""

    face: PlayerToken

    @cached_property
    def totals(self) -> Totals:
        return totals_of(self.nights, self.face.seat)

    @cached_property
    def figures(self) -> list[FigureLine]:
        return [*figure_lines(self.totals, self.games), *self._with_others()]

    def _with_others(self) -> Iterator[FigureLine]:
        """Yield whom this person wins from and loses to, beside whom best, and at how large tables: of many nights."""
        person, nights, unit = self.face.seat, self.nights, self.unit
        found = [one for one in rivals(nights, person, unit) if one.person in self.roster.faces]
        if found and found[0].sum > 0:
            yield self._rival_line("won-from", found[0])
        if found and found[-1].sum < 0:
            yield self._rival_line("lost-to", found[-1])
        if (partner := best_partner(nights, person, unit)) and partner.person in self.roster.faces:
            yield self._rival_line("partner", partner)
        tables = [
            SumText(nights_words(totals_of(some, person)), ngettext("%(num)s player", "%(num)s players", count))
            for count, some in nights_by_players(nights).items()
        ]
        if tables:
            yield FigureLine("players", tuple(tables))

    def _rival_line(self, key: str, rival: Rival) -> FigureLine:
        nights = ngettext("%(num)s night", "%(num)s nights", rival.nights)
        values = sums_texts({self.unit: rival.sum}, self.games, is_signed=True)
        return FigureLine(key, values, f"{self.roster.names[rival.person]} · {nights}")

    @cached_property
    def chart(self) -> CumulativeChart:
        return self.chart_of([self.face], _("Won and lost, night after night"))

    @cached_property
    def by_game(self) -> list[tuple[str, str, Sequence[SumText]]]:
        """The games this person played, the most frequent first: the name, how many nights, and the results."""
        found = [(name, totals_of(chosen(self.nights, preset), self.face.seat)) for preset, name in self.games.items()]
        in_order = sorted(found, key=lambda one: -one[1].nights)
        return [(_(name), nights_words(totals), short_sums(totals.net)) for name, totals in in_order]

    @cached_property
    def others(self) -> list[tuple[PlayerToken, tuple[int, int, int]]]:
        """Everybody else at these nights, with how often each of the two was ahead, and neither."""
        people = [one for one in people_of(self.nights) if one != self.face.seat]
        return [(face, times_ahead(self.nights, self.face.seat, face.seat)) for face in self.faces_of(people)]


class PairLine(NamedTuple):
    """A figure of two people, in one of its units."""

    label: str
    unit: str
    definition: str
    values: tuple[str, str]
    notes: tuple[str, str]


@dataclass(frozen=True)
class PairStatistics(Statistics):
    """Two people in the nights at which both sat, which are `nights`."""

    faces: tuple[PlayerToken, PlayerToken]

    @cached_property
    def ahead(self) -> tuple[int, int, int]:
        """In how many nights each was ahead, and neither."""
        one, other = self.faces
        return times_ahead(self.nights, one.seat, other.seat)

    @cached_property
    def lines(self) -> list[PairLine]:
        """Every figure that one of the two has, side by side."""
        totals = [totals_of(self.nights, face.seat) for face in self.faces]
        both = [{line.key: line for line in figure_lines(one, self.games)} for one in totals]
        keys = [key for key in KINDS if key not in OF_THE_NIGHTS and any(key in one for one in both)]
        return [line for key in keys for line in self._lines_of(key, [one.get(key) for one in both])]

    def _lines_of(self, key: str, figures: Sequence[FigureLine | None]) -> Iterator[PairLine]:
        values = [{value.unit: value.text for value in one.values} if one else {} for one in figures]
        notes = [one.note if one and not one.night else "" for one in figures]
        label, definition = KINDS[key]
        for unit in dict.fromkeys([*values[0], *values[1]]):
            shown = (values[0].get(unit, "–"), values[1].get(unit, "–"))
            yield PairLine(_(label), unit, _(definition), shown, (notes[0], notes[1]))

    @cached_property
    def chart(self) -> CumulativeChart:
        return self.chart_of(self.faces, _("Won and lost in the nights at which both sat"))


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
        most, names = self.best_in("won")
        return _("Most nights won: %(names)s, %(n)s", names=listed(names), n=most) if most > 1 else ""

    @property
    def longest_row(self) -> str:
        """The longest row of nights won, as a sentence; empty where nobody won two, or too many did."""
        most, names = self.best_in("longest_won")
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
        place = next((pot.name for pot in night.summary.figures.pots if pot.id == moment.pot), "")
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
