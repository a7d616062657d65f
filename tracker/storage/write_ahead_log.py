"""SQLite's write-ahead log, read frame by frame: what SQLite itself would leave out of it, and how to keep that.

SQLite reads a log up to the first frame whose checksum does not fit, without an error: a commit that a power cut has
interrupted looks like that. But each commit waits for the disk: frames behind it show that it was whole once.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from tracker.storage.errors import CorruptFile
from tracker.storage.files import log_of

HEADER, FRAME_HEADER = 32, 24
BIG_ENDIAN = 0x377F0683
"""The first word of a log whose checksums are of big-endian words."""
USUAL_PAGE_SIZE = 4096


@dataclass(frozen=True)
class Log:
    """The frames of a log up to its last commit."""

    page_size: int
    frames: tuple[tuple[int, bytes], ...]
    """Each page's number and content; a damaged one may be anything."""
    pages: int
    """Number of pages of the file after the last commit."""
    is_damaged: bool
    """Whether SQLite leaves out a commit that was on the disk."""


def read_log(path: Path) -> Log | None:
    """Return the write-ahead log of a data file; None where nothing was committed in it."""
    content = log_of(path).read_bytes() if log_of(path).exists() else b""
    if len(content) < HEADER + FRAME_HEADER:
        return None
    order = ">" if struct.unpack(">I", content[:4])[0] == BIG_ENDIAN else "<"
    page_size, salts = struct.unpack(">I", content[8:12])[0], content[16:24]
    sums = _checksum(content[:24], (0, 0), order)
    has_header = is_read = content[24:HEADER] == struct.pack(">2I", *sums)
    if not has_header:
        page_size, salts = _page_size(path), content[HEADER + 8 : HEADER + 16]
    frames: list[tuple[int, bytes]] = []
    commits: list[tuple[int, int]] = []
    last_read = last = 0  # the last commit that SQLite reads, and the last frame: those behind it are of an earlier log
    for place in range(HEADER, len(content) - FRAME_HEADER - page_size + 1, FRAME_HEADER + page_size):
        body = content[place + FRAME_HEADER : place + FRAME_HEADER + page_size]
        page, pages = struct.unpack(">2I", content[place : place + 8])
        is_of_this_log = content[place + 8 : place + 16] == salts
        frames.append((page, body))
        if is_read:
            sums = _checksum(content[place : place + 8] + body, sums, order)
            is_read = is_of_this_log and content[place + 16 : place + FRAME_HEADER] == struct.pack(">2I", *sums)
        if is_of_this_log:
            last = len(frames)
            if pages:
                commits.append((last, pages))
                last_read = last if is_read else last_read
    if not commits:
        return None
    # The very last one may have been interrupted. But a header is on the disk before any frame is written.
    is_damaged = any(number > last_read and (number < last or not has_header) for number, _ in commits)
    return Log(page_size, tuple(frames[: commits[-1][0]]), commits[-1][1], is_damaged)


def check_log(path: Path) -> None:
    """Raise CorruptFile where SQLite would leave out commits that were on the disk: opening the file deletes them."""
    log = read_log(path)
    if log and log.is_damaged:
        raise CorruptFile(f"{path} is damaged: a part of what was recorded last, in its log, is not what was written")


def _page_size(path: Path) -> int:
    """Return the size of a page by the data file's own header."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:], "big")
    return {0: USUAL_PAGE_SIZE, 1: 65536}.get(size, size)


def _checksum(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """Return SQLite's checksum of some words, carried on from `sums`."""
    one, two = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
