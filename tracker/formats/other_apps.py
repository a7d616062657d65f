"""What other apps export, as nights of a score sheet: plays of BG Stats, and the balances of Splitwise and Spliit."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tracker.core.house_rules import MOST_CHIPS
from tracker.formats.night_file import FORMAT, VERSION
from tracker.formats.text import UNREADABLE, UnreadableError, clean_text, json_value

BG_STATS = {"games", "plays", "players"}
"""Fields of a BG Stats export."""
CSV_BEGIN = ("Date", "Description", "Category")
CSV_COLUMNS = {*CSV_BEGIN, "Cost", "Currency", "Is Reimbursement", "Split mode"}
"""The columns that both apps' tables have beside one for each person."""
TOTAL = "Total balance"
"""What Splitwise calls its last row."""
MOST_NIGHTS, MOST_PEOPLE, LONGEST_NAME = 500, 12, 40


@dataclass(frozen=True)
class OtherNight:
    """A play, or what a group's shared costs come to, as points of one round."""

    name: str
    at: str
    """When it was, in UTC (ISO 8601); empty where the file does not say."""
    points: Mapping[str, int]
    """By name; cents where it is about money."""
    is_low: bool = False
    """Whether the fewest points win."""
    is_money: bool = False

    def file(self) -> str:
        """Return the night as a night file: a score sheet with one round, which is over."""
        seats = {f"p{number}": name for number, name in enumerate(self.points, 1)}
        options: dict[str, Any] = {"points.wins": "low"} if self.is_low else {}
        if self.is_money:  # each pair pays its difference, which of points that sum to zero comes to so many times each
            options = {"money.chips": len(seats), "money.cents": 1, "money.coin": 1}
        events: list[dict[str, Any]] = [
            *({"kind": "sit", "seat": seat, "name": name} for seat, name in seats.items()),
            {"kind": "scores", "points": {seat: self.points[name] for seat, name in seats.items()}},
            {"kind": "end"},
        ]
        if self.at:
            events = [{**event, "at": self.at} for event in events]
        head = {"format": FORMAT, "version": VERSION, "preset": "score-sheet", "name": self.name, "options": options}
        return json.dumps({**head, "events": events}, ensure_ascii=False)


def is_other(text: str) -> bool:
    """Return whether a text looks like a file of one of these apps."""
    return text.startswith(",".join(CSV_BEGIN)) or _looks_like_plays(text)


def _looks_like_plays(text: str) -> bool:
    return text.lstrip().startswith("{") and all(f'"{field}"' in text for field in BG_STATS) and FORMAT not in text


def nights_from(text: str) -> list[OtherNight]:
    """Return the nights in a file of another app, all of them. Raises UnreadableError, which says what is wrong."""
    if text.startswith(",".join(CSV_BEGIN)):
        return [_balances(text)]
    value = json_value(text)
    try:
        names = {one["id"]: clean_text(one["name"], LONGEST_NAME) for one in value["players"]}
        games = {one["id"]: one for one in value["games"]}
        plays = value["plays"]
        if not (isinstance(plays, list) and plays and all(isinstance(play, dict) for play in plays)):
            raise TypeError
    except UNREADABLE:
        raise UnreadableError("this is no whole export of BG Stats") from None
    if len(plays) > MOST_NIGHTS:
        raise UnreadableError("more than {most} plays: export fewer at a time", most=MOST_NIGHTS)
    return [_play(number, play, games, names) for number, play in enumerate(plays, 1)]


def _play(number: int, play: Mapping[str, Any], games: Mapping[Any, Any], names: Mapping[Any, str]) -> OtherNight:
    try:
        game = games[play["gameRefId"]]
        scores = [(names[one["playerRefId"]], _score(one["score"])) for one in play["playerScores"]]
        name, is_low = clean_text(game["name"], 100), game.get("highestWins") is False
        at = f"{datetime.strptime(play['playDate'], '%Y-%m-%d %H:%M:%S').replace(tzinfo=UTC):%Y-%m-%dT%H:%M:%SZ}"
    except UNREADABLE:
        raise UnreadableError("play {number} can’t be read: its game, date, people and points", number=number) from None
    _check_people([name for name, _ in scores], number)
    return OtherNight(name, at, dict(scores), is_low)


def _score(value: object) -> int:
    text = str(value).strip()
    if not re.fullmatch(r"-?\d{1,7}", text, re.ASCII) or abs(int(text)) > MOST_CHIPS:
        raise ValueError
    return int(text)


def _check_people(names: Sequence[str], number: int) -> None:
    if not 2 <= len(names) <= MOST_PEOPLE or len(set(names)) < len(names) or not all(names):
        facts = {"number": number, "most": MOST_PEOPLE}
        raise UnreadableError("play {number} needs 2 to {most} people of different names", **facts)


def _balances(text: str) -> OtherNight:
    """Return what the rows of a table of shared costs come to for each person, in cents."""
    try:
        head, *rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
        head.index("Cost"), head.index("Currency")
        places = {place: clean_text(name, LONGEST_NAME) for place, name in enumerate(head) if name not in CSV_COLUMNS}
    except (ValueError, csv.Error):
        raise UnreadableError("this is no whole table of Splitwise or Spliit") from None
    _check_people([*places.values()], 1)
    rows = [row for row in rows if len(row) > 1 and row[1] != TOTAL]
    if len({row[head.index("Currency")] for row in rows if len(row) == len(head)}) > 1:
        raise UnreadableError("this table has more than one currency: export one at a time")
    sums: Counter[str] = Counter(dict.fromkeys(places.values(), 0))
    for number, row in enumerate(rows, 2):
        if len(row) != len(head):
            raise UnreadableError("row {number} of the table has another number of columns", number=number)
        cost = row[head.index("Cost")]
        sums.update(dict(_shares(number, cost, {name: row[place] for place, name in places.items()})))
    if max(map(abs, sums.values())) > MOST_CHIPS:
        raise UnreadableError("a sum in this table is larger than {most}", most=f"{MOST_CHIPS // 100:,}")
    return OtherNight("", "", sums, is_money=True)


def _shares(number: int, cost: str, cells: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield what a row adds to each person's balance, in cents.

    Splitwise writes balances, which sum to zero; Spliit writes each one's share, with a plus for who has paid it all.
    """
    try:
        cents, whole = {name: _cents(cell) for name, cell in cells.items()}, _cents(cost)
    except ValueError:
        raise UnreadableError("row {number} of the table has a sum that can’t be read", number=number) from None
    payers = [name for name, one in cents.items() if one > 0]
    is_shares = abs(sum(map(abs, cents.values())) - whole) <= len(cents)  # each is rounded to a cent
    if sum(cents.values()) and not (is_shares and len(payers) == 1):
        raise UnreadableError("row {number} of the table does not say who has paid", number=number)
    if sum(cents.values()):
        cents[payers[0]] = -sum(one for one in cents.values() if one < 0)
    yield from cents.items()


def _cents(cell: str) -> int:
    found = re.fullmatch(r"(-?)(\d{1,9})(?:\.(\d{1,2})\d*)?", cell.strip(), re.ASCII)
    if not found:
        raise ValueError
    return int(f"{found[1]}{found[2]}{(found[3] or '').ljust(2, '0')}")
