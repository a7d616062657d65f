"""Every example of docs/api.md and docs/night-file.md is run against a real server, and is as the page shows it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from extras._shared.api_scripts import Answer, Script, with_command_token
from support.client_phones import Site
from support.paths import ROOT, night_files
from support.polling import read_until
from support.routes import app_rules, page_rules
from support.server_process import Command
from support.transcripts import VARIETIES, expected_state

from tracker import __version__
from tracker.app.nights import Nights
from tracker.core.errors import BadEvent, TableError
from tracker.core.events import KINDS
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.pot_game import OFFENCES
from tracker.core.preset import SUITS, WON_BY, Preset
from tracker.extras._people import people_of
from tracker.extras.api.json_refusal import REASONS
from tracker.formats.built_in import built_in_ids
from tracker.formats.codec import LONGEST, LONGEST_LABELS, RANGES, entry_from
from tracker.web.access.roles import ANYONE

ANYTHING = "…"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of a page below docs/, in their order: the language of each, and its text."""
    return _BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of every table row of a page below docs/."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


def run_commands(blocks: list[str], folder: Path, data: Path, address: str) -> list[str]:
    """Run blocks of commands one after another in one shell, and return what each printed.

    `board-tracker` is this checkout's, with the nights of `data`. Fails where a command does; a curl that is cut off
    after some seconds counts as done.
    """
    tracker = folder / "programs" / "board-tracker"
    tracker.parent.mkdir()
    tracker.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracker "$@" --data "{data}"\n', encoding="utf-8")
    tracker.chmod(0o755)
    (folder / ".curlrc").write_text("fail-with-body\n", encoding="utf-8")
    script = "set -eu\n" + "\necho; echo '=== block'\n".join(blocks)
    script = re.sub(r"^(curl [^\n]*--max-time[^\n]*)$", r"\1 || [ $? = 28 ]", script, flags=re.MULTILINE)
    path = os.pathsep.join([str(tracker.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", address)],
        cwd=folder,
        env={**os.environ, "CURL_HOME": str(folder), "PYTHONPATH": str(ROOT), "PATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return [said.strip() for said in done.stdout.split("=== block\n")]


def as_shown(real: Any, shown: Any) -> Any:
    """Return a real answer with `…` for each text that a page leaves out."""
    if isinstance(real, dict) and isinstance(shown, dict):
        return {key: as_shown(value, shown.get(key)) for key, value in real.items()}
    if isinstance(real, list) and isinstance(shown, list):
        return [as_shown(*both) for both in zip_longest(real, shown)]
    return shown if shown == ANYTHING and isinstance(real, str) else real


def test_every_command_answers_what_the_page_shows(command: Command, tmp_path: Path) -> None:
    if shutil.which("curl") is None and os.environ.get("CI") != "true":
        pytest.skip("no curl on this machine")
    blocks = blocks_of("api.md")
    commands = [text for language, text in blocks if language == "sh"]
    printed = iter(run_commands(commands, tmp_path, command.folder, command.here))
    compared, last = 0, ""
    for language, text in blocks:
        if language == "sh":
            last = next(printed)
        elif language == "json":
            shown = json.loads(text)
            assert as_shown(json.loads(last), shown) == shown
            compared += 1
        elif language:  # else it is what the tracker sends by itself
            pattern = re.escape(text).replace(ANYTHING, ".*")
            assert re.fullmatch(pattern, last.partition("\n\nevent: beat")[0] + "\n"), last
            compared += 1
    assert compared > 8


def test_the_page_names_every_address_field_phase_prompt_part_of_a_preset_and_reason_of_a_refusal(site: Site) -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    for rule in app_rules(site.app):
        if rule.rule.startswith("/api/"):
            ending = re.sub(r"<\w+>", "", rule.rule).rstrip("/").rpartition("/")[2]
            assert f"/{ending}" in page, rule.rule
    named = set(re.findall(r"`([^`]+)`", " ".join(row[0] for row in rows_of("api.md"))))
    schemas = json.loads((ROOT / "tracker/extras/api/openapi.json").read_text("utf-8"))["components"]["schemas"]
    assert schemas["State"]["properties"].keys() <= named
    assert set(schemas["TablePrompt"]["properties"]["name"]["enum"]) <= named
    others = {*schemas["State"]["properties"]["phase"]["enum"], *(one.name for one in fields(Preset)), *WON_BY}
    others |= {reason for reason, _ in REASONS.values()} | {one.reason for one in all_refusals(TableError)}
    assert [one for one in sorted(others) if f"`{one}`" not in page] == []


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


def test_every_night_of_the_examples_is_imported_by_a_running_server(command: Command) -> None:
    token = command.own_token
    inline = [text for _, text in blocks_of("night-file.md")]
    assert inline
    for text in (*inline, *(file.read_text("utf-8") for file in EXAMPLE_NIGHTS)):
        night = json.loads(text)
        made = command.ask("/api/import", token, night)
        state = command.ask(made["code"], made["token"])
        assert state["head"] == len(night["events"])
        assert state["name"] == night.get("name", state["name"])


def test_every_kind_of_event_has_an_example_that_was_recorded_in_a_night_and_says_which_fields_must_be_there() -> None:
    """A field with a question mark may be left out, and no other one."""
    recorded = [event for file in EXAMPLE_NIGHTS for event in json.loads(file.read_text("utf-8"))["events"]]
    rows = [row for row in rows_of("night-file.md") if len(row) == 4 and row[3].startswith('`{"kind"')]
    assert {row[0].strip("`") for row in rows} >= KINDS.keys()  # the page has those of all games
    for kind, event in KINDS.items():
        of_kind = [row for row in rows if row[0].strip("`") == kind]
        for example in (json.loads(row[3].strip("`")) for row in of_kind):
            assert example["kind"] == kind
            assert example in recorded, example
        shown = " ".join(row[1] for row in of_kind)
        for one in fields(event):
            is_said = f"`{one.name}{'' if is_needed(one) else '?'}`" in shown
            assert is_said or (kind, one.name) == ("no-sale", "cover"), (kind, one.name)


def is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def test_the_page_names_every_house_rule_with_its_values() -> None:
    rows = {(row[0].strip("`"), row[1], row[2]) for row in rows_of("night-file.md") if len(row) == 4}
    for rules in HOUSE_RULES.values():
        for key, rule in rules.items():
            words = ", ".join(f"`{one}`" if isinstance(one, str) else str(one) for one in rule.choices)
            words += ", or the id of a pot" if rule.names_pot else ""
            assert (key, words or f"{rule.low:,} to {rule.high:,}", str(rule.default)) in rows


# The example program


def test_the_example_program_follows_a_night_to_its_end_or_says_why_not_and_how_it_is_used(command: Command) -> None:
    made = command.ask("/api/nights", command.own_token, {"preset": "michigan-rummy", "name": "Followed"})
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
    usage = "python scoreboard.py http://127.0.0.1:8000 CODE TOKEN"
    for words, said in (((command.here, "nope00", "wrong"), "Authorization: Bearer TOKEN"), ((), usage)):
        done = subprocess.run([*program[:2], *words], capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert done.returncode == 1
        assert said in done.stderr.splitlines()[-1]


# The OpenAPI description says what the API really takes and answers.


jsonschema = pytest.importorskip("jsonschema", reason="it is in requirements-test.lock")

FILES = EXAMPLE_NIGHTS + night_files()
EVENTS = [event for file in FILES for event in json.loads(file.read_text("utf-8"))["events"]]


class CheckedApi:
    """Sends requests as a script and holds every request and answer against the description."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.document = with_command_token(site).get("/api/openapi.json").json
        self.answered: Counter[tuple[str, str, int]] = Counter()
        self._validators = dict[str, Any]()

    def validator(self, schema: Any) -> Any:
        """Return what checks values against a part of the description, which is made once."""
        key = json.dumps(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.document["components"]}
            self._validators[key] = jsonschema.Draft202012Validator(whole)
        return self._validators[key]

    def component(self, name: str) -> Any:
        return self.validator({"$ref": f"#/components/schemas/{name}"})

    def response(self, operation: Any, status: int) -> Any:
        """Return what an address answers with this status; a refusal that many share is described once."""
        found = operation["responses"][str(status)]
        return self.document["components"]["responses"][str(status)] if "$ref" in found else found

    def send(self, script: Script, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request, and check its answer."""
        rule, _ = self.site.app.url_map.bind("here").match(path.partition("?")[0], method, return_rule=True)
        described = rule.rule.replace("<", "{").replace(">", "}")
        operation = self.document["paths"][described][method.lower()]
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = script.post(path, body, sent) if method == "POST" else script.get(path, sent)
        if answer.status < 300 and body is not None:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            self.validator(schema).validate(json.loads(body) if isinstance(body, bytes) else body)
        content = self.response(operation, answer.status).get("content")
        if content:
            self.validator(content["application/json"]["schema"]).validate(answer.json)
        self.answered[described, method.lower(), answer.status] += 1
        return answer


@pytest.fixture(name="api")
def _api(site: Site) -> CheckedApi:
    return CheckedApi(site)


def test_the_description_is_for_everybody_and_names_every_address_of_the_api(site: Site, api: CheckedApi) -> None:
    assert Script(site.app, None).get("/api/openapi.json").json == api.document
    assert (api.document["openapi"], api.document["info"]["version"]) == ("3.1.0", __version__)
    for schema in api.document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    described = {
        (path.replace("{", "<").replace("}", ">"), method, operation["operationId"])
        for path, operations in api.document["paths"].items()
        for method, operation in operations.items()
    }
    assert described == {
        (rule.rule, method.lower(), rule.endpoint.replace(".", "-"))
        for rule in app_rules(site.app)
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) & {"GET", "POST"}
    }


def test_every_address_says_who_may_use_it_and_how_it_refuses(site: Site, api: CheckedApi) -> None:
    words = {"watcher": "a watcher", "seat": "a seat", "host": "the night's host"}
    for rule in app_rules(site.app):
        if not rule.rule.startswith("/api/"):
            continue
        path = api.document["paths"][rule.rule.replace("<", "{").replace(">", "}")]
        method = "post" if "POST" in (rule.methods or set()) else "get"
        operation, roles = path[method], page_rules(site.app, rule.endpoint).roles
        assert operation["summary"]
        in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
        assert in_path == rule.arguments, rule.rule
        assert (operation.get("security") == []) == (roles == ANYONE), rule.rule
        if roles != ANYONE:
            assert "`board-tracker token`" in operation["description"]
            named = {role for role, said in words.items() if said in operation["description"]}
            assert named == (roles if "code" in rule.arguments else set()), rule.rule
        assert ("requestBody" in operation) == (method == "post"), rule.rule
        refused = {400, 429, 500, 503} | ({404} if rule.arguments else set())
        refused |= {401, 403} if roles != ANYONE else set()
        refused |= {413, 415} if method == "post" else set()
        assert refused <= set(map(int, operation["responses"])), rule.rule
    for status, answer in api.document["components"]["responses"].items():
        if int(status) in REASONS:
            assert answer["description"] == REASONS[int(status)][1]


def test_every_answer_is_as_described(site: Site, api: CheckedApi) -> None:
    for file in VARIETIES:
        play_and_read(api, file)
    read_and_import(api)
    promised = {
        (path, method, int(status))
        for path, operations in api.document["paths"].items()
        for method, operation in operations.items()
        for status in operation["responses"]
        if int(status) < 400 and not path.endswith("/stream")
    }
    assert promised - api.answered.keys() == set()
    refused = {status for _, _, status in api.answered if status >= 400}
    assert refused >= {400, 401, 403, 404, 409, 413, 415, 422}
    assert site.tables.nights()


def play_and_read(api: CheckedApi, file: Path) -> None:
    """Play a transcript to the end that it says, and bring its file in as another night."""
    raw, expected = json.loads(file.read_text("utf-8")), expected_state(file)
    command, tables = with_command_token(api.site), api.site.tables
    opening = {"preset": raw["preset"], "options": raw.get("options", {}), "id": f"night-{len(tables.nights())}"}
    made = api.send(command, "POST", "/api/nights", opening)
    assert api.send(command, "POST", "/api/nights", opening).status == 200
    host = Script(api.site.app, made.json["token"], made.json["code"])
    path = f"/api/nights/{host.code}"
    for number, event in enumerate(raw["events"], start=1):
        answer = api.send(host, "POST", f"{path}/events", {**event, "id": f"e{number}"})
        if number == expected.get("refused"):
            assert answer.status == 422, file
            break
        assert (answer.status, answer.json["head"]) == (201, number), file
    else:
        state = api.send(host, "GET", path)
        assert {key: state.json[key] for key in expected} == expected, file
        assert api.send(host, "GET", path, If_None_Match=state.headers["ETag"]).status == 304
    assert api.send(host, "POST", f"{path}/events", {**raw["events"][0], "id": "e1"}).status == 200
    copy = command.post("/api/import", api.send(host, "GET", f"{path}/file").json)
    assert tables.get(copy.json["code"]).entries == tables.get(host.code).entries, file
    assert Nights(tables.store, tables.live).get(host.code).night == tables.get(host.code).night, file


def read_and_import(api: CheckedApi) -> None:
    """Use every address that is not one of a running night, and be refused in every way that can be."""
    command, nobody = with_command_token(api.site), Script(api.site.app, None)
    text = FILES[0].read_bytes()
    made = api.send(command, "POST", "/api/import?id=once", text)
    assert api.send(command, "POST", "/api/import?id=once", text).status == 200
    host = Script(api.site.app, made.json["token"], made.json["code"])
    night = f"/api/nights/{host.code}"
    seat = api.site.tables.get(host.code).night.seats[0]
    ann = Script(host.app, api.send(host, "POST", f"{night}/seats", {"seat": seat}).json["token"], host.code)
    people_of(api.site.tables).add("Ann", [(host.code, seat)])
    for path in ("nights?limit=2", "nights", "people", "presets", "presets/poch", "openapi.json"):
        api.send(command, "GET", f"/api/{path}")
    api.send(nobody, "GET", night)
    api.send(ann, "POST", f"{night}/seats", {"seat": seat})
    api.send(command, "GET", "/api/nights/nope00")
    api.send(command, "GET", "/api/nights?limit=x")
    api.send(command, "POST", "/api/nights", {"preset": "chess"})
    api.send(host, "POST", f"{night}/events", {"kind": "undo", "event": 1}, If_Match="0")
    api.send(host, "POST", f"{night}/events", b"{" + b" " * 20_000)
    api.send(host, "POST", f"{night}/events", {"kind": "end"}, Content_Type="text/plain")


# Events


def readable(event: Any) -> bool:
    try:
        entry_from(event, 1)
    except BadEvent:
        return False
    return True


WHOLE = {kind: max((event for event in EVENTS if event["kind"] == kind), key=len) for kind in KINDS}
"""Of each kind an event with as many fields as any has."""


def test_worked_nights_what_must_be_there_and_of_which_type_are_described_as_the_reader_has_it(api: CheckedApi) -> None:
    for event in EVENTS:
        api.component(f"Event-{event['kind']}").validate(event)
    of_penalty = api.document["components"]["schemas"]["Event-penalty"]["properties"]
    assert of_penalty["offence"]["enum"] == [*OFFENCES, "false-rummy", "unused-purchase"]
    assert of_penalty["suit"]["enum"] == list(SUITS)
    any_event = api.component("Event")
    for kind, whole in WHOLE.items():
        described = api.component(f"Event-{kind}")
        assert any_event.is_valid(whole), kind
        for one in fields(KINDS[kind]):
            less = {name: value for name, value in whole.items() if name != one.name}
            assert readable(less) == described.is_valid(less) == (not is_needed(one)), (kind, one.name)
            for value in (True, -2_000_000, 10**13, 1.5, [[1]], {"a": {"b": 1.5}}):
                odd = {**whole, one.name: value}
                assert readable(odd) or not described.is_valid(odd), (kind, one.name, value)
        for odd in ({**whole, "odd": 1}, {**whole, "kind": "odd"}, {**whole, "id": ""}, {**whole, "id": 5}):
            assert not readable(odd), odd
            assert not any_event.is_valid(odd), odd


def test_a_number_or_text_at_and_beyond_its_bound_is_taken_and_refused_by_both(api: CheckedApi) -> None:
    numbers = {edge for low, high in RANGES.values() for edge in (low - 1, low, high, high + 1)}
    texts = ["é" * (longest + more) for longest in (*LONGEST.values(), *LONGEST_LABELS.values()) for more in (0, 1)]
    for kind, whole in WHOLE.items():
        for name, schema in api.document["components"]["schemas"][f"Event-{kind}"]["properties"].items():
            if name == "at" or "enum" in schema:
                continue  # a moment and a word are known by more than their length
            for value in (*sorted(numbers), *texts):
                odd = {**whole, name: value}
                assert api.component(f"Event-{kind}").is_valid(odd) == readable(odd), (kind, name, value)
