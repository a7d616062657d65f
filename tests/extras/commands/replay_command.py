"""`board-tracker replay` of events: the final state, or the one line on standard error."""

import json
from typing import Any

from click.testing import CliRunner, Result

from tracker.cli import main

Raw = dict[str, Any]
ANN: Raw = {"kind": "sit", "seat": "ann", "name": "Ann"}
BOB: Raw = {"kind": "sit", "seat": "bob", "name": "Bob"}
HAND: Raw = {"kind": "hand", "dealer": "ann"}
BUY: Raw = {"kind": "buy", "seat": "ann", "chips": 10}


def night(*events: Any, preset: Any = "michigan-rummy", **more: Any) -> Raw:
    return {"format": "board-tracker-night", "version": 1, "preset": preset, "events": list(events), **more}


def replay(content: Raw | str | bytes, *options: str) -> Result:
    text = json.dumps(content) if isinstance(content, dict) else content
    return CliRunner().invoke(main, ["replay", "-", *options], input=text)


def final(*events: Any, **more: Any) -> Raw:
    answer = replay(night(*events, **more), "--json")
    assert (answer.exit_code, answer.stderr) == (0, "")
    state: Raw = json.loads(answer.stdout)
    return state


def refusal(*events: Any, **more: Any) -> str:
    """Return the one line that says which event is refused, and why."""
    answer = replay(night(*events, **more), "--json")
    assert answer.exit_code == 1, answer.output
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    return answer.stderr.rstrip("\n")


def unread(content: Raw | str | bytes) -> str:
    """Return the one line that says why something is no night file."""
    answer = replay(content, "--json")
    assert answer.exit_code == 2, answer.output
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert len(answer.stderr) <= 501
    return answer.stderr.rstrip("\n")
