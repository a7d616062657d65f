"""A copy brought back on the page of the running command while other processes play and try to change its files."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.html_page import HtmlPage
from support.of_extras import needs
from support.remote_phone import open_night
from support.served_command import run_command
from support.server_process import Command

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store
from tracker.storage.backups import FOLDER, list_backups
from tracker.streaming.hub import StreamHub


class Player(threading.Thread):
    """Sends events to the running command until told to stop; `told` has the ids of those that were acknowledged."""

    def __init__(self, command: Command, token: str, code: str, seat: str) -> None:
        super().__init__()
        self.command, self.token, self.code, self.seat = command, token, code, seat
        self.told: list[str] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        while not self.is_over.is_set():
            buy: dict[str, Any] = {"kind": "buy", "seat": self.seat, "chips": 1, "id": f"{self.seat}-{len(self.told)}"}
            self.command.ask(f"{self.code}/events", self.token, buy)
            self.told.append(buy["id"])


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def start_without_file(command: Command, folder: Path) -> None:
    """Kill the command, delete its data file, and start it again."""
    command.kill()
    for path in folder.glob(f"{DATA_FILE}*"):
        path.unlink()
    command.start()


@contextmanager
def playing(command: Command, code: str) -> Iterator[list[Player]]:
    """Have two players of a night send events for as long as the block takes."""
    players = [Player(command, command.token(), code, seat) for seat in ("ruth", "ben")]
    for player in players:
        player.start()
    try:
        yield players
    finally:
        for player in players:
            player.is_over.set()
            player.join()


def test_a_night_comes_back_while_people_play_and_no_other_process_changes_the_files_meanwhile(
    folder: Path, tmp_path: Path
) -> None:
    command = Command(folder)
    try:
        friday = open_night(command.port, command.host_link)
        token = command.token()
        for number in range(20):
            command.ask(f"{friday.code}/events", token, {"kind": "buy", "seat": "ruth", "chips": 1, "id": f"f{number}"})
        file = tmp_path / "friday.json"
        file.write_text(friday.host.get(f"{friday.base}/night.json").text, encoding="utf-8")
        assert friday.host.post("/backups").status == 303
        (copy,) = [copy for copy in list_backups(folder / FOLDER) if copy.name.startswith("asked-")]
        start_without_file(command, folder)

        monday = open_night(command.port, command.host_link)
        assert monday.host.post(f"{monday.base}/seats", {"name": "Ben"}).status == 303
        with playing(command, monday.code) as players:
            needs("commands")
            commands = ("restore", copy.name), ("import", file), ("serve", "--no-browser")
            others = [run_command(*arguments, "--data", folder) for arguments in commands]
            page = monday.host.get(f"/backups/{copy.name}/all").text
            seal = HtmlPage(page).value("[name=seal]")
            done = monday.host.post(f"/backups/{copy.name}/all", {"seal": seal})
        assert [other.returncode for other in others] == [1, 1, 1], others
        assert all(len(other.stderr.splitlines()) == 1 for other in others), others
        assert f"/n/{friday.code}" in done.text
    finally:
        command.kill()

    store = Store(folder / DATA_FILE)
    nights = Nights(store, StreamHub())
    assert nights.get(friday.code).export().split('"events"')[1] == file.read_text("utf-8").split('"events"')[1]
    ids = [entry.id for entry in nights.get(monday.code).entries]
    for player in players:
        assert player.told
        # The last one may have been saved before the kill and acknowledged too: none is missing, none is there twice.
        assert [id_ for id_ in ids if (id_ or "").startswith(f"{player.seat}-")] == player.told
    assert not store.faults()
    store.close()
