"""A night of the pure core, recorded event by event: what the tests of the rules are written with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pytest
from support.random_nights import every_preset

from tracker.core import log
from tracker.core.errors import NoLongerFits, TableError
from tracker.core.events import Event
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended, entry_from


class CoreNight:
    """A night with people at its seats; `record` applies an event, `refusal` returns the error of a refused one."""

    def __init__(
        self,
        preset: str | Preset,
        seats: Iterable[str] = "abcd",
        chips: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        base = built_in(preset) if isinstance(preset, str) else preset
        self.preset = base.with_options(options or {})
        self.night = Night(self.preset)
        self.entries: list[Entry] = []
        self.steps = log.Steps(self.preset)
        for seat in seats:
            self.record("sit", seat=seat, name=seat.upper(), **({} if chips is None else {"chips": chips}))

    def record(self, kind: str, **fields: Any) -> Self:
        entry = entry_from({"kind": kind, **fields}, len(self.entries) + 1)
        self.night = log.record(self.entries, entry, amended, self.steps)
        self.entries.append(entry)
        return self

    def preview(self, event: Event) -> Night:
        """Return the state after an event that is not recorded."""
        change = log.change(self.entries, Entry(len(self.entries) + 1, event), amended, self.steps)
        return change.night(self.steps)

    def refusal(self, kind: str, **fields: Any) -> TableError:
        """Return the refusal, after making sure that it is a sentence and that it changed nothing."""
        before = self.night
        with pytest.raises(TableError) as caught:
            self.record(kind, **fields)
        assert self.night == before
        assert len(str(caught.value)) > 10
        assert not re.search(r"\{\w+(!r)?\}", str(caught.value))
        return caught.value

    def opened_with(self, kind: str, reason: str = "not-allowed", **fields: Any) -> Self:
        """Open the night from a stored log that ends in an event which is refused as a new one, for that reason."""
        assert self.refusal(kind, **fields).code == reason
        self.entries.append(entry_from({"kind": kind, **fields}, len(self.entries) + 1))
        self.steps, opened = log.replay_accepted(self.preset, self.entries, amended)
        assert opened.failure is None
        self.night = opened.night
        return self

    def hand(self, dealer: str = "a", **fields: Any) -> Self:
        """Put in the antes and leave the dummy hand dead, if there is one."""
        self.record("hand", dealer=dealer, **fields)
        return self.record("no-sale") if self.night.phase == "dummy" else self

    def out(self, seat: str, **cards: int) -> Self:
        """Have a seat go out while the others hold so many cards; nobody is asked where none are given."""
        return self.record("out", seat=seat, **({"cards": cards} if cards else {}))

    def collect(self, seat: str, pot: str) -> Self:
        return self.record("collect", seat=seat, pot=pot)

    def withholds(self, seat: str, suit: str, **cover: Any) -> Self:
        """Note that a seat did not play a card of that suit when it had to."""
        return self.record("penalty", seat=seat, offence="withheld-card", suit=suit, **cover)

    def leads_wrongly(self, seat: str) -> Self:
        return self.record("penalty", seat=seat, offence="wrong-lead")

    def undo(self, event: int | str | None = None) -> Self:
        """Take an event back, by its number or id; the newest one where none is named."""
        return self.record("undo", event=len(self.entries) if event is None else event)

    def amend(self, event: int | str, **change: Any) -> Self:
        return self.record("amend", event=event, change=change)

    def moves(self, source: str, **chips: int) -> Self:
        """Correct by hand: so many chips from `source` to each account; `_` stands for the `-` of a pot's id."""
        for target, count in chips.items():
            self.record("move", source=source, target=target.replace("_", "-"), chips=count)
        return self

    def number(self, kind: str) -> int:
        """Return the number of the last event of that kind."""
        return max(entry.number for entry in self.entries if entry.event.kind == kind)

    @property
    def stacks(self) -> dict[str, int]:
        return {seat: self.night.stack(seat) for seat in self.night.all_seats}

    @property
    def pots(self) -> dict[str, int]:
        return {pot: self.night.pot(pot) for pot in self.preset.board}

    @property
    def board(self) -> int:
        return sum(self.pots.values())

    @property
    def notes(self) -> dict[tuple[str, str], int]:
        return dict(self.night.ledger.iou)

    @property
    def nets(self) -> dict[str, int]:
        return {seat: self.night.net(seat) for seat in self.night.all_seats}

    @property
    def worths(self) -> dict[str, int]:
        return {seat: self.night.worth(seat) for seat in self.night.all_seats}

    @property
    def scores(self) -> dict[str, int]:
        return dict(self.night.points)

    @property
    def winners(self) -> list[str]:
        told: list[str] = summary(self.night)["winners"]
        return told

    @property
    def last(self) -> list[tuple[str, str, int]]:
        """What the last event moved."""
        return [(one.source, one.target, one.chips) for one in self.night.last_transfers]


def first_refused(refusal: TableError) -> int:
    """Return the number of the first event that no longer fits after a correction, which the refusal names."""
    assert isinstance(refusal, NoLongerFits)
    assert f"event {refusal.number} " in str(refusal)
    return refusal.number


def rummy(seats: Iterable[str] = "abcd", chips: int | None = None, **options: Any) -> CoreNight:
    """Return a night of Michigan Rummy; `__` stands for the dot in an option's key: `poker__when="off"`."""
    return CoreNight("michigan-rummy", seats, chips, keys_of(options))


def rummy_at(phase: str) -> CoreNight:
    """Return a night of Michigan Rummy for three: in its lobby, its first dummy, play or showdown, or ended."""
    night = rummy("abc")
    if phase in ("dummy", "play", "showdown"):
        night.record("hand", dealer="a")
    if phase in ("play", "showdown"):
        night.record("no-sale")
    if phase == "showdown":
        night.out("a", b=1, c=1)
    return night.record("end") if phase == "ended" else night


def kitty(seats: Iterable[str] = "pqrs", chips: int | None = None, **options: Any) -> CoreNight:
    return CoreNight("michigan-kitty", seats, chips, keys_of(options))


def board(preset_id: str, seats: Iterable[str] = "abcd", chips: int | None = None, **options: Any) -> CoreNight:
    """Return a night on any of the boards that come with the tracker."""
    found = next(preset for preset in every_preset() if preset.id == preset_id)
    return CoreNight(found, seats, chips, keys_of(options))


def keys_of(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("__", "."): value for key, value in options.items()}


def with_two_given_up() -> CoreNight:
    """Return a night of five hands: Quin is out in three, and the second and the fourth were given up."""
    night = kitty("pqr")
    for dealer, is_given_up in zip("pqrpq", (False, True, False, True, False), strict=True):
        night.record("hand", dealer=dealer)
        night.record("no-sale")
        if is_given_up:
            night.collect("p", "king-hearts").record("abandon")
        else:
            night.out("q", **dict.fromkeys("pr", 1))
    return night.record("end")


@dataclass(frozen=True)
class EntryLog:
    """A list of entries, and which of them were taken back."""

    entries: Sequence[Entry]

    @property
    def undone(self) -> Mapping[int, int]:
        return log.find_undone(self.entries)
