"""What each text costs that a stranger can send: processor seconds and megabytes, the dearest first.

Run with `python tests/extras/copies/bench_texts.py`.
"""

import json
import sys
import tempfile
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
from extras._shared.dear_texts import dear_texts
from support.html_page import HtmlPage
from support.process_time import Moment
from support.remote_phone import RemotePhone
from support.server_process import Command

from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to


@click.command()
@click.option("--corrections", default=400, help="In the dearest code: as many entries, and corrections of the first.")
def main(corrections: int) -> None:
    """Send each text from an address of its own to a server of its own, and print."""
    preset, costs = json.dumps(preset_to(built_in("michigan-rummy"))), list[tuple[float, float, str]]()
    texts = dear_texts(preset, corrections)
    for number, (name, text) in enumerate(texts.items()):
        with tempfile.TemporaryDirectory() as folder:
            command = Command(Path(folder) / "data")
            process, phone = command.process.pid, RemotePhone(command.port, f"127.0.0.{100 + number}")
            phone.get("/arrive")
            Path(f"/proc/{process}/clear_refs").write_text("5", encoding="ascii")  # forgets the peak
            before = Moment.of(process)
            answer = phone.post("/arrive", {"text": text})
            after = Moment.of(process)
            costs.append((after.processor - before.processor, after.peak - before.peak, name))
            said = HtmlPage(answer.text).texts("#main .note.bad")
            click.echo(f"{name}: {answer.status} {said[:1]}", err=True)
            command.kill()
    for seconds, megabytes, name in sorted(costs, reverse=True):
        click.echo(f"| {name} | {len(texts[name]):,} B | {seconds:.2f} s | {megabytes:.0f} MB |")


if __name__ == "__main__":
    main()
