"""Build the oldest SQLite that the program starts with: python tests/support/old_sqlite.py FOLDER

The tests then run with it, where Python takes SQLite from the system: LD_LIBRARY_PATH=FOLDER .venv/bin/pytest.
Needs cc, and npm for the sources: an npm package brings them, each version of it those of one SQLite.
"""

import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE, SOURCES = "better-sqlite3@7.4.6", "package/deps/sqlite3.tar.gz"
HASH = "131f0e32cac71d00408eb2990f448dff205628c7418d304c9fbecfb8317f9faf"
OPTIONS = ("SQLITE_ENABLE_COLUMN_METADATA", "SQLITE_ENABLE_DESERIALIZE", "SQLITE_ENABLE_FTS5", "SQLITE_SECURE_DELETE")


def build(folder: Path) -> Path:
    """Return the library of SQLite 3.37.0, built in a folder. Raises CalledProcessError, ValueError."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=place, check=True, capture_output=True)
        (packed,) = Path(place).glob("*.tgz")
        with tarfile.open(packed) as package:
            package.extract(SOURCES, place, filter="data")
        sources = Path(place, SOURCES)
        if sha256(sources.read_bytes()).hexdigest() != HASH:
            raise ValueError(f"{PACKAGE} brings other sources than it did")
        with tarfile.open(sources) as archive:
            archive.extract("sqlite3.c", place, filter="data")
        library = folder / "libsqlite3.so.0"
        wanted = [f"-D{option}" for option in OPTIONS]
        made = ["-shared", "-fPIC", "-O2", "-w", f"-Wl,-soname,{library.name}", "-o", str(library)]
        subprocess.run(["cc", *wanted, *made, f"{place}/sqlite3.c", "-lm", "-lpthread", "-ldl"], check=True)
    return library


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]).absolute())}\n")
