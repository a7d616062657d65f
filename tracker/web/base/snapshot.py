"""A night at one moment, who looks at it, and the table of a page's parts, each rendered once for all who see the same.

A part is one element: its id, the macro that renders it, and a function that returns the macro's arguments. These are
all that it depends on, for a macro is given nothing else: where they are the same, so is the part.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.queries.options import CardCount
from tracker.core.queries.prompts import Prompt, prompt_of
from tracker.core.queries.summary import summary
from tracker.core.queries.undo_policy import NewestChange, newest_change
from tracker.streaming.stream import Page, Part
from tracker.web.base.context import macro_of
from tracker.web.wording.texts import language

SERVER_START = secrets.token_hex(4)
"""Which start of the server has made a snapshot: versions are counted anew with each."""
Made = TypeVar("Made")


@dataclass(frozen=True)
class Viewer:
    """Who looks: a role, the own seat if any, and whether this phone may record for everyone."""

    role: str = "watcher"
    seat: str | None = None
    is_open: bool = False

    @property
    def records_for_all(self) -> bool:
        return self.role == "host" or (self.role == "seat" and self.is_open)

    def form_key(self, head: int) -> str:
        """Return the key of a form on this page after `head` events: with what it says, the event's id."""
        return f"{self.seat or self.role}-{head}"


@dataclass(frozen=True, eq=False)
class NightSnapshot:
    """A night at one moment. Nothing in it changes, so what is made from it is made once for all viewers."""

    night: Night
    entries: Sequence[Entry] = ()
    undone: Mapping[int, int] = field(default_factory=dict)
    steps: Sequence[log.PlayedEvent] = ()
    """The step before the last hand began and all since."""
    out: str | None = None
    """Who says to be out of cards, while the others' cards are asked for."""
    withdrawn: str | None = None
    """Who was just said not to be out of cards after all."""
    claim: str = ""
    """Which claim to be out of cards the count belongs to."""
    count: CardCount = field(default_factory=CardCount)
    """What phones have said of this hand's payment."""
    plan: Mapping[str, str] = field(default_factory=dict)
    """For the next antes: seat -> `out` (sits out), or who lends, or `bank`."""
    requests: Mapping[str, str] = field(default_factory=dict)
    """What waits for somebody's yes, by the seat that asks, as the night's settings keep it."""
    waived: frozenset[str] = frozenset()
    """Questions of this hand's end that were answered with "nobody"."""
    is_last: bool = False
    at: str = ""
    """Which moment this is, as `start:number`: of two snapshots of one start, the lower number is older."""
    colours: Mapping[str, int] = field(default_factory=dict)
    """The colours that seats were given when somebody sat down there (see OWN_COLOURS)."""
    made: dict[Hashable, tuple[object, Any]] = field(default_factory=dict, repr=False)
    """What was made last, by name, with what it was made of; each snapshot of a night hands it to the next one."""

    @property
    def head(self) -> int:
        return len(self.entries)

    @cached_property
    def moment(self) -> Prompt:
        return prompt_of(self.night, self.out, self.plan, self.waived, is_last=self.is_last)

    @property
    def claimed_out(self) -> str | None:
        """Who is out of cards by what was said, while the others' cards are asked for; it is no entry yet."""
        return self.moment.winner if self.moment.name == "count" else None

    @cached_property
    def change(self) -> NewestChange | None:
        """What the sentence under the table is about."""
        return newest_change(self, self.claimed_out, self.withdrawn)

    def cached(self, name: Hashable, make: Callable[..., Made], *values: object) -> Made:
        """Return `make(*values)` as it was made last of the same values; two threads may both make it."""
        about = values or self.at
        known = self.made.get(name)
        if known is None or known[0] != about:
            known = self.made[name] = about, make(*values)
        found: Made = known[1]
        return found


@dataclass(frozen=True)
class SnapshotView:
    """What a page shows of a snapshot; each kind of game has a view of its own."""

    snapshot: NightSnapshot

    @property
    def night(self) -> Night:
        return self.snapshot.night

    @property
    def head(self) -> int:
        return self.snapshot.head


SNAPSHOTS: WeakKeyDictionary[OpenNight, tuple[int, NightSnapshot]] = WeakKeyDictionary()
_STORING = threading.Lock()


def snapshot_of(table: OpenNight) -> NightSnapshot:
    """Return a night as it stands now, the same object for all who look at the same moment."""
    version = table.version
    known = SNAPSHOTS.get(table)
    if known and known[0] == version:
        return known[1]
    # The snapshot is of `version` or newer; if newer, it is made again the next time.
    entries, undone, steps, night, draft = table.snapshot()
    plan = table.settings.plan.of_hand(night.hand)
    sources = {"out", BANK, *night.seats, *night.preset.board}
    snapshot = NightSnapshot(
        night=night,
        entries=entries,
        undone=undone,
        steps=steps,
        out=draft.winner,
        withdrawn=draft.withdrawn if draft.head == len(entries) else None,
        claim=draft.claim_id,
        count=CardCount(
            {seat: cards for seat, cards in draft.counts.items() if isinstance(cards, int)}, draft.cover, draft.excused
        ),
        plan={seat: source for seat, source in plan.items() if seat in ("dealer", *night.seats) and source in sources},
        requests=table.settings.requests.of_hand(night.hand),
        waived=frozenset(table.settings.waived.of_hand(night.hand)),
        is_last=table.settings.is_last_hand,
        at=f"{SERVER_START}{table.load_number:x}:{version}",
        colours=table.settings.colours.all(),
        made=known[1].made if known else {},
    )
    # Of two threads that made one of the same version, one may have read an entry more: parts of both, kept under one
    # moment, would never be told apart again.
    with _STORING:
        known = SNAPSHOTS.get(table)
        if known is None or known[0] < version:
            known = SNAPSHOTS[table] = version, snapshot
    return known[1]


def state_of(snapshot: NightSnapshot, name: str) -> dict[str, Any]:
    """Return the state as `replay --json` prints it, with `head` (how many events led there) and the prompt."""
    return {"head": snapshot.head, **summary(snapshot.night, name), "prompt": asdict(snapshot.moment)}


# The parts of its pages


Values = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Declared:
    """A part of a page, or several of one kind."""

    name: str
    """The id of its element."""
    macro: str
    """`file:name`. A `*` in the file stands for the first value, which the macro is not given."""
    values: Callable[[Any], Values | Mapping[str, Values] | None]
    """Returns the macro's arguments from what is seen; None where the page has no such part now.

    Of several parts the arguments by id.
    """


@dataclass(frozen=True, eq=False)
class PartGroup:
    """Parts that are looked at together."""

    parts: tuple[Declared, ...]
    facts: Callable[[Any], object] = lambda seen: seen.view.snapshot.at
    """Returns all that they depend on: none is looked at while it is the same. Else they are made once a snapshot."""
    audience: Callable[[Any], Hashable] = lambda _seen: None
    """Returns by what those are told apart who are shown different ones: nothing where everybody sees them alike."""


@dataclass(frozen=True, eq=False)
class PartTable:
    """All that changes on one kind of page, in groups; the first part of the last one is the frame of the others."""

    groups: Mapping[str, PartGroup]

    def page(self, seen: Any, without_buttons: Collection[str] = ()) -> Page:
        """Return the page of one viewer; in the groups without buttons nothing can be tapped."""
        groups = tuple([self.group(name, seen, has_buttons=name not in without_buttons) for name in self.groups])
        return Page(groups[-1][0].html, groups)

    def group(self, name: str, seen: Any, *, has_buttons: bool = True) -> tuple[Part, ...]:
        """Return the parts of a group, each the same object as before where it has the same arguments or HTML."""
        if not has_buttons:
            snapshot, parts = seen.view.snapshot, self.group(name, seen)
            found: tuple[Part, ...] = snapshot.cached((id(self), name, seen.language), without_buttons, *parts)
            return found
        group, snapshot = self.groups[name], seen.view.snapshot
        key, facts = (id(self), name, seen.language, group.audience(seen)), group.facts(seen)
        known = snapshot.made.get(key)
        if known is None or known[0] != facts:
            now = self._parts(snapshot, group, seen, known[1][0] if known else {})
            known = snapshot.made[key] = facts, (now, tuple([part for _, _, part in now.values()]))
        made: tuple[Part, ...] = known[1][1]
        return made

    def _parts(
        self, snapshot: NightSnapshot, group: PartGroup, seen: Any, last: Mapping[str, tuple[Declared, Values, Part]]
    ) -> Mapping[str, tuple[Declared, Values, Part]]:
        """Return parts by id, each with its arguments; `last` are those before."""
        now = {}
        for one in group.parts:
            values = one.values(seen)
            if values is None:
                continue
            for name, arguments in values.items() if isinstance(values, Mapping) else ((one.name, values),):
                known = last.get(name)
                if known is None or known[0] is not one or known[1] != arguments:
                    part = self._part(snapshot, one, name, arguments)
                    known = one, arguments, known[2] if known and known[2].html == part.html else part
                now[name] = known
        return now

    def _part(self, snapshot: NightSnapshot, one: Declared, name: str, arguments: Values) -> Part:
        """Return a part as somebody else sees it who has the same arguments, else render it."""
        shared: dict[Hashable, Part] = snapshot.cached((id(self), language(), "shared"), dict)
        found = shared.get((one, name, arguments))
        if found is None:
            macro = one.macro
            if "*" in macro:
                macro, given = macro.replace("*", str(arguments[0])), arguments[1:]
            else:
                given = arguments
            found = shared[one, name, arguments] = Part(name, str(macro_of(macro)(*given)))
        return found


def without_buttons(*parts: Part) -> tuple[Part, ...]:
    """Return the same elements for whoever may not tap them."""
    return tuple([part.without_button for part in parts])
