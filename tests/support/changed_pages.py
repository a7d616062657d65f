"""A page that follows a stream of changes, as static/shared/live.js does."""

from __future__ import annotations

from tracker.streaming.stream import data_of


def page_after(before: str, message: bytes) -> str:
    """Return what a page shows after one message of its stream, which is a page or what has changed in `before`."""
    data = data_of(message)
    if not message.startswith(b"event: changes\n"):
        return data
    old, lines = before.split("\n"), list[str]()
    for one in data.split("\n"):
        first, _, end = one.partition(" ")
        lines += [one[1:]] if one.startswith("+") else old[int(first) : int(end)]
    return "\n".join(lines)
