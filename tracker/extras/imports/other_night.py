"""What a file of another app holds, as nights of a score sheet: which come in, which stay out, and why."""

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tracker.core.errors import Fault, TableError
from tracker.core.house_rules import MOST_CHIPS
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import Refused, night_from, states
from tracker.formats.built_in import built_in
from tracker.formats.evening import EVENING_ENDS
from tracker.formats.night_file import FORMAT, VERSION
from tracker.formats.text import clean_text

LONGEST_NAME = 40
WINNERS_ARE_SAID = {"points.completed": "wins"}
"""The house rule by which the end says who has won, whatever the points."""
COSTS = "costs "
"""How the mark of shared costs begins; the people tell one group's from another's."""


@dataclass(frozen=True)
class OtherNight:
    """A play, or what a group's shared costs come to, as points of a score sheet."""

    name: str
    at: str
    """When it was, in UTC (ISO 8601); empty where the file does not say."""
    points: Mapping[str, int]
    """By name; in the currency's smallest unit where it is about money."""
    is_low: bool = False
    """Whether the fewest points win."""
    is_money: bool = False
    decimals: int = 2
    """How many decimals the money has: 100, 1 or 1,000 of the smallest unit are one whole."""
    currency: str = ""
    winners: tuple[str, ...] = ()
    """Who has won by what the table said, where the points alone say something else."""
    mark: str = ""
    """What tells this night from all others of its app, so that it comes in once."""
    code: str = ""
    """The code of the night of ours that it was made from."""

    def file(self) -> str:
        """Return the night as a night file: a score sheet that is over, with one round, or more for large sums."""
        seats = {name: f"p{number}" for number, name in enumerate(self.points, 1)}
        options: dict[str, Any] = {"points.wins": "low"} if self.is_low else {}
        if self.is_money:  # each pair pays its difference, which of points that sum to zero comes to so many times each
            options = {"money.chips": len(seats), "money.cents": 1, "money.coin": 1}
            options |= {"money.decimals": self.decimals} if self.decimals != 2 else {}
        said = {}
        if self.winners:
            options |= WINNERS_ARE_SAID
            said = {"winners": [seats[name] for name in self.winners]}
        events: list[dict[str, Any]] = [
            *({"kind": "sit", "seat": seat, "name": name} for name, seat in seats.items()),
            *({"kind": "scores", "points": round_} for round_ in _rounds(self.points, seats)),
            {"kind": "end", **said},
        ]
        if self.at:
            events = [{**event, "at": self.at} for event in events]
        head = {"format": FORMAT, "version": VERSION, "preset": "score-sheet", "name": self.name, "options": options}
        return json.dumps({**head, "events": events}, ensure_ascii=False)


def _rounds(points: Mapping[str, int], seats: Mapping[str, str]) -> Iterable[Mapping[str, int]]:
    """Yield the points of each round by seat: one round, unless a sum is larger than a round's points may be."""
    rest = dict(points)
    while True:
        part = {name: max(-MOST_CHIPS, min(MOST_CHIPS, one)) for name, one in rest.items()}
        yield {seats[name]: one for name, one in part.items()}
        rest = {name: one - part[name] for name, one in rest.items()}
        if not any(rest.values()):
            return


@dataclass(frozen=True)
class LeftOut:
    """A play that does not come in."""

    game: str
    day: str
    """As the file writes it; empty where it says none."""
    why: Fault


@dataclass(frozen=True)
class OtherFile:
    """What a file of another app holds."""

    app: str
    nights: tuple[OtherNight, ...]
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[Fault, ...] = field(default=())
    """What is to be known before it comes in: what was dropped, rounded or taken as something."""
    has_unit: bool = False
    """Whether the file leaves open what 1 is worth: a whole, or the smallest unit, as which it was read."""

    def reasons(self) -> list[tuple[Fault, int]]:
        """Return why plays stay out, and how many for each reason, the most frequent first."""
        by_text = {str(one.why): one.why for one in self.left_out}
        counts = Counter(str(one.why) for one in self.left_out)
        return [(by_text[text], count) for text, count in counts.most_common()]


def misfit(night: OtherNight) -> Fault | None:
    """Return why a night can't be a score sheet; None for one that can."""
    try:
        for _ in states(night_from(night.file(), built_in)):
            pass
    except (UnreadableError, TableError) as error:
        cause = error.cause if isinstance(error, Refused) else error
        return Fault(cause.template, **cause.facts)
    return None


def digest(*parts: object) -> str:
    """Return the same 32 characters for the same parts, whenever they are asked for."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def name_from(raw: object, longest: int = LONGEST_NAME) -> str:
    """Return a name as it can stand here: without tabs and unseen signs, and cut to `longest`; empty for none."""
    text = unicodedata.normalize("NFC", raw if isinstance(raw, str) else "")[: 20 * longest]
    shown = "".join(char if char.isprintable() else " " if char.isspace() else "" for char in text)
    words = " ".join(shown.split())
    try:
        return clean_text(words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…", longest)
    except ValueError:
        return ""


def told_apart(names: Iterable[str]) -> list[str]:
    """Return the names with a number behind each that was there before: `Ann`, `Ann 2`."""
    taken: set[str] = set()
    found = []
    for name in names:
        tried, number = name, 1
        while tried.casefold() in taken:
            number += 1
            tried = f"{name[: LONGEST_NAME - len(str(number)) - 1]} {number}"
        taken.add(tried.casefold())
        found.append(tried)
    return found


def label_on(day: date, local: datetime | None = None) -> str:
    """Return a log label (UTC) on a day of play near a local time. Raises ValueError for a day out of range."""
    begins = datetime.combine(day, datetime.min.time()) + EVENING_ENDS
    ends = begins + timedelta(days=1) - timedelta(seconds=1)
    try:
        moment = min(max(local or begins + timedelta(hours=12), begins), ends).astimezone(UTC)
    except (OverflowError, OSError):
        raise ValueError(f"{day} is out of range") from None
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
