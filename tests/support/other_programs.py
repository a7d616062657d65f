"""Python programs in processes of their own that use the same data file."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STORE_HOLDER = """
import sys
from pathlib import Path
from tracker.storage import Store
store = Store(Path(sys.argv[1]))
store.file.publish_address("http://192.168.1.5:8000")
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_program(script: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:
        try:
            yield program
        finally:
            program.kill()
