"""How much processor time another process has taken."""

import time


def processor_seconds(process: int) -> float:
    """Return the processor time of all threads of a process so far, also of those that ended, in seconds (Linux)."""
    return time.clock_gettime(~process << 3 | 2)  # the clock that clock_getcpuclockid() returns
