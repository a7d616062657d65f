"""What BG Stats exports, its whole history: plays that fit, as nights of a score sheet, and why the others do not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from math import floor
from typing import Any

from tracker.core.errors import N_, Fault
from tracker.core.house_rules import MOST_CHIPS
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras.imports.other_night import (
    LeftOut,
    OtherFile,
    OtherNight,
    digest,
    label_on,
    misfit,
    name_from,
    told_apart,
)
from tracker.formats.text import UNREADABLE

FIELDS = {"games", "plays", "players"}
"""What every export has."""
MOST_PLAYERS = 12
MOST_PLAYS = 5000
_SUM = re.compile(r"\s*[+-]?\d{1,9}(?:[.,]\d{1,9})?(?:\s*[+-]\s*\d{1,9}(?:[.,]\d{1,9})?){0,99}\s*", re.ASCII)
_TERM = re.compile(r"([+-]?)(\d+(?:\.\d+)?)", re.ASCII)
ROUNDED = N_("Points with decimals are rounded to whole ones (plays: {plays}).")


class _StaysOut(Exception):
    def __init__(self, template: str, /, **facts: Any) -> None:
        self.why = Fault(template, **facts)


def plays_of(value: Mapping[str, Any]) -> OtherFile:
    """Return the plays of an export. Raises UnreadableError for one that is not whole."""
    games, people, plays = ([*_objects(value.get(key))] for key in ("games", "players", "plays"))
    if not plays:
        raise UnreadableError("this is an export of BG Stats without plays")
    if len(plays) > MOST_PLAYS:
        raise UnreadableError("more than {most} plays in one file", most=f"{MOST_PLAYS:,}")
    game_of = {str(one.get("id")): one for one in games}
    shown = told_apart(name_from(one.get("name")) or "?" for one in people)
    name_of = {str(one.get("id")): name for one, name in zip(people, shown, strict=True)}
    nights, left_out, rounded = [], [], 0
    for play in plays:
        game = game_of.get(str(play.get("gameRefId")), {})
        try:
            night, is_rounded = _night(play, game, name_of)
        except _StaysOut as out:
            left_out.append(LeftOut(name_from(game.get("name"), 100) or "?", _day_text(play), out.why))
        else:
            nights.append(night)
            rounded += is_rounded
    remarks = (Fault(ROUNDED, plays=rounded),) if rounded else ()
    return OtherFile("BG Stats", tuple(nights), tuple(left_out), remarks)


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(value, list):
        raise UnreadableError("this is no whole export of BG Stats")
    yield from (one for one in value if isinstance(one, dict))


def _night(play: Mapping[str, Any], game: Mapping[str, Any], name_of: Mapping[str, str]) -> tuple[OtherNight, bool]:
    """Return a play as a night, and whether points of it were rounded. Raises _StaysOut."""
    if play.get("ignored") is True:
        raise _StaysOut(N_("marked as ignored there"))
    name, at = name_from(game.get("name"), 100), _label(play)
    if not name or not at:
        raise _StaysOut(N_("its game or its day can’t be read"))
    scores = [one for one in _scores_of(play) if not _is_npc(one)]
    if len(scores) < 2:
        raise _StaysOut(N_("played alone") if scores else N_("without people"))
    if len(scores) > MOST_PLAYERS:
        raise _StaysOut(N_("more than {most} people"), most=MOST_PLAYERS)
    if game.get("cooperative") is True:
        raise _StaysOut(N_("played together, against the game"))
    exact = [_points(one.get("score")) for one in scores]
    names = told_apart(_name(one, name_of) for one in scores)
    points = {one: _rounded(number) for one, number in zip(names, exact, strict=True)}
    is_low = game.get("highestWins") is False
    mark = play.get("uuid") or digest(name, play.get("playDate"), points)
    night = OtherNight(
        name,
        at,
        points,
        is_low,
        winners=_winners(names, exact, points, [one.get("winner") is True for one in scores], is_low=is_low),
        mark=f"bg-stats {name_from(str(mark), 100)}",
        code=name_from(play.get("sourcePlayId"), 100),
    )
    if why := misfit(night):
        raise _StaysOut(N_("it can’t be a score sheet: {why}"), why=why)
    return night, any(number.denominator > 1 for number in exact)


def _winners(
    names: Sequence[str], exact: Sequence[Fraction], points: Mapping[str, int], won: Sequence[bool], *, is_low: bool
) -> tuple[str, ...]:
    """Return who is marked as winner, else has the best points; nobody where the rounded points are equal."""
    best = (min if is_low else max)(exact)
    said = [name for name, is_marked in zip(names, won, strict=True) if is_marked]
    said = said or [name for name, one in zip(names, exact, strict=True) if one == best]
    best_shown = (min if is_low else max)(points.values())
    return () if said == [name for name in names if points[name] == best_shown] else tuple(said)


def _scores_of(play: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    scores = play.get("playerScores")
    return [one for one in scores if isinstance(one, dict)] if isinstance(scores, list) else []


def _is_npc(score: Mapping[str, Any]) -> bool:
    """Return whether a score is that of a player whom the game plays."""
    try:
        return bool(json_value(score["metaData"])["isNpc"])
    except (*UNREADABLE, UnreadableError):
        return False


def _name(score: Mapping[str, Any], name_of: Mapping[str, str]) -> str:
    name = name_from(score.get("anonymousName")) or name_of.get(str(score.get("playerRefId")), "")
    if not name:
        raise _StaysOut(N_("somebody in it is not in the file"))
    return name


def _points(raw: object) -> Fraction:
    """Return the points that a score stands for, which may be a sum as `12+30+4`. Raises _StaysOut."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float | None):
        raise _StaysOut(N_("points that are no number"))
    text = "" if raw is None else str(raw).replace("\N{MINUS SIGN}", "-").strip()
    if not text:
        raise _StaysOut(N_("without points"))
    if not _SUM.fullmatch(text):
        raise _StaysOut(N_("points that are no number"))
    terms = _TERM.findall(re.sub(r"\s", "", text).replace(",", "."))
    total = sum((Fraction(sign + number) for sign, number in terms), Fraction(0))
    if abs(total) > MOST_CHIPS:
        raise _StaysOut(N_("more than {most} points"), most=f"{MOST_CHIPS:,}")
    return total


def _rounded(number: Fraction) -> int:
    """Return the nearest whole number; halves away from zero."""
    return floor(abs(number) + Fraction(1, 2)) * (-1 if number < 0 else 1)


def _day_text(play: Mapping[str, Any]) -> str:
    found = _day(play)
    return found.isoformat() if found else ""


def _day(play: Mapping[str, Any]) -> date | None:
    """Return the day that a play names: beside its local time, else in it."""
    beside, text = str(play.get("playDateYmd") or ""), str(play.get("playDate") or "")
    for tried in (f"{beside[:4]}-{beside[4:6]}-{beside[6:]}", text[:10]):
        try:
            return date.fromisoformat(tried)
        except ValueError:
            continue
    return None


def _label(play: Mapping[str, Any]) -> str:
    """Return when a play was, in UTC; empty for no day. Its time is that of the phone, wherever that was."""
    day = _day(play)
    if day is None or not 1970 < day.year < 9000:
        return ""
    text = str(play.get("playDate"))
    try:
        local = datetime.fromisoformat(text).replace(tzinfo=None) if len(text) > len("2026-01-05") else None
    except ValueError:
        local = None
    return label_on(day, local)
