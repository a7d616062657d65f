"""What the start menu starts: Board Tracker in a window that keeps the machine awake and leaves an error to be read."""

import ctypes
import sys

from tracker.__main__ import main

KEEP_SYSTEM_AWAKE = 0x80000001  # ES_CONTINUOUS | ES_SYSTEM_REQUIRED; ends with the process. The screen may turn off.
FIREWALL = """\
Windows may ask whether Python may use the network: allow it for private networks, or no phone can join.
This window keeps the laptop awake while its lid is open. Closing it stops the table; everything recorded is saved.
"""

if sys.platform == "win32":
    ctypes.windll.kernel32.SetConsoleTitleW("Board Tracker")
    ctypes.windll.kernel32.SetThreadExecutionState(KEEP_SYSTEM_AWAKE)

if len(sys.argv) == 1:
    print(FIREWALL, flush=True)  # noqa: T201 - for the one who started it
try:
    main()
except SystemExit as end:
    if end.code and sys.stdin.isatty():
        input("Enter closes this window.")
    raise
