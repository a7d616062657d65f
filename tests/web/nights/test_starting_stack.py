"""The largest starting stack is the same wherever one is said: forms, the board editor, files, the command, the API."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.api_scripts import host_of_new_night
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import needs

from tracker.cli import main
from tracker.core.errors import TableError
from tracker.core.house_rules import MOST_CHIPS
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from, preset_to, preset_to_toml

PRESET = "michigan-rummy"
Entry = Callable[[Site, Path, int], tuple[bool, int | None]]
"""Says a starting stack at one entry and returns whether it was taken, and the `max` of its field if it has one."""


def at_set_up(site: Site, _folder: Path, stack: int) -> tuple[bool, int | None]:
    host = site.host()
    page = HtmlPage(host.get(f"/new/{PRESET}").text)
    answer = host.post("/new", {"preset": PRESET, "full": "1", "host": "Ruth", "stack": str(stack)})
    nights = [site.tables.get(row.code).night for row in site.tables.nights()]
    assert [night.stack("ruth") for night in nights] == ([stack] if answer.status_code == 303 else [])
    return answer.status_code == 303, int(page.value("input[name=stack]", "max"))


def in_settings(site: Site, _folder: Path, stack: int) -> tuple[bool, int | None]:
    host = site.host()
    code = site.open_night(host)
    page = HtmlPage(host.get(f"/n/{code}/settings").text)
    answer = host.post(f"/n/{code}/settings", {"stack": str(stack)})
    is_taken = answer.status_code == 303
    assert site.tables.get(code).night.stack("ruth") == (stack if is_taken else built_in(PRESET).stack)
    return is_taken, int(page.value("input[name=stack]", "max"))


def in_editor(site: Site, _folder: Path, stack: int) -> tuple[bool, int | None]:
    needs("editor")
    host = site.host()
    page = HtmlPage(host.get(f"/boards/{PRESET}").text)
    answer = host.post(f"/boards/{PRESET}", {**page.form("form#editor"), "stack": str(stack)})
    assert [own.stack for own in site.tables.library.own()] == ([stack] if answer.status_code == 303 else [])
    return answer.status_code == 303, int(page.value("input[name=stack]", "max"))


def in_checked_file(_site: Site, folder: Path, stack: int) -> tuple[bool, int | None]:
    needs("editor")
    file = folder / "board.toml"
    file.write_text(preset_to_toml(built_in(PRESET)).replace("stack = 100", f"stack = {stack}"), encoding="utf-8")
    return CliRunner().invoke(main, ["presets", "check", str(file)]).exit_code == 0, None


def in_preset(_site: Site, _folder: Path, stack: int) -> tuple[bool, int | None]:
    try:
        return preset_from({**preset_to(built_in(PRESET)), "stack": stack}).stack == stack, None
    except TableError:
        return False, None


def by_api(site: Site, _folder: Path, stack: int) -> tuple[bool, int | None]:
    host = host_of_new_night(site)
    answer = host.record({"kind": "sit", "seat": "dora", "name": "Dora", "chips": stack})
    assert site.tables.get(host.code).night.stack("dora") == (stack if answer.status == 201 else 0)
    return answer.status == 201, None


ENTRIES = (at_set_up, in_settings, in_editor, in_checked_file, in_preset, by_api)


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_takes_the_largest_starting_stack_and_no_larger(site: Site, tmp_path: Path, entry: Entry) -> None:
    assert entry(site, tmp_path, MOST_CHIPS + 1) in ((False, MOST_CHIPS), (False, None))
    assert entry(site, tmp_path, MOST_CHIPS)[0]
