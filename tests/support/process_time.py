"""What another process uses: processor time, memory, threads and open files (Linux)."""

import time
from dataclasses import dataclass
from pathlib import Path


def processor_seconds(process: int) -> float:
    """Return the processor time of all threads of a process so far, also of those that ended, in seconds."""
    return time.clock_gettime(~process << 3 | 2)  # the clock that clock_getcpuclockid() returns


@dataclass(frozen=True)
class Moment:
    """What a process uses just now: megabytes, the most that it ever had, processor seconds so far, threads, files."""

    memory: float
    peak: float
    processor: float
    threads: int
    files: int

    @classmethod
    def of(cls, process: int) -> "Moment":
        facts = Path(f"/proc/{process}")
        lines = (line.partition(":") for line in (facts / "status").read_text(encoding="utf-8").splitlines())
        status = {name: rest.split()[0] for name, _, rest in lines if rest.strip()}
        memory, peak = (int(status[name]) / 1024 for name in ("VmRSS", "VmHWM"))
        files = len(list((facts / "fd").iterdir()))
        return cls(memory, peak, processor_seconds(process), int(status["Threads"]), files)
