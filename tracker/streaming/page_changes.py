"""What has changed in a page since the one before, by lines: a tap changes 1 kB of a table's 11 kB.

A page is sent whole when its stream begins, and whenever it missed one. Otherwise its message `changes` says for each
line of the new page either where it stands in the page before, as `first after-last`, or `+` and the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

EVENT = "changes"
_LINE = b"\ndata: "


def changes_message(before: bytes, after: bytes) -> bytes:
    """Return the message that makes one page into another, both as `stream.message` returned them with a head.

    Where it would not be shorter than the page, the page's own message is returned.
    """
    begin, *lines = after.removesuffix(b"\n\n").split(_LINE)
    old = before.removesuffix(b"\n\n").split(_LINE)[1:]
    changes = b"event: %s\n%s%s%s\n\n" % (EVENT.encode(), begin, _LINE, _LINE.join(_changes(old, lines)))
    return changes if len(changes) < len(after) else after


def _changes(old: Sequence[bytes], lines: Sequence[bytes]) -> Iterator[bytes]:
    places = {line: at for at, line in enumerate(old)}
    count, first, end = len(old), 0, 0  # old[first:end] is what the last lines are
    for line in lines:
        if first < end < count and old[end] == line:
            end += 1
            continue
        if first < end:
            yield b"%d %d" % (first, end)
        first = places.get(line, -1)
        end = first + 1
        if not end:
            first = 0
            yield b"+" + line
    if first < end:
        yield b"%d %d" % (first, end)
