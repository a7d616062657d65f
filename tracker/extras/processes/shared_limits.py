"""What is counted and answered once for all processes: how fast a phone may send, and forms that are sent again."""

import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256, shake_256

from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import DiskTrouble, ExpiringRows
from tracker.web.access.answered_forms import KEEP_SECONDS, WAIT_SECONDS, AnsweredForms, KeptAnswer
from tracker.web.access.rate_limits import MOST_SENDERS, PostRateLimit

SHARED_EVERY = 10
"""Posts of a sender that a process counts by itself before all processes count them, all at once."""


class SharedPostRateLimit(PostRateLimit):
    """How fast each sender may post to all processes, which share their counts every tenth post of a sender."""

    def __init__(self, limit: PostRateLimit, rows: SharedRows) -> None:
        """Take the figures of the `limit` of one process."""
        super().__init__(limit.burst, limit.each_second)
        self._rows = rows
        self._unshared: Counter[str] = Counter()

    def take(self, sender: str) -> bool:
        if not super().take(sender):
            return False
        with self._lock:
            if len(self._unshared) >= MOST_SENDERS:
                self._unshared.clear()
            self._unshared[sender] += 1
            if self._unshared[sender] < SHARED_EVERY:
                return True
            del self._unshared[sender]
        with suppress(DiskTrouble):
            full_at = self._clock() + self._rows.extend("posts", sender, SHARED_EVERY / self.each_second)
            with self._lock:
                self._full_at[sender] = max(full_at, self._full_at.get(sender, full_at))
        return True


class SharedAnsweredForms(AnsweredForms):
    """The answers of all processes over one database, which has only a hash of a form's name and tokens for cookies."""

    def __init__(self, rows: ExpiringRows) -> None:
        super().__init__()
        self._rows = rows

    def begin(self, form: str) -> KeptAnswer | None:
        until, row = time.monotonic() + WAIT_SECONDS, _row_of(form)
        while time.monotonic() < until:
            if self._rows.count_one("answering", row, WAIT_SECONDS, each=1, in_all=1_000_000):
                answer = self._kept(form)  # of one that has ended since
                if answer:
                    self._rows.take("answering", row)
                return answer
            if answer := self._kept(form):
                return answer
            time.sleep(0.05)
        raise TimeoutError

    def _kept(self, form: str) -> KeptAnswer | None:
        value = self._rows.value("answer", _row_of(form))
        return KeptAnswer(**json.loads(_masked(bytes.fromhex(value), form))) if value else None

    def end(self, form: str, answer: KeptAnswer | None) -> None:
        with suppress(DiskTrouble):
            if answer:
                masked = _masked(json.dumps(asdict(answer)).encode(), form)
                self._rows.add("answer", _row_of(form), KEEP_SECONDS, masked.hex())
            self._rows.take("answering", _row_of(form))


def _row_of(form: str) -> str:
    return sha256(form.encode()).hexdigest()


def _masked(data: bytes, form: str) -> bytes:
    """Return data under a key that is as long and used once; masked again it is itself."""
    key = shake_256(form.encode()).digest(len(data))
    return (int.from_bytes(data) ^ int.from_bytes(key)).to_bytes(len(data))
