"""A process to be killed while it writes to a database.

Usage: kill_target.py URL; what it reads and says is as of tests/support/faults/kill_target.py.
"""

import sys

from support.faults.kill_target import main

from tracker.extras.processes.options import Postgres

if __name__ == "__main__":
    main(Postgres(sys.argv[1]))
