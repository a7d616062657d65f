"""Build what a release has: wheel, board-tracker.pyz, if asked for setup.exe and the site, and SHA256SUMS, in dist/.

.venv/bin/python -m release.build [--windows [--python ZIP]] [--pages]
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from release.windows.installer import build_setup, check_package

ROOT = Path(__file__).resolve().parents[1]
# MarkupSafe builds without its compiled speed-up, so that one folder of packages serves every system.
# The same time in every file, so that the same commit gives the same bytes on any day.
BUILT_AT = os.environ.get("SOURCE_DATE_EPOCH", "1580601600")
PURE = os.environ | {"CC": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "SOURCE_DATE_EPOCH": BUILT_AT}
INTERPRETER = "/usr/bin/env python3"
# shiv packs its own files in the order in which the file system lists them.
SHIV = """from shiv import builder, cli
listed = builder.iter_package_files
builder.iter_package_files = lambda package: sorted(listed(package), key=lambda file: file[1])
cli.main()"""


def run(*command: str | Path) -> None:
    """Run a program in the checkout; raises CalledProcessError."""
    subprocess.run([str(word) for word in command], cwd=ROOT, env=PURE, check=True)  # noqa: S603 - our own words


@contextmanager
def build_tools() -> Iterator[Path]:
    """Yield the Python of a new environment with what builds, each package by its hash in a lock."""
    before = os.umask(0o022)  # shiv puts its own files in with the rights that they have
    with tempfile.TemporaryDirectory() as folder:
        try:
            venv.create(folder, with_pip=True)
            python = Path(folder, "Scripts" if os.name == "nt" else "bin", "python")
            locks = ("-r", "requirements-build.lock", "-r", "release/requirements.lock")
            run(python, "-m", "pip", "install", "-q", "--no-compile", "--require-hashes", *locks)
        finally:
            os.umask(before)
        yield python


def build_wheel(python: Path, folder: Path, checkout: Path = ROOT) -> Path:
    """Build the wheel into a folder; return its path."""
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, checkout)
    (wheel,) = folder.glob("board_tracker-*.whl")
    return wheel


def install(python: Path, wheel: Path, site: Path) -> None:
    """Install the wheel and what it needs, as the lock pins it for every system, into a folder of packages."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder, "every-system.lock")
        text = (ROOT / "requirements.lock").read_text("utf-8")
        lock.write_text(re.sub(r"(?m)^(\S+==\S+) ; [^\\\n]*", r"\1 ", text), "utf-8")
        into = ("install", "-q", "--no-compile", "--no-deps", "--no-build-isolation", "--target", site)
        for what in (("--no-binary", "markupsafe", "-r", lock), (wheel,)):
            run(python, "-m", "pip", *into, *what)
            shutil.rmtree(site / "bin")  # commands that would start this machine's Python
    drop_traces(site)


def drop_traces(site: Path) -> None:
    """Delete from a folder of packages what tells the building machine: its paths, and times and rights of files."""
    for record in site.glob("*.dist-info/RECORD"):
        record.with_name("direct_url.json").unlink(missing_ok=True)
        lines = record.read_text("utf-8").splitlines(keepends=True)
        # Commands were left out, and their hashes are those of a first line with the path of the Python that built.
        kept = [line for line in lines if "direct_url.json" not in line and not line.startswith("../../bin/")]
        record.write_text("".join(kept), "utf-8")
    for path in sorted(site.rglob("*"), reverse=True):  # a folder after the files in it
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (int(BUILT_AT), int(BUILT_AT)))


def build_pyz(python: Path, site: Path, target: Path) -> None:
    """Pack a folder of packages into one file that any Python from 3.11 on runs."""
    options = (
        "--compressed",
        "--reproducible",
        "--site-packages",
        site,
        "-e",
        "tracker.__main__:main",
        "-p",
        INTERPRETER,
    )
    run(python, "-c", SHIV, *options, "-o", target)
    target.chmod(0o755)  # whatever the umask


def build_pages(python: Path, site: Path, target: Path) -> None:
    """Pack the edition that runs in one browser, as a web host serves it; npm brings its engine, by the lock."""
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    with tempfile.TemporaryDirectory() as folder:
        code = f"import sys; sys.path.insert(0, {str(site)!r}); from tracker.__main__ import main; main()"
        run(python, "-c", code, "pages", folder, "--pyodide", ROOT / "node_modules" / "pyodide")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(one for one in Path(folder).rglob("*") if one.is_file()):
                name = zipfile.ZipInfo(path.relative_to(folder).as_posix(), time.gmtime(int(BUILT_AT))[:6])
                packed.writestr(name, path.read_bytes())


def write_sums(folder: Path) -> None:
    """Write the SHA-256 of every file of a folder, as sha256sum prints and checks them."""
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), "ascii")


def main() -> None:
    """Build everything into dist/ and print the sizes."""
    parser = argparse.ArgumentParser(description="Build a release into dist/.")
    parser.add_argument("--windows", action="store_true", help="setup.exe, too, by NSIS")
    parser.add_argument("--pages", action="store_true", help="the site, too, by npm")
    parser.add_argument("--python", type=Path, help="an embeddable package of python.org for setup.exe")
    asked = parser.parse_args()
    if asked.python:
        check_package(asked.python)
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    with build_tools() as python, tempfile.TemporaryDirectory() as site:
        install(python, build_wheel(python, dist), Path(site))
        build_pyz(python, Path(site), dist / "board-tracker.pyz")
        if asked.windows:
            build_setup(python, Path(site), dist / "board-tracker-setup.exe", int(BUILT_AT), asked.python)
        if asked.pages:
            build_pages(python, Path(site), dist / "board-tracker-pages.zip")
    write_sums(dist)
    for path in sorted(dist.iterdir()):
        print(f"{path.stat().st_size / 1e6:6.2f} MB  {path.name}")  # noqa: T201 - what was built


if __name__ == "__main__":
    main()
