"""Every event sent wrong by a script, as every role: refused in a sentence, never half recorded, never a 500.

The kinds come from the codec, so a new one joins by itself. With `--long` five thousand cases.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

from support.api_scripts import Script
from support.faults.fuzz_night import REFUSED, ROLES, SAID, FuzzNight, _scene_of
from support.faults.hostile_inputs import TEXTS, as_bytes
from support.random_nights import legal_event, some_value

from tracker.core.events import KINDS
from tracker.formats.codec import event_to

__all__ = ["_scene_of"]

PLAIN = (None, True, False, 0, -1, 1, 1.5, 1e308, -0.0, 2**31, 2**63, 10**40, 1_000_001, ["ann", "ann"], [1] * 300)
BY_SEAT = ({"": ""}, {"ann": None}, {"ann": -1}, {"ann": 1.5}, {"ann": "1"}, {"\u202e": 1}, {"bank": 1}, {"ann": "ann"})
HANDS: tuple[Any, ...] = (
    {"cards": []},
    {"cards": ["XX"]},
    {"cards": "KH", "points": 3},
    {"ann": {"cards": ["KH", "KH"]}},
    {"kind": "end"},
)
ODD: tuple[Any, ...] = (*PLAIN, *BY_SEAT, *HANDS, [], {}, [None], [[]], {str(number): number for number in range(300)})


def deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def odd_value(chance: Random) -> Any:
    """Return a JSON value that hardly any field takes."""
    kind = chance.random()
    if kind < 0.45:
        return chance.choice(TEXTS)
    return chance.choice(ODD) if kind < 0.95 else deep(chance.choice((5, 29, 31, 60)))


def broken(event: dict[str, Any], names: list[str], chance: Random) -> dict[str, Any]:
    """Return an event with one or two things wrong: a field odd, missing, or one that no event has."""
    made = dict(event)
    for _ in range(chance.choice((1, 1, 2))):
        how = chance.random()
        name = chance.choice(names)
        if how < 0.75:
            made[name] = odd_value(chance)
        elif how < 0.88:
            made.pop(name, None)
        else:
            made[str(chance.choice(TEXTS))[:60]] = odd_value(chance)
    return made


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
    token = None if role == "nobody" else scene.site.access.devices.issue(scene.code, role, seat=seat)
    return Script(scene.app, token, scene.code)


def send_event(scene: FuzzNight, script: Script, kind: str, chance: Random) -> int:
    """Send one event, and check that the log grew by what the answer says."""
    event = usual(scene, kind, chance)
    names = ["kind", "id", "at", "by", *(one.name for one in fields(KINDS[kind]))]
    raw = as_bytes(broken(event, names, chance) if chance.random() < 0.8 else event, chance)
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
