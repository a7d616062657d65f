"""The ladder of a club: the nights of tables whose hosts agreed, points by seat; people are told apart by name."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, abort, g, render_template, request

from tracker.app.open_night import OpenNight
from tracker.app.person_names import comparison_key
from tracker.app.settings import NightSettings, Setting
from tracker.core.errors import NotAllowed
from tracker.core.preset import Preset
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras._people import LinkedSeat
from tracker.extras.statistics.choice import Choice, choice_in, season_options
from tracker.extras.statistics.details import FullSummary
from tracker.extras.statistics.pages import today
from tracker.extras.statistics.totals import NO_ONE, PlayedNight, Unit, played_nights, points_or_chips, year
from tracker.extras.statistics.view import Recap, Roster
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import OPENS_NIGHTS, Roles, may
from tracker.web.base.context import get_nights
from tracker.web.drawing.player_token import COLOURS, PlayerToken, initials
from tracker.web.wording.texts import gettext as _

bp = Blueprint("ladder", __name__)

SEES_LADDER: Roles = OPENS_NIGHTS | {"assistant"}
"""Also who helps the house, where there is such a role."""
MOST_STANDINGS = 12
"""On the screen of the room."""

POINTS, CHIPS = "points", "chips"
LADDER_KINDS = (POINTS, CHIPS)
"""What a host may agree to: points by the places at the table, or the chips won and lost, whatever they are worth."""
LADDER_POINTS = Unit("points", game="ladder")


class LadderSettings(NightSettings):
    """The settings of a night, with what its host agreed to."""

    ladder = Setting("ladder", default="", read=str)
    """How the night counts in the ladder: `points`, `chips`, or empty for not at all."""


# The page, and what stands on others


@bp.get("/ladder")
@may(SEES_LADDER)
def page() -> str:
    """Show the ladder of a season over all tables of a club whose hosts agreed to be in it, on the sheet of a year."""
    if not has_ladder():
        abort(404)
    kind = CHIPS if request.args.get("in") == CHIPS else POINTS
    year_now, asked = str(today().year), choice_in(request.args)
    choice = Choice(season=asked.season if "season" in request.args else year_now, first=asked.first, last=asked.last)
    nights = agreed_nights(agreements(), kind)
    shown = Recap(replace(choice, ladder=kind), choice.of(nights, today()), ladder_roster(nights))
    return render_template("statistics/ladder.html", shown=shown, seasons=season_options(nights, today())[:-2])


@bp.app_template_global()
def has_ladder() -> bool:
    """Return whether several people open nights here, which alone has a ladder."""
    return get_access().owners.are_several


@bp.app_template_global()
def sees_ladder() -> bool:
    """Return whether whoever asks may open the page."""
    return has_ladder() and g.identity.role in SEES_LADDER


@bp.app_template_global()
def ladder_kind(table: OpenNight) -> str:
    """Return how a night counts in the ladder, in words; empty for not at all."""
    words = {POINTS: _("by points"), CHIPS: _("by chips won")}
    return words.get(settings_of(table).ladder, "")


@bp.app_template_global()
def first_in_ladder() -> list[tuple[str, int]]:
    """Return by name who stands first this year, by what most of its nights count in: points or chips."""
    agreed, this_year = agreements(), year(today().year)
    kind = max(LADDER_KINDS, key=[*agreed.values()].count)
    return standings([one for one in agreed_nights(agreed, kind) if this_year.has(one.day)])[:MOST_STANDINGS]


# What a host agrees to


def settings_of(table: OpenNight) -> LadderSettings:
    return LadderSettings(get_nights().store, table.code)


def agreements() -> Mapping[str, str]:
    """Return by night how it counts, of those that are in the ladder."""
    return get_nights().store.settings_of_nights(LadderSettings.ladder.key)


def agreed_nights(agreed: Mapping[str, str], kind: str) -> list[PlayedNight]:
    """Return the nights whose hosts agreed to one kind, the oldest first."""
    return ladder_nights(get_all_summaries().only(lambda code: agreed.get(code) == kind).all(), kind)


def read_choice(form: Mapping[str, str], game: Preset) -> Callable[[OpenNight], None]:
    """Return what keeps with a new night how it counts, as its form says. Raises NotAllowed for chips without chips."""
    kind = form.get("ladder", "") if has_ladder() else ""
    if kind not in ("", POINTS) and not (kind == CHIPS and game.is_pot_game):
        raise NotAllowed("A score game has no chips: choose points.")

    def keep(table: OpenNight) -> None:
        settings_of(table).ladder = kind

    return keep


def carry_on(old: OpenNight, new: OpenNight) -> None:
    """Have a night count as the one before it that the same people played."""
    settings_of(new).ladder = settings_of(old).ladder


# What each seat gets


def ladder_nights(summaries: Sequence[NightSummary], kind: str) -> list[PlayedNight]:
    """Return the nights that count in a ladder, the oldest first, with each seat's result as it counts there."""
    known = {LinkedSeat(one.code, seat.seat): comparison_key(seat.name) for one in summaries for seat in one.seats}
    played = played_nights((replace(one, money=(1, 0)) for one in summaries), known)
    if kind == CHIPS:
        return [night for night in played if night.unit.kind == "chips"]
    return [replace(night, unit=LADDER_POINTS, summary=_with_points(night)) for night in played]


def standings(nights: Sequence[PlayedNight]) -> list[tuple[str, int]]:
    """Return everybody of these nights by name, with the sum of the results, who has most first."""
    names, sums = dict[str, str](), Counter[str]()
    for night in nights:
        for seat, person in zip(night.summary.seats, night.people, strict=True):
            if person != NO_ONE:
                names[person] = seat.name
                sums[person] += points_or_chips(night.unit, seat)
    return sorted(((names[person], total) for person, total in sums.items()), key=lambda one: (-one[1], one[0]))


def _with_points(night: PlayedNight) -> FullSummary:
    """Return ladder points as scores: two for each who did worse, one for each as good; of two seats the better."""
    places = {person: night.place_of(person) for person in night.people if person != NO_ONE}
    points = {
        person: sum(2 * (other > mine) + (other == mine) for other in places.values()) - 1
        for person, mine in places.items()
    }
    seats = []
    for seat, person in zip(night.summary.seats, night.people, strict=True):
        is_best = person in points and seat.place == places[person]
        seats.append(replace(seat, score=points.pop(person) if is_best else 0))
    return replace(night.summary, seats=tuple(seats))


def ladder_roster(nights: Sequence[PlayedNight]) -> Roster:
    """Return the people of a ladder, each known by the name alone."""
    names = {comparison_key(seat.name): seat.name for night in nights for seat in night.summary.seats}
    letters = initials([*names.values()])
    listed = enumerate(sorted(names.items()))
    return Roster({}, {id_: PlayerToken(id_, name, letters[at], at % COLOURS + 1) for at, (id_, name) in listed})
