"""A preset that is deleted while a night is played by it, at the running command: the night keeps its own copy."""

from dataclasses import replace
from pathlib import Path

from support.client_phones import Site
from support.remote_phone import open_night
from support.routes import app_rules, path_of
from support.server_process import Command

from tracker.cli.data_folder import read_token
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to_toml


def test_a_night_goes_on_after_its_preset_was_deleted_also_on_a_new_server_and_as_a_file(
    site: Site, tmp_path: Path
) -> None:
    command = Command(tmp_path / "data")
    try:
        toml = preset_to_toml(replace(built_in("michigan-rummy"), id="ours", name="Ours", stack=77))
        first = open_night(command.port, command.host_link)
        host = first.host
        brought_in = host.upload("/boards/import", "board", toml)
        assert brought_in.status == 303, brought_in
        preset = brought_in.location.split("/")[2]
        opened = host.post("/new", {"preset": preset, "host": "Ruth"})
        base = opened.location.removesuffix("/lobby")
        for name in ("Ben", "Mia"):
            assert host.post(f"{base}/seats", {"name": name}).status == 303
        assert host.post(f"{base}/dealer", {"seat": "ruth"}).status == 303
        assert host.post(f"/boards/{preset}/delete").status == 303
        assert host.get(f"/boards/{preset}").status == 404
        assert host.post("/new", {"preset": preset, "host": "Ruth"}).status == 404
        token, code = read_token(command.folder), base.removeprefix("/n/")
        before = command.ask(f"{code}/events", token, {"kind": "no-sale"})
        command.ask(f"{code}/events", token, {"kind": "collect", "seat": "ben", "pot": "ace-hearts"})
        command.kill()
        command.start()
        state = command.ask(f"{code}/events", token, {"kind": "undo", "event": before["head"] + 1})
        assert {**state, "head": 0} == {**before, "head": 0}
        assert before["bought"] == dict.fromkeys(("ruth", "ben", "mia"), 77)
        pages = [path_of(rule, code) for rule in app_rules(site.app) if "GET" in (rule.methods or ())]
        assert [path for path in pages if not path.endswith("stream") and host.get(path).status >= 500] == []
        file = host.get(f"{base}/night.json").text
        brought = host.upload("/import", "night", file).location.split("/")[2]
        assert command.ask(brought, token) == state
    finally:
        command.kill()
