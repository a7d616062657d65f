"""Several clients at one night, over the JSON API: repeats, old heads, restarts, races.

Beside the server runs a log of what it has acknowledged, played by the pure core alone. After every step both are the
same. With `--long` the machine looks thirty times as often and longer.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from extras._shared.api_scripts import Answer, Script
from extras._shared.changed_texts import ODD, mutated
from hypothesis import Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from support.at_once import at_once
from support.client_phones import Site
from support.core_nights import EntryLog
from support.faults.fuzz_night import REFUSED, ROLES, SAID, FuzzNight, _scene_of
from support.faults.hostile_inputs import TEXTS, as_bytes
from support.of_extras import of_extras
from support.random_nights import every_preset, legal_event, random_event, some_value

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.errors import NeedsConsent, TableError
from tracker.core.events import KINDS, Event, Undo
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.core.queries import consent
from tracker.core.queries.summary import summary
from tracker.core.queries.undo_policy import own_newest
from tracker.formats.codec import amended, event_from, event_to
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.events.registry import kind_of

CHANCE = st.integers(0, 2**16).map(Random)
PRESETS = st.sampled_from([preset.id for preset in every_preset()])
SEATS = ("bob", "cara")


CONFLICTS = ("stale", "already-done")


@dataclass(frozen=True)
class Sent:
    """A request of a script, to be sent again as it was."""

    sender: str
    id: str
    event: dict[str, Any]
    if_match: int | None = None


class ReferenceLog:
    """What the server has acknowledged, played by the pure core alone: how everybody has to be answered next."""

    def __init__(self, preset: Preset, entries: list[Entry]) -> None:
        self.entries = entries
        self._steps, replayed = log.replay_accepted(preset, entries, amended)
        self.night = replayed.night

    def __len__(self) -> int:
        return len(self.entries)

    def status_for_script(self, sent: Sent) -> int:
        """Return the status that a script has to be answered with, and keep what is recorded by it."""
        if sent.sender in ("nobody", "knock", "watcher"):
            return 401 if sent.sender == "nobody" else 403
        try:
            event = event_from(sent.event)
            same = next((entry for entry in self.entries if entry.id == sent.id), None)
            if same and same.event == event:
                return 200
            if not self._is_allowed(sent.sender, event):
                return 403
        except TableError:
            return 422
        if same or (sent.if_match is not None and sent.if_match != len(self)):
            return 409
        return self._record(event, sent.id, sent.sender) or 201

    def _is_allowed(self, sender: str, event: Event) -> bool:
        undone = log.find(self.entries, event.event).number if isinstance(event, Undo) else None
        if sender == "host":
            return True
        if undone is not None:
            return self.own_newest(sender) == undone
        return kind_of(event, self.night).may_record(event, self.night, sender, is_open=False)

    def own_newest(self, seat: str) -> int | None:
        """Return the number of what a seat may take back."""
        newest = own_newest(EntryLog(self.entries), seat)
        return newest.number if newest else None

    def _record(self, event: Event, id: str | None, by: str) -> int:  # noqa: A002
        """Keep one more event; return 0, or the status of its refusal."""
        entry = Entry(len(self) + 1, event, id, by=by)
        try:
            if by != "host":  # whose script decides for everybody
                consent.check(self._steps, log.change(self.entries, entry, amended, self._steps), {by})
            self.night = log.record(self.entries, entry, amended, self._steps)
        except NeedsConsent:
            return 403
        except TableError as refusal:
            return 409 if refusal.code in CONFLICTS else 422
        self.entries.append(entry)
        return 0


class Clients(RuleBasedStateMachine):
    """A night on a real file with the scripts of a host, two seats and a watcher."""

    heard: ClassVar[Counter[int]] = Counter()
    """How often each status was answered, in all nights together."""

    @initialize(preset=PRESETS)
    def open(self, preset: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="clients-"))
        self.start()
        self.code = self.site.open_night(self.site.host(), "Ann", preset)
        for seat in SEATS:
            self.site.join(self.code, seat.capitalize())
        issue = self.site.script_token
        self.tokens: dict[str, str | None] = {seat: issue(self.code, "seat", seat=seat) for seat in SEATS}
        self.tokens |= {role: issue(self.code, role) for role in ("host", "watcher", "knock")}
        self.tokens["nobody"] = None
        self.acked = ReferenceLog(self.table.preset, list(self.table.entries))
        self.sent: list[Sent] = []
        self.keys = 0

    def start(self) -> None:
        """Open the file anew, as a server that starts does."""
        self.store, self.live = Store(self.folder / "nights.db"), StreamHub()
        self.site = Site(Nights(self.store, self.live))
        self.site.access.pace = PostRateLimit(burst=1_000_000)  # whose refusals the core knows nothing of

    def stop(self) -> None:
        self.live.stop()
        self.store.close()

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.stop()
            shutil.rmtree(self.folder)

    @property
    def table(self) -> OpenNight:
        return self.site.tables.get(self.code)

    # Scripts

    def script(self, person: str) -> Script:
        return Script(self.site.app, self.tokens[person], self.code)

    def send(self, sent: Sent) -> Answer:
        headers = {} if sent.if_match is None else {"If-Match": str(sent.if_match)}
        answer = self.script(sent.sender).record({**sent.event, "id": sent.id}, headers)
        self.heard[answer.status] += 1
        return answer

    def send_and_check(self, sent: Sent) -> None:
        head, expected = len(self.acked), self.acked.status_for_script(sent)
        answer = self.send(sent)
        assert answer.status == expected, (sent, answer)
        if expected >= 400:
            assert len(answer.json["sentence"]) > 10
            assert len(self.acked) == head
        self.sent = [*self.sent[-30:], sent]

    def new_id(self) -> str:
        self.keys += 1
        return f"made-{self.keys}"

    def some_event(self, chance: Random) -> dict[str, Any]:
        if self.acked.night.is_over or chance.random() < 0.3:
            return random_event(self.acked.night, chance)
        return event_to(legal_event(self.acked.night, chance, may_end=chance.random() < 0.1))

    @rule(chance=CHANCE, person=st.sampled_from(["host", "host", "bob", "cara", "watcher", "knock", "nobody"]))
    def record(self, chance: Random, person: str) -> None:
        self.send_and_check(Sent(person, self.new_id(), self.some_event(chance)))

    @rule(chance=CHANCE, behind=st.sampled_from([0, 0, 1, 3, -1]))
    def record_if_nothing_is_newer(self, chance: Random, behind: int) -> None:
        self.send_and_check(Sent("host", self.new_id(), self.some_event(chance), max(0, len(self.acked) - behind)))

    @precondition(lambda self: self.sent)
    @rule(chance=CHANCE)
    def repeat(self, chance: Random) -> None:
        """As whoever has not heard the answer does."""
        self.send_and_check(chance.choice(self.sent))

    @precondition(lambda self: self.sent)
    @rule(chance=CHANCE)
    def use_an_id_for_something_else(self, chance: Random) -> None:
        self.send_and_check(replace(chance.choice(self.sent), event=self.some_event(chance)))

    @rule(chance=CHANCE)
    def take_back(self, chance: Random) -> None:
        person = chance.choice(("host", "bob", "cara"))
        number = self.acked.own_newest(person) if chance.random() < 0.7 else None
        event = {"kind": "undo", "event": number or chance.randint(1, len(self.acked) + 1)}
        self.send_and_check(Sent(person, self.new_id(), event))

    @rule(chance=CHANCE)
    def send_one_id_at_the_same_time(self, chance: Random) -> None:
        sent = Sent("host", self.new_id(), self.some_event(chance))
        expected = self.acked.status_for_script(sent)
        heard = sorted(at_once([lambda: self.send(sent).status] * 3))
        assert heard == ([200, 200, 201] if expected == 201 else [expected] * 3), sent

    @rule(chance=CHANCE)
    def race_for_the_same_place_in_the_log(self, chance: Random) -> None:
        made = self.some_event(chance)
        racers = [Sent("host", self.new_id(), made, len(self.acked)) for _ in range(3)]
        heard = at_once([partial(self.send, sent) for sent in racers])
        first = next((sent for answer, sent in zip(heard, racers, strict=True) if answer.status == 201), racers[0])
        expected = self.acked.status_for_script(first)
        statuses = sorted(answer.status for answer in heard)
        assert statuses == ([201, 409, 409] if expected == 201 else [expected] * 3), made

    # The machine

    @rule()
    def restart(self) -> None:
        self.stop()
        self.start()

    @invariant()
    def the_night_is_what_was_acknowledged(self) -> None:
        state = {**summary(self.acked.night, self.table.name), "head": len(self.acked)}
        answers = [self.script(one).look().json for one in ("host", "watcher")]
        assert answers[0] == answers[1]
        assert {key: value for key, value in answers[0].items() if key != "prompt"} == state

    @invariant()
    def the_log_is_what_was_acknowledged(self) -> None:
        kept = [(entry.number, entry.event, entry.by) for entry in self.table.entries]
        assert kept == [(entry.number, entry.event, entry.by) for entry in self.acked.entries]
        assert self.store.head(self.code)[0] == len(self.acked)
        assert not self.store.faults()


def test_whatever_several_clients_do_the_night_is_what_was_acknowledged(
    short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    Clients.heard.clear()
    # A failing night is not made shorter: that takes many minutes, and its steps are printed anyway.
    looks = settings(
        max_examples=short_or_long(10, 400), stateful_step_count=short_or_long(25, 40), phases=[Phase.generate]
    )
    run_state_machine_as_test(Clients, settings=looks)
    heard = Clients.heard
    told = ", ".join(f"{heard[status]} x {status}" for status in sorted(heard))
    figure(f"clients of one night: {heard.total()} requests ({told}), 0 that the pure core answers otherwise")
    assert heard.keys() >= {200, 201, 409, 422}


# Every event sent wrong by a script, as every role: refused in a sentence, never half recorded, never a 500.


__all__ = ["_scene_of"]


@pytest.mark.parametrize(
    "scene_of", ["file", *(pytest.param(one, marks=pytest.mark.long) for one in of_extras("places"))], indirect=True
)
def test_no_field_of_any_event_does_more_than_be_refused(
    scene_of: Callable[[Random], Any], short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    cases, each = short_or_long(160, 5000), 40
    heard: Counter[int] = Counter()
    kinds = list(KINDS)
    for number in range(cases // each):
        chance = Random(number)
        with scene_of(chance) as scene:
            scripts = {role: script_of(scene, role) for role in ROLES}
            for at in range(each):
                kind, role = kinds[(number * each + at) % len(kinds)], chance.choice(("host",) * 6 + ROLES)
                heard[send_event(scene, scripts[role], kind, chance)] += 1
    figure(f"odd events: {heard.total()} over all {len(kinds)} kinds, {sorted(heard.items())}, 0 half recorded")
    assert {200, 201, 400, 401, 403, 409, 422} >= set(heard) - {413, 415}


def script_of(scene: FuzzNight, role: str) -> Script:
    seat = "bob" if role == "seat" else None
    token = None if role == "nobody" else scene.site.script_token(scene.code, role, seat=seat)
    return Script(scene.app, token, scene.code)


def send_event(scene: FuzzNight, script: Script, kind: str, chance: Random) -> int:
    """Send one event, and check that the log grew by what the answer says."""
    event = usual(scene, kind, chance)
    if chance.random() < 0.8:
        labels = {name: "x" for name in ("id", "at", "by") if chance.random() < 0.2}
        event = mutated({**event, **labels}, chance, (*ODD, *TEXTS))
    raw = as_bytes(event, chance)
    head, before = scene.table.head, scene.kept()
    answer = script.record(raw)
    case = (script, raw[:500], answer.status, answer.json.get("sentence"))
    grown = scene.table.head - head
    assert grown == (answer.status == 201), case
    if answer.status in (200, 201):
        assert answer.json["head"] == head + grown, case
    else:
        assert answer.status in REFUSED, case
        assert len(answer.json["sentence"]) >= SAID, case
        assert scene.kept() == before, case
    return answer.status


def usual(scene: FuzzNight, kind: str, chance: Random) -> dict[str, Any]:
    """Return an event of that kind that looks right, and often one that is."""
    night = scene.table.night
    if chance.random() < 0.3 and not night.is_over:
        return event_to(legal_event(night, chance, may_end=False))
    return {"kind": kind, **{one.name: some_value(one.name, night, chance) for one in fields(KINDS[kind])}}
