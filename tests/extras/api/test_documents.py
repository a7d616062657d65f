"""Every example of docs/api.md and docs/night-file.md is run against a real server, and is as the page shows it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from support.client_phones import Site
from support.paths import ROOT
from support.polling import read_until
from support.routes import app_rules
from support.server_process import Command

from tracker.core.errors import TableError
from tracker.core.events import KINDS
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.preset import WON_BY, Preset
from tracker.extras.api.json_refusal import REASONS
from tracker.formats.built_in import built_in_ids

ANYTHING = "…"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: the language it is in, and its text."""

    language: str
    text: str


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page below docs/, in their order."""
    return [Block(*found) for found in _BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))]


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of every table row of a page below docs/."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


def run_commands(blocks: list[Block], folder: Path, data: Path, address: str) -> list[str]:
    """Run blocks of commands one after another in one shell, and return what each printed.

    `board-tracker` is this checkout's, with the nights of `data`. Fails where a command does.
    """
    programs = folder / "programs"
    programs.mkdir()
    tracker = programs / "board-tracker"
    tracker.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracker "$@" --data "{data}"\n', encoding="utf-8")
    tracker.chmod(0o755)
    (folder / ".curlrc").write_text("fail-with-body\n", encoding="utf-8")
    script = "set -eu\n" + "\necho; echo '=== block'\n".join(ends_by_itself(block.text) for block in blocks)
    places = {"CURL_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", address)],
        cwd=folder,
        env={**os.environ, **places, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return [said.strip() for said in done.stdout.split("=== block\n")]


def ends_by_itself(commands: str) -> str:
    """Return commands of which a curl that is cut off after some seconds counts as done."""
    return re.sub(r"^(curl [^\n]*--max-time[^\n]*)$", r"\1 || [ $? = 28 ]", commands, flags=re.MULTILINE)


def differences(shown: Any, real: Any, place: str = "") -> list[str]:
    """Return where a real answer is another one than the page shows; `…` stands for any text."""
    if shown == ANYTHING and isinstance(real, str):
        return []
    if isinstance(shown, Mapping) and isinstance(real, Mapping) and shown.keys() == real.keys():
        return [one for key in shown for one in differences(shown[key], real[key], f"{place}.{key}")]
    if isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        return [
            one for at, both in enumerate(zip(shown, real, strict=True)) for one in differences(*both, f"{place}[{at}]")
        ]
    return [] if shown == real else [f"{place}: {shown!r} is shown, {real!r} is answered"]


def test_every_command_answers_what_the_page_shows(command: Command, tmp_path: Path) -> None:
    if shutil.which("curl") is None and os.environ.get("CI") != "true":
        pytest.skip("no curl on this machine")
    blocks = blocks_of("api.md")
    commands = [block for block in blocks if block.language == "sh"]
    printed = iter(run_commands(commands, tmp_path, command.folder, command.here))
    compared, last = 0, ""
    for block in blocks:
        if block.language == "sh":
            last = next(printed)
        elif block.language == "json":
            assert differences(json.loads(block.text), json.loads(last)) == [], last
            compared += 1
        elif block.language:  # else it is what the tracker sends by itself
            assert re.fullmatch(pattern_of(block.text), last.partition("\n\nevent: beat")[0] + "\n"), last
            compared += 1
    assert compared > 8


def pattern_of(shown: str) -> str:
    """Return the pattern of a stream that is shown with some of its text left out."""
    return re.escape(shown).replace("…", ".*")


def test_the_page_names_every_address_field_phase_and_prompt(site: Site) -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    for rule in app_rules(site.app):
        if rule.rule.startswith("/api/"):
            ending = re.sub(r"<\w+>", "", rule.rule).rstrip("/").rpartition("/")[2]
            assert f"/{ending}" in page, rule.rule
    named = set(re.findall(r"`([^`]+)`", " ".join(row[0] for row in rows_of("api.md"))))
    schemas = json.loads((ROOT / "tracker/extras/api/openapi.json").read_text("utf-8"))["components"]["schemas"]
    assert schemas["State"]["properties"].keys() <= named
    assert set(schemas["TablePrompt"]["properties"]["name"]["enum"]) <= named
    assert all(f"`{phase}`" in page for phase in schemas["State"]["properties"]["phase"]["enum"])


def test_the_page_names_every_part_of_a_preset_and_every_way_to_win_a_pot() -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    parts = {one.name for one in fields(Preset)} | set(WON_BY)
    assert [one for one in sorted(parts) if f"`{one}`" not in page] == []


def test_the_page_names_every_reason_of_a_refusal() -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    reasons = {reason for reason, _ in REASONS.values()} | {one.reason for one in all_refusals(TableError)}
    assert [reason for reason in sorted(reasons) if f"`{reason}`" not in page] == []


def all_refusals(kind: type[TableError]) -> Iterator[type[TableError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from all_refusals(one)


# The words of the log

EXAMPLE_NIGHTS = [
    file
    for file in sorted((ROOT / "docs/examples/nights").glob("*.json"))
    if json.loads(file.read_text("utf-8"))["preset"] in built_in_ids()
]
"""Those of the games that are there."""


def kind_rows() -> list[tuple[str, list[str]]]:
    """Return each row of the page on the night file that describes a kind of event, with its kind."""
    rows = [row for row in rows_of("night-file.md") if len(row) == 4 and row[3].startswith('`{"kind"')]
    return [(row[0].strip("`"), row) for row in rows]


def test_every_night_of_the_examples_is_imported_by_a_running_server(command: Command) -> None:
    token = command.token()
    inline = [block.text for block in blocks_of("night-file.md")]
    assert inline
    for text in (*inline, *(file.read_text("utf-8") for file in EXAMPLE_NIGHTS)):
        night = json.loads(text)
        made = command.ask("/api/import", token, night)
        state = command.ask(made["code"], made["token"])
        assert state["head"] == len(night["events"])
        assert state["name"] == night.get("name", state["name"])


def test_every_kind_of_event_has_an_example_that_was_recorded_in_a_night() -> None:
    recorded = [event for file in EXAMPLE_NIGHTS for event in json.loads(file.read_text("utf-8"))["events"]]
    assert {kind for kind, _ in kind_rows()} >= KINDS.keys()  # the page has those of all games
    for kind, row in kind_rows():
        if kind not in KINDS:
            continue
        example = json.loads(row[3].strip("`"))
        assert example["kind"] == kind
        assert example in recorded, example


def test_the_page_says_which_fields_must_be_there() -> None:
    """A field with a question mark may be left out, and no other one."""
    for kind, event in KINDS.items():
        shown = " ".join(row[1] for one, row in kind_rows() if one == kind)
        for one in fields(event):
            must = one.default is MISSING and one.default_factory is MISSING
            is_said = f"`{one.name}{'' if must else '?'}`" in shown
            assert is_said or (kind, one.name) == ("no-sale", "cover"), (kind, one.name)


def test_the_page_names_every_house_rule_with_its_values() -> None:
    rows = {(row[0].strip("`"), row[1], row[2]) for row in rows_of("night-file.md") if len(row) == 4}
    for rules in HOUSE_RULES.values():
        for key, rule in rules.items():
            words = ", ".join(f"`{one}`" if isinstance(one, str) else str(one) for one in rule.choices)
            words += ", or the id of a pot" if rule.names_pot else ""
            assert (key, words or f"{rule.low:,} to {rule.high:,}", str(rule.default)) in rows


# The example program


def test_the_example_program_follows_a_night_to_its_end(command: Command) -> None:
    made = command.ask("/api/nights", command.token(), {"preset": "michigan-rummy", "name": "Followed"})
    program = [sys.executable, str(ROOT / "docs/examples/scoreboard.py"), command.here, made["code"], made["token"]]
    buffering = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(program, stdout=subprocess.PIPE, encoding="utf-8", env=buffering) as scoreboard:
        assert read_until(scoreboard, "\n") == "Followed, hand 0: ante\n"
        for seat, name in (("ann", "Ann"), ("bob", "Bob"), ("cara", "Cara")):
            command.ask(f"{made['code']}/events", made["token"], {"kind": "sit", "seat": seat, "name": name})
        for event in (
            {"kind": "hand", "dealer": "ann"},
            {"kind": "no-sale"},
            {"kind": "out", "seat": "bob", "cards": {"ann": 1, "cara": 2}},
            {"kind": "end"},
        ):
            command.ask(f"{made['code']}/events", made["token"], event)
        said, _ = scoreboard.communicate(timeout=60)
    last = said[said.rindex("Followed, hand 1: ended") :].splitlines()
    net = command.ask(made["code"], made["token"])["net"]
    assert [line.split() for line in last[1:]] == [
        [seat.capitalize(), f"{net[seat]:+}"] for seat in sorted(net, key=lambda one: net[one], reverse=True)
    ]
    assert scoreboard.returncode == 0


def test_the_example_program_says_why_it_may_not(command: Command) -> None:
    program = [sys.executable, str(ROOT / "docs/examples/scoreboard.py"), command.here, "nope00", "wrong"]
    done = subprocess.run(program, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 1
    assert "Authorization: Bearer TOKEN" in done.stderr


def test_the_example_program_says_how_it_is_used() -> None:
    program = [sys.executable, str(ROOT / "docs/examples/scoreboard.py")]
    done = subprocess.run(program, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 1
    assert "python scoreboard.py http://127.0.0.1:8000 CODE TOKEN" in done.stderr.splitlines()[-1]
