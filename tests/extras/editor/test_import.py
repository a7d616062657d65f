"""Boards from files and codes: what is hostile or broken is refused in words, quickly, and changes nothing."""

import io
import json
import tomllib
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w
from extras._shared.changed_texts import as_code, mutated
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.server_process import run
from werkzeug.test import TestResponse

from tracker.app.event_rows import new_id
from tracker.core.errors import PresetError
from tracker.extras._night_files.codes import pack
from tracker.extras.editor.codes import preset_from_code, preset_to_code, preset_words
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import preset_from, preset_from_toml, preset_to
from tracker.web.access.rate_limits import PostRateLimit

RUMMY = built_in("michigan-rummy")


def bring(phone: ClientPhone, raw: bytes) -> TestResponse:
    # Beyond this, werkzeug's test client keeps what it sends in a file that it never closes.
    assert len(raw) < 450_000
    return phone.post("/boards/import", {"board": (io.BytesIO(raw), "board.toml")})  # type: ignore[dict-item]


def changed(**changes: object) -> bytes:
    return tomli_w.dumps({**preset_to(RUMMY), **changes}).encode()


def pots(count: int, **changes: object) -> list[dict[str, object]]:
    return [{"id": f"p{at}", "name": "P", "label": "P", "cards": ["10H"], **changes} for at in range(count)]


HOSTILE = {
    "empty": b"",
    "no text": b"\xff\xfe\x00",
    "no toml": b"<html>",
    "a night": json.dumps({"format": "board-tracker-night"}).encode(),
    "huge": b'name = "' + b"x" * 39_000 + b'"',
    "far too large": b"x" * 60_500,
    "deep lists": b"a = " + b"[" * 4000 + b"]" * 4000,
    "deep tables": b"[" + b".".join([b"a"] * 4000) + b"]",
    "a long number": b"stack = " + b"9" * 9000,
    "deep keys": b"a" + b".a" * 4900 + b" = 1",
    "a deep list without an end": b"a = " + b"[" * 4900,
    "deep objects": b"a = " + b"{a=" * 1500 + b"1" + b"}" * 1500,
    "ever deeper tables": "\n".join(f"[a{'.b' * depth}]" for depth in range(90)).encode(),
    "escapes": b'a = "' + b"\\u0041" * 1400 + b'"',
    "nothing": b"null",
    "a number for the game": b"game = 5",
    "a thousand empty places": b"[[pots]]\n" * 1000,
    "many empty lists": b"[" + b"[]," * 13_000 + b"0]",
    "the same place twice": changed(pots=pots(1) + pots(1)),
    "the bank as a place": changed(pots=[{"id": "bank", "name": "B", "label": "B"}]),
    "unknown keys": changed(colour="red", __class__="x"),
    "unknown rules": changed(rules={"ante.everybody": 1}),
    "another game": changed(game="poker"),
    "an id that is a path": changed(id="../../etc/passwd"),
    "control characters": changed(name="a\x1b[31mb"),
    "turned writing": changed(name="a\u202eb"),
    "no cards": changed(pots=pots(1, cards=["=1+1"])),
    "a colour of other digits": changed(pots=pots(1, colour="#١٢٣٤٥٦")),
    "round cards worth too much": changed(
        game="rounds", pots=[], round_cards=[{"number": 1, "goal": "x", "points": 9999}]
    ),
    "the same round twice": changed(game="rounds", pots=[], round_cards=[{"number": 1, "goal": "x", "points": 1}] * 2),
    "a colour that is a style": changed(chips=[{"name": "x", "colour": "red;background:url(x)", "value": 1}]),
}


MOST_BYTES = 25_000_000


def preset_code_of(text: bytes) -> str:
    """Return the code of any bytes, also of those that are no board, and of more than a code may hold."""
    return "1" + pack(text, preset_words())


def as_json(raw: bytes) -> bytes:
    """The same hostile board as it stands inside a code; what is no TOML goes in as it is."""
    try:
        return json.dumps(tomllib.loads(raw.decode())).encode()
    except (ValueError, RecursionError):
        return raw


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_board_in_a_file_code_or_link_is_refused_in_words_and_nothing_changes(
    site: Site, host: ClientPhone, name: str
) -> None:
    code, before = preset_code_of(as_json(HOSTILE[name])), site.tables.store.settings(None)
    tracemalloc.start()
    read_by_stranger = site.phone().get(f"/b/{code[:4000]}")
    most_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most_bytes < MOST_BYTES
    for answer in (
        read_by_stranger,
        bring(host, HOSTILE[name]),
        host.post("/boards/import", {"code": code[:9000]}),
        host.post("/boards/import", {"code": f"http://10.0.0.9:8000/b/{code}"[:9000]}),
    ):
        assert answer.status_code in (404, 413, 414, 422)
        assert "Traceback" not in answer.text
        if answer.status_code in (404, 422):
            assert "This board was not taken. Nothing was changed." in answer.text
            assert any(len(line) >= 12 for line in HtmlPage(answer.text).texts("li"))
    assert site.tables.store.settings(None) == before


def test_a_board_of_a_file_comes_in_once_and_names_that_look_like_formulas_or_markup_stay_names(
    site: Site, host: ClientPhone
) -> None:
    name = '=HYPERLINK("http://x")<script>alert(1)</script>'
    answer, again = (bring(host, changed(id="odd", name=name)) for _ in range(2))
    assert answer.status_code == 303
    assert again.location == answer.location
    (kept,) = site.tables.library.own()
    assert kept.name == name
    own = (answer.location, f"/boards/{kept.id}", f"/boards/{kept.id}/share", f"/b/{preset_to_code(kept)}")
    for page in (*own, "/boards", "/new"):
        text = host.get(page).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text
    download = host.get(f"/boards/{kept.id}/board.toml").headers["Content-Disposition"]
    assert download == 'attachment; filename="hyperlink-http-x-script-alert-1-script.toml"'


def test_a_code_is_read_by_anybody_and_kept_by_the_host(site: Site, host: ClientPhone) -> None:
    code = preset_to_code(built_in("pope-joan"))
    stranger = site.phone()
    page = stranger.get(f"/b/{code}").text
    assert "The dealer dresses the board" in page
    assert "Keep this board" not in page
    assert stranger.post("/boards/import", {"code": code}).status_code == 403
    assert "Keep this board" in host.get(f"/b/{code}").text
    assert host.post("/boards/import", {"code": f"http://10.0.0.9/b/{code}"}).location.startswith("/boards/pope-joan-2")
    assert "You have this board already" in host.get(f"/b/{code}").text


def test_a_broken_code_is_refused_in_words(site: Site, host: ClientPhone) -> None:
    endless = preset_code_of(b'{"name":"' + b"a" * 3_000_000 + b'"}')
    for code in ("x", "1" + "A" * 50, "9" + "A" * 50, "1" + "A" * 7000, "1" + "A" * 9000, "%00", "٣" * 20, endless):
        assert site.phone().get(f"/b/{code[:8500]}").status_code == 404, code[:60]
        assert host.post("/boards/import", {"code": code}).status_code == 422, code[:60]
    assert "too long for a board" in host.post("/boards/import", {"code": "1" + "A" * 9000}).text
    assert site.tables.library.own() == []


def test_a_preset_too_large_for_a_code_is_offered_as_a_file(host: ClientPhone) -> None:
    chance = Random(1)
    big = [{**pot, "name": chance.randbytes(25).hex()} for pot in pots(15)]
    about, source = chance.randbytes(200).hex(), chance.randbytes(200).hex()
    assert bring(host, changed(id="big", name="Big", about=about, source=source, pots=big)).status_code == 303
    page = host.get("/boards/big/share").text
    assert "too large for a code" in page
    assert 'class="qr"' not in page
    assert "/boards/big/board.toml" in page
    assert 'class="qr"' in host.get("/boards/michigan-rummy/share").text


# The same faulty boards brought in by the editor, a file, the commands, a code: the same faults, all at once.


RAW = preset_to(RUMMY)
POTS = RAW["pots"]
SIDE = {"id": "extra", "name": "Extra", "label": "E", "cards": ["2C"], "won_by": "side", "ante": 3, "dealer_ante": 0}
MANY = {
    "name": "",
    "seats": {"min": 9, "max": 2},
    "pots": [{**POTS[0], "cards": ["3X"]}, {**POTS[1], "colour": "blue"}, {**POTS[2], "won_by": "luck"}, *POTS[3:]],
    "chips": [{"name": "white", "colour": "#FFFFFF", "value": 0}],
    "rules": {"claim": "stolen", "ante.each": 5000},
}
BROKEN: Mapping[str, tuple[dict[str, Any], set[str]]] = {
    "many faults": (
        MANY,
        {"name", "seats.max", "pot.0.cards", "pot.1.colour", "pot.2.won_by", "chip.0.value", "claim", "ante.each"},
    ),
    "text for numbers hides nothing": (
        {**MANY, "stack": "many", "pots": [{**POTS[0], "ante": "x"}, {**POTS[1], "colour": "blue"}, *POTS[2:]]},
        {"stack", "pot.0.ante", "pot.1.colour", "name", "seats.max", "chip.0.value", "claim", "ante.each"},
    ),
    "antes of a side bet's own": (
        {"pots": [SIDE, *POTS]},
        {"pot.0.ante", "pot.0.dealer_ante"},
    ),
    "nothing for going out": ({"pots": POTS[:-1], "rules": {"out.per_card": 0}}, {"out.per_card"}),
}


def typed(raw: dict[str, Any]) -> dict[str, Any]:
    """Return what somebody would have typed into the editor for such a board."""
    form = {"name": raw["name"], "stack": raw["stack"], "seats.min": raw["seats"]["min"], **raw.get("rules", {})}
    form["seats.max"] = raw["seats"]["max"]
    for row, key in (("pots", "pot"), ("chips", "chip")):
        for at, one in enumerate(raw[row]):
            form |= {f"{key}.{at}.{name}": value for name, value in one.items() if name != "cards"}
            form[f"{key}.{at}.cards"] = " ".join(one.get("cards", ()))
    return {key: str(value) for key, value in form.items()}


@pytest.mark.parametrize("what", BROKEN)
def test_every_entry_finds_the_same_faults(site: Site, tmp_path: Path, what: str) -> None:
    changes, fields = BROKEN[what]
    raw = {**RAW, "id": "ours", **changes}
    host = site.host()
    answer = host.post("/boards/michigan-rummy", typed(raw))
    assert answer.status_code == 422
    assert set(HtmlPage(answer.text).values("[data-faults] [data-for]", "data-for")) == fields

    text = tomli_w.dumps(raw)
    with pytest.raises(PresetError) as caught:
        preset_from_toml(text)
    sentences = {str(fault) for fault in caught.value.faults}
    assert {fault.facts.get("field") for fault in caught.value.faults} == fields
    with pytest.raises(PresetError) as caught:
        preset_from_code(preset_code_of(json.dumps(raw).encode()))
    assert {str(fault) for fault in caught.value.faults} == sentences
    for command in ("check", "import"):
        told = run("presets", command, "-", text=text, BOARD_TRACKER_DATA=str(tmp_path))
        assert told.exit_code == 2
        assert {line.removeprefix("standard input: ") for line in told.stderr.splitlines()[:-1]} == sentences
    assert len(HtmlPage(bring(host, text.encode()).text).texts(".faults li")) == len(fields)
    assert site.tables.library.own() == []


def test_a_fault_of_type_hides_no_other_and_names_its_place() -> None:
    pots = [{**POTS[0], "cards": 5}, "nothing", {**POTS[2], "label": 7, "colour": "blue"}, *POTS[3:]]
    raw = {**RAW, "pots": pots, "rules": {"stop": {"fine": 1}, "claim": "stolen"}, "base": "nowhere"}
    with pytest.raises(PresetError) as caught:
        preset_from(raw, is_new=True)
    assert [str(fault).partition(", not")[0] for fault in caught.value.faults] == [
        "pots[0].cards (Ten of hearts): must be a list",
        "pots[1]: must be an object",
        "pots[2].label (King and queen of hearts): must be text",
        'rules: write "stop.fine" with its quotes, as one word',
        "claim must be one of played, held",
        "pot 'king-queen-hearts': 'blue' is no colour like #C23B30",
        "base 'nowhere' is no game that comes with the tracker",
    ]


# Boards inside an address, changed at random.


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    return site.host()


def test_any_board_in_an_address_is_answered(
    host: ClientPhone, site: Site, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger = Random(1), site.phone()
    for number in range(short_or_long(60, 5000)):
        board = preset_to(built_in(chance.choice(built_in_ids())))
        code = as_code("1", mutated(board, chance), preset_words())
        assert stranger.get(f"/b/{code}").status_code in (200, 404), (number, code)
        assert host.post("/boards/import", {"code": code, "key": new_id()}).status_code in (303, 404, 422), (
            number,
            code,
        )
    assert host.get("/boards").status_code == 200
