"""Every setting once, of a night and of the data folder: typed attributes over the cache of the table `setting`.

A record is JSON by the types of its fields (formats/records.py), which also reads what earlier versions stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Generic, NamedTuple, Self, TypeVar, overload

from tracker.core.log import Entry, Steps
from tracker.core.night import Deal
from tracker.core.queries.undo_policy import is_new_hand
from tracker.formats.records import Record
from tracker.formats.text import UNREADABLE
from tracker.storage import Store


@dataclass(frozen=True)
class HandState:
    """Which state of play a draft belongs to: it is worthless in any other."""

    hand: int
    """The number of the hand."""
    began: int = 0
    """The number of the entry by which it began: a hand that was taken back and dealt again is another one."""
    changed: int = 0
    """In pot games the number of the newest entry in force that changed the hand: chips lent or corrected do not."""


def hand_state(steps: Steps, entries: Sequence[Entry]) -> HandState:
    """Return the state of play that a night has reached, by its events in force and its whole log."""
    recent, hand = steps.of_last_hand(), steps.night.hand
    if not steps.night.preset.is_pot_game:  # a deal that was taken back is typed again from the log
        return HandState(hand, next((one.number for one in reversed(entries) if is_new_hand(one.event)), 0))
    if not recent:
        return HandState(hand)
    began = recent[1][0]
    newer = (
        number
        for (number, _, after), (_, _, before) in pairwise(reversed(recent[1:]))
        if before.deal is not after.deal and _as_played(before.deal) != _as_played(after.deal)
    )
    return HandState(hand, began, next(newer, began))


def _as_played(deal: Deal | None) -> Deal | None:
    """Return a hand without what it has won, which a correction of an earlier entry may change."""
    return deal and replace(deal, won={})


@dataclass(frozen=True)
class HandDraft:
    """What was typed of one hand's payment. It belongs to a state of play, and to one claim to be out of cards."""

    state: HandState
    claim: int = 0
    """How many times in this hand somebody was said to be out, or not to be: another claim has other numbers."""
    winner: str | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Each seat's number of cards left (or its hand, in the rum game)."""
    cover: Mapping[str, str] = field(default_factory=dict)
    """For payers with too few chips: who lends, `bank` to buy, or nothing to pay what is there. Of a score sheet's
    round: `pauses` or `plays`, where that was said."""
    excused: str | None = None
    """Who was said to pay nothing for cards left."""
    withdrawn: str | None = None
    """Who was said not to be out of cards after all, when the log had `head` events."""
    head: int = 0

    @property
    def claim_id(self) -> str:
        """The claim that a form was filled in for, as it names it."""
        return f"{self.state.hand}.{self.state.began}.{self.claim}"

    def at(self, state: HandState) -> HandDraft:
        """Return what is left of the draft in a state: of an earlier state of the same hand, who is out of cards."""
        if self.state == state:
            return self
        if (self.state.hand, self.state.began) == (state.hand, state.began):
            return HandDraft(state, self.claim, self.winner)
        return HandDraft(state)

    def claimed_by(self, winner: str | None, head: int) -> HandDraft:
        """Return the empty draft of another claim: numbers are never paid to anybody but for whom they were counted."""
        return HandDraft(self.state, self.claim + 1, winner, withdrawn=None if winner else self.winner, head=head)


T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound="Settings")


@dataclass(frozen=True)
class HandChoices:
    """What was chosen for one hand, by the seat or question it is about; ignored once another hand is dealt."""

    hand: int = -1
    chosen: Mapping[str, str] = field(default_factory=dict)

    def of_hand(self, hand: int) -> Mapping[str, str]:
        """Return what was chosen for this hand; nothing when it was chosen for another one."""
        return self.chosen if self.hand == hand else {}

    def changed(self, hand: int, changes: Mapping[str, str | None]) -> HandChoices:
        """Return the choices for this hand with some more; None removes one."""
        chosen = {**self.of_hand(hand), **changes}
        return HandChoices(hand, {name: choice for name, choice in chosen.items() if choice})


class Admission(NamedTuple):
    """The role and seat that a waiting device was admitted to."""

    role: str
    seat: str | None = None
    is_held: bool = False
    """Whether another phone held the seat, and it was given nevertheless."""
    until: int = 0
    """When the yes ends, in seconds since 1970."""
    sit: int = 0
    """The number of the event by which the seat's person had sat down; 0 for no seat."""


def _renamed(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a draft or choices as earlier versions stored them with the names of today."""
    if "said" in raw:
        state = {name: raw[name] for name in ("hand", "began", "changed") if name in raw}
        return {**raw, "state": state, "counts": raw["said"]}
    return {**raw, "chosen": raw["is"]} if "is" in raw else raw


class Settings:
    """The settings of one night, or (code None) of the data folder. Writing raises NotSaved when the disk failed."""

    def __init__(self, store: Store, code: str | None = None, on_change: Callable[[], None] = lambda: None) -> None:
        self.store, self._code, self._on_change = store, code, on_change

    def declared_by(self, kind: type[S]) -> S:
        """Return the same settings with those that another class declares."""
        return kind(self.store, self._code, self._on_change)

    def texts(self) -> Mapping[str, str]:
        return self.store.settings(self._code)

    def write(self, key: str, text: str | None) -> None:
        """Store a text, or delete it with None; one that is stored already is not written again."""
        if self.texts().get(key) != text:
            self.store.set_setting(self._code, key, text)
            self._on_change()

    def change(self, key: str, change: Callable[[str | None], str | None]) -> str | None:
        """Store what `change` makes of a text, in one transaction, and return it; None is one that is not stored."""
        text = self.store.change_setting(self._code, key, change)
        self._on_change()
        return text


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A setting under one key; unset or unreadable it has its default, and assigning the default deletes it."""

    key: str
    default: T
    read: Callable[[str], T]
    """Returns the value of a stored text; may raise any of UNREADABLE."""
    text: Callable[[Any], str] = str
    """Returns the text of a value other than the default."""

    @overload
    def __get__(self, settings: None, owner: type) -> Self: ...
    @overload
    def __get__(self, settings: Settings, owner: type) -> T: ...
    def __get__(self, settings: Settings | None, owner: type) -> Self | T:
        if settings is None:
            return self
        text = settings.texts().get(self.key)
        try:
            return self.default if text is None else self.read(text)
        except UNREADABLE:
            return self.default

    def __set__(self, settings: Settings, value: T) -> None:
        settings.write(self.key, None if value == self.default else self.text(value))


@dataclass
class SettingGroup(Generic[T]):
    """Settings of one type, each under a key that is the prefix and a name."""

    prefix: str
    read: Callable[[str], T]
    """Returns the value of a stored text; may raise any of UNREADABLE."""
    text: Callable[[T], str]
    settings: Settings = field(init=False)
    """Those that have it; the group of a class is only asked for its prefix and texts."""

    def __get__(self, settings: Settings | None, owner: type) -> Self:
        if settings is None:
            return self
        bound = copy(self)
        bound.settings = settings
        return bound

    def texts(self, values: Mapping[str, T]) -> dict[str, str]:
        return {self.prefix + name: self.text(value) for name, value in values.items()}

    def names(self) -> list[str]:
        """Return the names that have a value, also an unreadable one."""
        return [key.removeprefix(self.prefix) for key in self.settings.texts() if key.startswith(self.prefix)]

    def all(self) -> dict[str, T]:
        """Return every value that can be read, by its name."""
        texts = ((key, text) for key, text in self.settings.texts().items() if key.startswith(self.prefix))
        found = ((key.removeprefix(self.prefix), self._read(text)) for key, text in texts)
        return {name: value for name, value in found if value is not None}

    def get(self, name: str) -> T | None:
        """Return the value under a name; None when it is unset or unreadable."""
        return self._read(self.settings.texts().get(self.prefix + name))

    def _read(self, text: str | None) -> T | None:
        try:
            return None if text is None else self.read(text)
        except UNREADABLE:
            return None

    def _text(self, value: T | None) -> str | None:
        return None if value is None else self.text(value)

    def put(self, name: str, value: T | None) -> None:
        """Store a value under a name; None deletes it."""
        self.settings.write(self.prefix + name, self._text(value))

    def change(self, name: str, change: Callable[[T | None], T | None]) -> T | None:
        """Store what `change` makes of the value under a name, and return it, in one transaction: of two at once none
        is lost.

        Raises what `change` raises, with nothing stored.
        """
        text = self.settings.change(self.prefix + name, lambda text: self._text(change(self._read(text))))
        return self._read(text)


def _flag(key: str) -> Setting[bool]:
    return Setting(key, default=False, read=lambda text: text == "on", text=lambda _: "on")


def record(key: str, kind: type[R], default: T, *how: Any) -> Setting[R | T]:
    """Return a setting that is stored as a `Record` of a kind; `how` are its other arguments."""
    stored = Record(kind, *how)
    return Setting(key, default, stored.read, stored.text)


def records(prefix: str, kind: type[R], separator: str = " ") -> SettingGroup[R]:
    stored = Record(kind, separator)
    return SettingGroup(prefix, stored.read, stored.text)


TRUNCATION = "hurt"  # as in files that were repaired by earlier versions
"""The key of the setting that holds a truncated night's note."""


@dataclass(frozen=True)
class Truncation:
    """The note beside a night of a damaged data file, of which only the first events could be recovered."""

    events: int = 0
    """Number of events recovered; each was verified by its hash."""
    seen: int = 0
    """Number of events there must have been; no more than `events` when nothing shows how many."""
    aside: str = ""
    """The name of the damaged file's copy."""

    @classmethod
    def read(cls, text: str) -> Truncation:
        """Return what a note says; an unreadable one still says that the night was truncated."""
        try:
            raw = json.loads(text)
            return cls(int(raw["events"]), int(raw["seen"]), str(raw["aside"]))
        except UNREADABLE:
            return cls()

    def text(self) -> str:
        return json.dumps(vars(self))


ARCHIVED, DELETED = "archived", "deleted"
"""Where a night is put: out of the list of past nights; or out of all lists and statistics. Its log stays."""


class NightSettings(Settings):
    """The settings of a night."""

    put_away = Setting("put-away", "", str)
    """ARCHIVED, DELETED, or empty for a night that is listed."""
    has_begun = _flag("begun")
    """Whether the host has said that everyone is here, in a game in which no event begins the first round."""
    is_open_to_all = _flag("everyone")
    """Whether the host lets everyone record for everyone."""
    is_last_hand = _flag("last")
    """Whether this hand was announced to be the last."""
    starting_stack: Setting[int | None] = Setting("stack", None, int)
    """Chips that a person sits down with; None for the preset's."""
    plan = record("plan", HandChoices, HandChoices(), " ", _renamed)
    """For the next antes, by seat: `out` (sits out), or who lends, or `bank`; and under `dealer` who deals."""
    waived = record("waived", HandChoices, HandChoices(), " ", _renamed)
    """Questions of the hand's end that were answered with nobody."""
    requests = record("requests", HandChoices, HandChoices(), " ", _renamed)
    """By the seat that asks: an event that takes chips from others by agreement, and who has said yes to it."""
    draft = record("draft", HandDraft, None, " ", _renamed)
    """The cards left that phones have typed and nobody has recorded yet."""
    note = Setting("note", "", str)
    """A line that somebody wrote about the night: where it was, who cooked."""
    group = Setting("group", "", str)
    """The name of the group whose night it is: people who play together. Empty for none."""
    opening_key = Setting("opened-with", "", str)
    """The key of the form that opened the night: sent twice, the form opens one."""
    truncation: Setting[Truncation | None] = Setting(TRUNCATION, None, Truncation.read, Truncation.text)
    """How far the night was recovered from a damaged file; None if whole, or once the host accepted it."""
    admissions = records("let-in.", Admission, ":")
    """By the id of a waiting device: what it was admitted to."""
    colours = SettingGroup("colour.", int, str)
    """By seat: the colour that its person had at the night that was played before this one."""
    previous_night = Setting("previous-night", "", str)
    """The code of the night that the same people played before this one."""
    next_night = Setting("next-night", "", str)
    """The code of the night that the same people play after this one."""
    next_devices = SettingGroup("next-device.", int, str)
    """By the id of a device: the id of the one that its browser becomes at the next night."""


class FolderSettings(Settings):
    """The settings of the data folder."""

    host_name = Setting("host-name", "", str)
    """The name that the last host typed."""
    address = Setting("address", "", str)
    """The addresses of this machine that hosts have chosen for the QR code, without a port, the latest first."""
    invite_secret = Setting("invite-secret", "", str)
    """The key that join links are made with, in hex."""
    admissions = records("let-in.", Admission, ":")
    """By the id of a device that waits for the house to let it in: what it was admitted to."""

    def made_once(self, setting: Setting[str], make: Callable[[], str]) -> str:
        """Return a text that is made once, when it is first asked for. Raises NotSaved."""
        return setting.__get__(self, FolderSettings) or self.change(setting.key, lambda text: text or make()) or ""
