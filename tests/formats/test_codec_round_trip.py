"""Events, presets and nights survive the way out and in again; else they are refused in words, with true bounds."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from support.odd_values import LABELS, SEATS, SMALL, VALUES, expect_outcome, likely_events
from support.random_nights import every_preset
from support.transcripts import played, recorded

from tracker.core.apply import apply_new
from tracker.core.errors import BadEvent, PresetError, TableError
from tracker.core.events import KINDS, Out, Sit
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset_faults import faults
from tracker.core.queries.summary import summary
from tracker.formats.built_in import all_built_in
from tracker.formats.codec import (
    amended,
    entry_from,
    entry_to,
    event_from,
    event_to,
    preset_from,
    preset_from_toml,
    preset_to,
    preset_to_toml,
)
from tracker.formats.night_file import night_to
from tracker.web.wording.game_words import rule_value

PRESETS = st.sampled_from([preset.id for preset in all_built_in()])


@given(likely_events())
def test_an_event_that_is_read_is_written_as_it_was(raw: dict[str, Any]) -> None:
    entry = expect_outcome(lambda: entry_from(raw, 1), BadEvent)
    if isinstance(entry, BadEvent):
        assert entry.field in {*raw, *(one.name for one in fields(KINDS[raw["kind"]])), "kind"}
    else:
        assert entry_from(json.loads(json.dumps(entry_to(entry))), 1) == entry


def test_a_seat_without_chips_and_an_empty_answer_stay_what_they_are() -> None:
    for raw in (
        {"kind": "sit", "seat": "a", "name": "A", "chips": 0},
        {"kind": "out", "seat": "a", "cards": {}},
        {"kind": "count", "stacks": {}},
        {"kind": "count", "stacks": {"a": 0}},
        {"kind": "rummy", "seat": "a", "hands": {"b": 0, "c": {}}},
    ):
        if raw["kind"] in KINDS:
            assert event_to(event_from(raw)) == raw
    assert event_to(Out("a")) == {"kind": "out", "seat": "a"}
    labelled = Entry(1, Out("a"), "id-1", "2026-11-20T20:15:00Z", "ann")
    assert entry_from(entry_to(labelled), 1) == labelled


@given(VALUES | likely_events())
@example({"kind": "sit", "seat": "a", "name": "A", "\ud800": None})
@example({"kind": "amend", "event": 1, "change": {"\ud800": None}})
@example({"kind": []})
def test_any_json_is_an_event_or_a_bad_one(raw: Any) -> None:
    event = expect_outcome(lambda: event_from(raw), BadEvent)
    assert event.field is not None if isinstance(event, BadEvent) else event_to(event)["kind"] == raw["kind"]


# Presets

POT = st.fixed_dictionaries(
    {"id": SEATS, "name": st.text(max_size=5), "label": st.text(max_size=5)},
    optional={
        "won_by": st.sampled_from(["card", "out", "poker", "x"]),
        "cards": st.lists(st.sampled_from(["KH", "7", "", "x", "10H"])),
    },
)
PRESET = st.fixed_dictionaries(
    {
        "id": SEATS | st.just("x"),
        "name": st.text(max_size=70),
        "game": st.sampled_from(["pots", "rounds", "rum", "x"]),
        "seats": st.just({"min": 2, "max": 8}) | st.fixed_dictionaries({"min": SMALL, "max": SMALL}) | VALUES,
    },
    optional={
        "stack": SMALL,
        "pots": st.lists(POT, max_size=3) | VALUES,
        "rules": st.dictionaries(st.sampled_from(["ante.each", "end", "poker.when", "tie", "joker", "x"]), SMALL),
        "chips": st.lists(st.fixed_dictionaries({"name": SEATS, "colour": st.just("#C23B30") | SEATS, "value": SMALL})),
        "round_cards": st.lists(st.fixed_dictionaries({"number": SMALL, "goal": st.text(max_size=3), "points": SMALL})),
        "about": VALUES,
        "x": VALUES,
    },
)


@given(PRESET | VALUES)
def test_any_values_are_a_preset_that_can_be_played_or_none(raw: Any) -> None:
    preset = expect_outcome(lambda: preset_from(raw), PresetError)
    if isinstance(preset, PresetError):
        return
    assert faults(preset) == []
    assert preset_from(json.loads(json.dumps(preset_to(preset)))) == preset
    seated = [Entry(number, Sit(seat, seat)) for number, seat in enumerate(("x1", "x2"), start=1)]  # type: ignore[arg-type]
    for night in played(*recorded(night_to(preset_to(preset), {}, seated))):
        json.dumps(summary(night))


@given(st.text(max_size=300))
@example("a = " + "[" * 5000)
@example(".".join("a" * 4999) + "=1")
@example("a = 1979-05-27T07:32:00Z")
@example("x" * 10_001)
@example("id = " + "9" * 5000)
def test_any_text_is_a_preset_or_none(text: str) -> None:
    expect_outcome(lambda: preset_from_toml(text), PresetError)


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_built_in_preset_survives_toml_and_json(preset: Any) -> None:
    assert preset_from_toml(preset_to_toml(preset)) == preset
    assert preset_from(json.loads(json.dumps(preset_to(preset)))) == preset


def test_a_preset_as_large_as_may_be_goes_into_the_store_and_out(tables: Any) -> None:
    pots = [
        {"id": f"p{at}", "name": "🂡" * 60, "label": "🂡" * 20, "won_by": "out" if at else "card"} for at in range(16)
    ]
    raw = {"id": "big", "name": "B", "game": "pots", "seats": {"min": 2, "max": 8}, "pots": pots, "about": "🂡" * 1000}
    preset = preset_from(raw)
    code = tables.open(preset).code
    again = type(tables)(tables.store, tables.live).get(code)
    assert again.preset == preset
    assert json.loads(again.export())["preset"]["pots"] == preset_to(preset)["pots"]


def test_an_event_has_at_most_30_000_characters() -> None:
    most = 30_000 - len(json.dumps({"kind": "out", "seat": ""}))
    for length, sentence in ((most, "seat: "), (most + 1, "an event has at most 30,000 characters")):
        with pytest.raises(BadEvent) as refused:
            event_from({"kind": "out", "seat": "a" * length})
        assert str(refused.value).startswith(sentence)


# Corrections


@given(likely_events(), st.dictionaries(st.sampled_from(["seat", "chips", "name", "x", "kind"]), VALUES, max_size=2))
def test_any_change_gives_an_event_or_a_bad_one(raw: dict[str, Any], change: dict[str, Any]) -> None:
    event = expect_outcome(lambda: event_from({key: raw[key] for key in raw if key not in LABELS}), BadEvent)
    if not isinstance(event, BadEvent):
        after = expect_outcome(lambda: amended(event, change), BadEvent)
        assert isinstance(after, BadEvent) or event_from(event_to(after)) == after


# The bounds that a refusal names: of a house rule, on each way to change one, and of every number in a preset file


NUMBER = re.compile(r"from ([\d,]+) to ([\d,]+), not")


def test_the_limit_that_is_named_is_the_one_above_which_a_rule_is_refused() -> None:
    presets = {preset.game: preset for preset in all_built_in()}
    for game, rules in HOUSE_RULES.items():
        preset = presets[game]
        for key, rule in rules.items():
            if rule.choices or rule.names_pot:
                continue
            named = (str(rule.low), str(rule.high))
            for value in (rule.low - 1, rule.high + 1, 2_000_000, 10**39):
                with pytest.raises(TableError) as refused:
                    apply_new(Night(preset), event_from({"kind": "rule", "change": {key: value}}))
                assert NUMBER.findall(str(refused.value)) == [named], (game, key, value)
                with pytest.raises(PresetError) as in_file:
                    preset_from({**preset_to(preset), "rules": {key: value}})
                assert NUMBER.findall(str(in_file.value)) == [named], (game, key, value)
                assert rule_value(rule, str(value)) is None
            assert rule_value(rule, str(rule.high)) == rule.high
            high = replace(preset, rules={**preset.rules, key: rule.high})
            assert not [fault for fault in faults(high) if NUMBER.search(str(fault))]


def numbers(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path to each whole number in lists and objects."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from numbers(part, *path, key)


def refused_with(plain: Any, path: tuple[str | int, ...], value: int | None) -> str:
    """Return why a file is refused that has another value at a path; empty when it is not."""
    changed = json.loads(json.dumps(plain))
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    try:
        preset_from(changed)
    except PresetError as error:
        return str(error)
    return ""


def test_every_number_of_a_preset_file_is_refused_above_the_limit_that_is_named_and_taken_at_it() -> None:
    seen = set()
    for preset in every_preset():
        plain = preset_to(preset)
        for path in numbers({key: value for key, value in plain.items() if key != "rules"}):
            kind = tuple(key for key in path if isinstance(key, str))
            if kind in seen:
                continue
            seen.add(kind)
            (bounds,) = NUMBER.findall(refused_with(plain, path, 2_000_000))
            low, high = (int(number.replace(",", "")) for number in bounds)
            for value in (low - 1, high + 1, 10**39):
                assert NUMBER.findall(refused_with(plain, path, value)) == [bounds], (path, value)
            fault = refused_with(plain, path, high)
            assert not fault or kind == ("seats", "min"), (path, fault)
            assert kind[-1].endswith("ante") or "must be a whole number" in refused_with(plain, path, None), path
    some = {("pots", "ante"), ("pots", "dealer_ante"), ("dues", "chips"), ("seats", "max")}
    assert some < seen
