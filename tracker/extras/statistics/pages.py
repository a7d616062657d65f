"""The pages of statistics: of everybody or a group, of a person, of two people head to head."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for

from tracker.app.open_night import OpenNight
from tracker.extras._kept_files import inlined
from tracker.extras._night_lists import groups_of_nights
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._people import get_people
from tracker.extras.statistics.choice import Choice, choice_in, game_options, group_options, season_options
from tracker.extras.statistics.figures import FigureLine
from tracker.extras.statistics.totals import PlayedNight, chosen, played_nights
from tracker.extras.statistics.view import Overview, PairStatistics, PersonStatistics, Recap, Roster, roster_of
from tracker.formats.evening import evening_at
from tracker.web.access.permissions import identify
from tracker.web.access.roles import HOST, may
from tracker.web.responses import attachment

bp = Blueprint("statistics", __name__)

PAIR = 2
STYLES = ("shared/site.css", "chart/chart.css", "statistics/recap.css")
MAIN_FIGURES = ("nights", "hands", "time", "won", "net", "richest", "won-row", "won-from", "lost-to")
"""Of a person, on the page of that person."""


@bp.get("/statistics")
@may(HOST)
def overview() -> str:
    """Show the statistics of everybody, or of those who are chosen."""
    choice = choice_in(request.args)
    nights, roster = all_nights(choice.named_group)
    shown = Overview(choice, choice.of(nights, today()), roster)
    unreadable = len(get_summaries().unreadable())
    return render_template(
        "statistics/overview.html", shown=shown, unreadable=unreadable, **form_of(nights, choice, roster)
    )


@bp.get("/statistics/people/<path:person>")
@may(HOST)
def person(person: str) -> str:
    """Show the statistics of one person; 404 for nobody."""
    choice = replace(choice_in(request.args), group=())
    nights, roster = all_nights(choice.named_group)
    if person not in roster.faces:
        abort(404)
    mine = replace(choice, group=(person,)).of(nights, today())
    shown = PersonStatistics(choice, mine, roster, roster.faces[person])
    return render_template("statistics/person.html", shown=shown, **form_of(nights, choice, roster))


@bp.get("/statistics/pair")
@may(HOST)
def pair() -> str:
    """Show two people head to head: the fields `with` name them."""
    choice = choice_in(request.args)
    nights, roster = all_nights(choice.named_group)
    if len(choice.group) != PAIR or not roster.faces.keys() >= {*choice.group}:
        abort(404)
    one, other = choice.group
    mine = choice.of(nights, today())
    shown = PairStatistics(choice, mine, roster, (roster.faces[one], roster.faces[other]))
    return render_template("statistics/pair.html", shown=shown, **form_of(nights, choice, roster))


@bp.get("/statistics/<int:number>")
@bp.get("/statistics/sheet")
@may(HOST)
def recap(number: int = 0) -> str:
    """Show a year, or the nights that are chosen, on one page, to print or to send."""
    return render_template("statistics/recap.html", shown=recap_of(number))


@bp.get("/statistics/<int:number>.html")
@bp.get("/statistics/sheet.html")
@may(HOST)
def recap_file(number: int = 0) -> Response:
    """Send a year, or the nights that are chosen, as one HTML file that needs no network."""
    shown = recap_of(number)
    text = render_template("statistics/recap-file.html", shown=shown, parts=inlined(STYLES))
    return attachment(shown.title, text, "html", "text/html")


def recap_of(number: int) -> Recap:
    """Return the sheet of a year, or without one of what the address chooses; 404 for one without any night."""
    choice = choice_in(request.args)
    nights, roster = all_nights(choice.named_group)
    if number:
        choice = Choice(season=f"{number:04}", unit=choice.unit)
    played = choice.of(nights, today())
    if not played or (number and not choice.year):
        abort(404)
    return Recap(choice, played, roster)


@bp.app_template_global()
def main_figures(person: str) -> list[FigureLine]:
    """Return the main figures of a person over all nights, for the person's own page; none without a night."""
    nights, roster = all_nights()
    mine = chosen(nights, group=[person])
    shown = PersonStatistics(Choice(), mine, roster, roster.faces[person])
    return [line for line in shown.figures if line.key in MAIN_FIGURES] if mine else []


def person_links(table: OpenNight) -> dict[str, str]:
    """Return where everybody's statistics are, by seat, once the night is over; nothing for who may not read them."""
    if not table.night.is_over or identify(None).role != "host":
        return {}
    people = {seat: get_people().person_of(table.code, seat) for seat in table.night.all_seats}
    return {
        seat: url_for("statistics.person", person=one.id) for seat, one in people.items() if one and not one.is_hidden
    }


def form_of(nights: list[PlayedNight], choice: Choice, roster: Roster) -> dict[str, Any]:
    return {
        "choice": choice,
        "groups": group_options(groups_of_nights().values()),
        "games": game_options(nights),
        "seasons": season_options(nights, today()),
        "roster": roster,
        "has_nights": bool(nights) or bool(choice.named_group),
    }


def all_nights(named_group: str = "") -> tuple[list[PlayedNight], Roster]:
    """Return every night (of a group) that counts, the oldest first, and the people of all nights."""
    summaries, groups = get_summaries().all(), groups_of_nights() if named_group else {}
    roster = roster_of(get_people(), summaries)
    counted = (one for one in summaries if not named_group or groups.get(one.code) == named_group)
    return played_nights(counted, roster.seats), roster


def today() -> date:
    return evening_at(datetime.now(UTC))
