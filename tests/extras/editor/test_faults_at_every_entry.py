"""The same faulty boards brought in by the editor, a file, the commands, a code: the same faults, all at once."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from click.testing import CliRunner
from extras.editor.preset_codes import preset_code_of
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.cli import main
from tracker.core.errors import PresetError
from tracker.core.house_rules import MOST_CHIPS
from tracker.extras.editor.codes import preset_from_code
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from, preset_from_toml, preset_to

RUMMY = preset_to(built_in("michigan-rummy"))
POTS = RUMMY["pots"]
CARD = {"id": "extra", "name": "Extra", "label": "E", "cards": ["2C"]}
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
    "more chips than a stack": ({"stack": MOST_CHIPS + 1}, {"stack"}),
    "no cards win it": ({"pots": [{**CARD, "cards": []}, *POTS]}, {"pot.0.cards"}),
    "antes of a side bet's own": (
        {"pots": [{**CARD, "won_by": "side", "ante": 3, "dealer_ante": 0}, *POTS]},
        {"pot.0.ante", "pot.0.dealer_ante"},
    ),
    "two poker places": ({"pots": [*POTS, {**CARD, "cards": [], "won_by": "poker"}]}, {"pots"}),
    "seventeen places": ({"pots": [{**CARD, "id": f"p{at}"} for at in range(17)]}, {"pots"}),
    "too small a budget": ({"rules": {"stakes.budget": 2, "stakes.cover_all": "on"}}, {"stakes.cover_all"}),
    "nothing for going out": ({"pots": POTS[:-1], "rules": {"out.per_card": 0}}, {"out.per_card"}),
}


def fields_at(raw: dict[str, Any]) -> set[str]:
    with pytest.raises(PresetError) as caught:
        preset_from(raw, is_new=True)
    return {str(fault.facts.get("field")) for fault in caught.value.faults}


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
    raw = {**RUMMY, "id": "ours", **changes}
    assert fields_at(raw) == fields
    host = site.host()
    answer = host.post("/boards/michigan-rummy", typed(raw))
    assert answer.status_code == 422
    assert set(HtmlPage(answer.text).values("[data-faults] [data-for]", "data-for")) == fields

    text = tomli_w.dumps(raw)
    with pytest.raises(PresetError) as caught:
        preset_from_toml(text)
    sentences = {str(fault) for fault in caught.value.faults}
    assert len(sentences) == len(fields)
    with pytest.raises(PresetError) as caught:
        preset_from_code(preset_code_of(json.dumps(raw).encode()))
    assert {str(fault) for fault in caught.value.faults} == sentences
    for command in ("check", "import"):
        env = {"BOARD_TRACKER_DATA": str(tmp_path / "data")}
        told = CliRunner().invoke(main, ["presets", command, "-"], input=text, env=env)
        assert told.exit_code == 2
        assert {line.removeprefix("standard input: ") for line in told.stderr.splitlines()[:-1]} == sentences
    assert imported(host, text) == len(fields)
    assert site.tables.library.own() == []


def imported(host: ClientPhone, text: str) -> int:
    """Return how many faults the page tells that brings a file in."""
    sent = {"board": (io.BytesIO(text.encode()), "board.toml")}
    headers = {"Host": host.host, "Origin": f"http://{host.host}"}
    page = host.client.post(
        "/boards/import", data=sent, headers=headers, environ_overrides={"REMOTE_ADDR": host.address}
    )
    assert page.status_code == 422
    return len(HtmlPage(page.text).texts(".faults li"))


def test_a_fault_of_type_hides_no_other_and_names_its_place() -> None:
    pots = [{**POTS[0], "cards": 5}, "nothing", {**POTS[2], "label": 7, "colour": "blue"}, *POTS[3:]]
    raw = {**RUMMY, "pots": pots, "rules": {"stop": {"fine": 1}, "claim": "stolen"}, "base": "nowhere"}
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


@pytest.mark.parametrize("raw", [None, 5, [], "x", {}, {"game": 5}, {"game": "chess", "name": "x"}])
def test_input_that_is_no_preset_is_refused_in_words(raw: object) -> None:
    with pytest.raises(PresetError) as caught:
        preset_from(raw, is_new=True)
    assert all(len(str(fault)) > 5 for fault in caught.value.faults)
