"""A disk on which room is put by, and one that is nearly full at the start; as tests/support/faults/small_disk.py."""

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from support.faults.small_disk import filled, mount, sit_down
from support.server_process import run_command, serve_command

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy
from tracker.extras.nearly_full import room
from tracker.extras.nearly_full.room import Reserve
from tracker.storage import NotSaved, Store
from tracker.streaming.hub import StreamHub


def reserve(folder: Path, _: int) -> dict[str, Any]:
    """Fill the disk to the last byte, and play on in the room that was put by."""
    mount(folder, "size=3m")
    room.RESERVE_REQUIRED_BYTES = 0
    with closing(Store(folder / DATA_FILE)) as store:
        nights = Nights(store, StreamHub())
        Reserve(folder / "reserve", nights.disk)
        table = sit_down(nights)
        with filled(folder, 0):
            refused = recorded = 0
            while recorded < 100 and refused < 1000:
                try:
                    table.record(Buy("ann", Amount(5)), id=f"buy-{recorded}", by="host")
                    recorded += 1
                except NotSaved:
                    refused += 1
        return {"recorded": recorded, "refused": refused, "given up": not (folder / "reserve").exists()}


def nearly_full(folder: Path, _: int) -> dict[str, Any]:
    """Start the server on a disk with too little room for a night, then as somebody who must."""
    mount(folder, "size=60m")
    data = folder / "nights of the year"
    with filled(folder, 30_000_000):
        refused = run_command("--no-browser", "--host", "127.0.0.1", "--data", data)
        left = sorted(path.name for path in folder.iterdir())
        with serve_command(data, "--host", "127.0.0.1", "--full-disk") as served:
            return {
                "status": refused.returncode, "said": refused.stderr, "left": left, "warned": served.said,
                "reserve": (data / "reserve").exists(),
            }  # fmt: skip


def main() -> None:
    modes = {"reserve": reserve, "nearly-full": nearly_full}
    print(json.dumps(modes[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))  # noqa: T201


if __name__ == "__main__":
    main()
