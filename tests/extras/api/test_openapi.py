"""The OpenAPI description says what the API really takes and answers."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest
from support.api_scripts import Answer, Script, with_command_token
from support.client_phones import HOST, Site
from support.paths import ROOT, night_files
from support.routes import app_rules, page_rules
from support.transcripts import VARIETIES

from tracker import __version__
from tracker.core.cards import SUITS
from tracker.core.errors import BadEvent
from tracker.core.events import KINDS
from tracker.core.pot_game import OFFENCES
from tracker.extras.api.json_refusal import REASONS
from tracker.formats.built_in import built_in_ids
from tracker.formats.codec import LONGEST, LONGEST_LABELS, RANGES, entry_from
from tracker.web.access.roles import ANYONE

jsonschema = pytest.importorskip("jsonschema", reason="it is in requirements-test.lock")

_EXAMPLES = sorted((ROOT / "docs/examples/nights").glob("*.json"))
FILES = [file for file in _EXAMPLES if json.loads(file.read_text("utf-8"))["preset"] in built_in_ids()] + night_files()
EVENTS = [event for file in FILES for event in json.loads(file.read_text("utf-8"))["events"]]


class CheckedApi:
    """Sends requests as a script and holds every request and answer against the description."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.document = with_command_token(site).get("/api/openapi.json").json
        self.answered: Counter[tuple[str, str, int]] = Counter()

    def is_valid(self, value: Any, schema: Any) -> bool:
        return bool(self.validator(schema).is_valid(value))

    def validator(self, schema: Any) -> Any:
        return jsonschema.Draft202012Validator({**schema, "components": self.document["components"]})

    def component(self, name: str) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/{name}"}

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
    assert api.document["openapi"] == "3.1.0"
    assert api.document["info"]["version"] == __version__
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
        play_and_read(api, json.loads(file.read_text("utf-8")))
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


def play_and_read(api: CheckedApi, raw: dict[str, Any]) -> None:
    """Play a transcript and read the state after each event."""
    command = with_command_token(api.site)
    opening = {"preset": raw["preset"], "options": raw.get("options", {}), "id": f"night-{len(api.answered)}"}
    made = api.send(command, "POST", "/api/nights", opening)
    assert api.send(command, "POST", "/api/nights", opening).status == 200
    host = Script(api.site.app, made.json["token"], made.json["code"])
    for number, event in enumerate(raw["events"], start=1):
        path = f"/api/nights/{host.code}"
        if api.send(host, "POST", f"{path}/events", {**event, "id": f"e{number}"}).status == 422:
            break
        state = api.send(host, "GET", path)
        assert api.send(host, "GET", path, If_None_Match=state.headers["ETag"]).status == 304
    api.send(host, "POST", f"/api/nights/{host.code}/events", {**raw["events"][0], "id": "e1"})
    api.send(host, "GET", f"/api/nights/{host.code}/file")


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
    api.site.tables.people.add("Ann", [(host.code, seat)])
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


def test_every_message_of_a_stream_is_as_described(site: Site, api: CheckedApi) -> None:
    made = with_command_token(site).post("/api/import", FILES[0].read_bytes()).json
    headers = {"Host": HOST, "Authorization": f"Bearer {made['token']}", "Last-Event-ID": "0"}
    answer = site.app.test_client().get(f"/api/nights/{made['code']}/stream", headers=headers)
    checked = Counter[str]()
    for kind, data in messages(next(answer.iter_encoded()).decode()):
        api.validator(api.component({"event": "Event", "state": "State"}[kind])).validate(json.loads(data))
        checked[kind] += 1
    answer.close()
    assert checked == {"event": site.tables.get(made["code"]).head, "state": 1}


def messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the data of every message."""
    for one in filter(None, text.split("\n\n")):
        lines = dict(line.split(": ", 1) for line in one.splitlines())
        yield lines["event"], lines["data"]


# Events


def test_every_event_of_the_worked_nights_is_as_described(api: CheckedApi) -> None:
    validator = api.validator(api.component("Event"))
    for event in EVENTS:
        validator.validate(event)
    assert {event["kind"] for event in EVENTS} == KINDS.keys()


def readable(event: Any) -> bool:
    try:
        entry_from(event, 1)
    except BadEvent:
        return False
    return True


WHOLE = {kind: max((event for event in EVENTS if event["kind"] == kind), key=len) for kind in KINDS}
"""Of each kind an event with as many fields as any has."""


def test_what_must_be_there_is_described_as_the_reader_has_it(api: CheckedApi) -> None:
    schema = api.component("Event")
    for kind, whole in WHOLE.items():
        assert readable(whole)
        for one in fields(KINDS[kind]):
            less = {name: value for name, value in whole.items() if name != one.name}
            must = one.default is MISSING and one.default_factory is MISSING
            assert readable(less) == api.is_valid(less, schema) == (not must), (kind, one.name)
        for odd in ({**whole, "odd": 1}, {**whole, "kind": "odd"}, {**whole, "id": ""}, {**whole, "id": 5}):
            assert not readable(odd), odd
            assert not api.is_valid(odd, schema), odd


def test_a_field_of_another_type_is_refused_by_both(api: CheckedApi) -> None:
    for kind, whole in WHOLE.items():
        for one in fields(KINDS[kind]):
            for value in (True, -2_000_000, 10**13, 1.5, [[1]], {"a": {"b": 1.5}}):
                odd = {**whole, one.name: value}
                if api.is_valid(odd, api.component(f"Event-{kind}")):
                    assert readable(odd), (kind, one.name, value)


def test_the_words_of_a_penalty_are_those_of_the_core(api: CheckedApi) -> None:
    described = api.document["components"]["schemas"]["Event-penalty"]["properties"]
    assert described["offence"]["enum"] == [*OFFENCES, "false-rummy", "unused-purchase"]
    assert described["suit"]["enum"] == list(SUITS)


def test_a_number_or_text_at_and_beyond_its_bound_is_taken_and_refused_by_both(api: CheckedApi) -> None:
    numbers = {edge for low, high in RANGES.values() for edge in (low - 1, low, high, high + 1)}
    texts = ["é" * (longest + more) for longest in (*LONGEST.values(), *LONGEST_LABELS.values()) for more in (0, 1)]
    for kind, whole in WHOLE.items():
        for name, schema in api.document["components"]["schemas"][f"Event-{kind}"]["properties"].items():
            if name == "at" or "enum" in schema:
                continue  # a moment and a word are known by more than their length
            for value in (*sorted(numbers), *texts):
                odd = {**whole, name: value}
                assert api.is_valid(odd, api.component(f"Event-{kind}")) == readable(odd), (kind, name, value)
