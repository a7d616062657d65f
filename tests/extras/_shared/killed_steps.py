"""Work that is killed before one of its steps."""

import os
import shutil
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

STEPS = (
    (Path, "unlink"), (Path, "replace"), (Path, "chmod"), (shutil, "copyfile"), (os, "fsync"),
)  # fmt: skip


def killed_before_step(work: Callable[[], object], step: int) -> bool:
    """Do something in another process that is killed before that step; return whether it got so far."""
    child = os.fork()
    if child == 0:
        taken = count()

        def counted(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any, **kwargs: Any) -> Any:
                if next(taken) == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args, **kwargs)

            return call

        for place, name in STEPS:
            setattr(place, name, counted(getattr(place, name)))
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
