"""The wheel in an empty environment and the one-file program, as players get them.

Takes some 40 seconds: it builds, installs and starts.
"""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.html_page import HtmlPage
from support.paths import ROOT
from support.ports import free_port
from support.server_process import run, serve_program
from support.tree_files import project, tree_files

from release.build import build_pyz, build_tools, build_wheel, install, write_sums
from tracker import __version__

COMPILED = {".so", ".pyd", ".dylib", ".dll"}


@pytest.fixture(scope="module")
def tools() -> Iterator[Path]:
    """The Python of the environment that builds."""
    with build_tools() as python:
        yield python


@pytest.fixture(scope="module")
def wheel(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tools, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bare_path(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which every call of a compiler, of npm or of Node fails."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("npm", "node", "cc", "gcc", "c++"):
        (folder / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return os.environ | {"CC": "false", "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def site(tools: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of the wheel and of all that it needs, as a release packs them."""
    folder = tmp_path_factory.mktemp("site")
    install(tools, wheel, folder)
    return folder


@pytest.fixture(scope="module")
def installed(
    tools: Path, wheel: Path, site: Path, bare_path: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An empty environment with the locked dependencies of the site, MarkupSafe built from source, and the wheel.

    Its pip is a copy of that which builds: to put one in takes seconds.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    for part in (*site.iterdir(), *tools.parents[1].glob("lib/python*/site-packages/pip*")):
        copy = shutil.copytree if part.is_dir() else shutil.copyfile
        copy(part, packages / part.name)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    for arguments in (["install", "-q", "--no-compile", "--no-deps", "--force-reinstall", str(wheel)], ["check"]):
        done = subprocess.run(
            [*pip, *arguments], cwd=ROOT, env=bare_path, check=False, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pyz(tools: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as one file."""
    file = tmp_path_factory.mktemp("pyz") / "board-tracker.pyz"
    build_pyz(tools, site, file)
    return file


def test_the_wheel_carries_pages_presets_and_the_browsers_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, pattern in (("templates", "*.html"), ("static", "*.css"), ("tracker/presets", "*.toml")):
        ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(pattern)}
        assert ours
        assert {name if name.startswith("tracker/") else f"tracker/{name}" for name in ours} <= names
    vendored = {"htmx.min.js", "hx-sse.min.js", "besley.woff2", "atkinson.woff2", "atkinson-bold.woff2"}
    assert {f"tracker/static/vendor/{name}" for name in vendored} <= names


def test_an_index_of_packages_shows_a_readme_whose_links_and_pictures_lead_somewhere(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    shown = archive.read(name).decode().partition("\n\n")[2]
    source = project()["urls"]["Source"]
    found = re.findall(r'(?:\]\(|src=")([^)"]+)', shown)
    assert len(found) > 20
    assert [one for one in found if not one.startswith(source)] == []
    paths = [re.sub(r"^(blob|raw)/main/|#.*$", "", one.removeprefix(source)) for one in found]
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def test_the_wheel_is_pure_python_and_brings_the_licences(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if Path(name).suffix in COMPILED] == []
    for part in ("htmx", "besley", "atkinson"):
        assert f"tracker/static/vendor/{part}-LICENSE.txt" in names
    assert "tracker/py.typed" in names


def test_nothing_it_needs_is_compiled(installed: Path) -> None:
    assert [path.name for path in (installed / "lib").rglob("*") if path.suffix in COMPILED] == []


@pytest.fixture(scope="module")
def built_again(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The wheel and the one-file program of a copy of the checkout, built by an environment in another folder, by a
    user with other habits."""
    folder = tmp_path_factory.mktemp("another folder")
    shutil.copytree(tools.parents[1], folder / "tools", symlinks=True)
    checkout = folder / "checkout"
    for path in (*tree_files(), *(ROOT / "static/vendor").iterdir()):
        copied = checkout / path.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)
        os.utime(copied, (1_000_000_000, 1_000_000_000))
    before = os.umask(0o077)
    try:
        python = folder / "tools" / tools.relative_to(tools.parents[1])
        wheel = build_wheel(python, folder, checkout)
        install(python, wheel, folder / "site")
        build_pyz(python, folder / "site", folder / "board-tracker.pyz")
    finally:
        os.umask(before)
    return {path.name: path.read_bytes() for path in (wheel, folder / "board-tracker.pyz")}


@pytest.mark.long  # the other tests need one wheel and one program, which are built once
def test_built_twice_in_other_folders_the_wheel_and_the_one_file_program_are_the_same(
    wheel: Path, pyz: Path, built_again: dict[str, bytes]
) -> None:
    assert {path.name: path.read_bytes() == built_again[path.name] for path in (wheel, pyz)} == {
        wheel.name: True,
        pyz.name: True,
    }


def test_the_wheel_and_the_one_file_program_list_their_parts(wheel: Path, pyz: Path) -> None:
    for file in (wheel, pyz):
        archive = zipfile.ZipFile(file)
        (name,) = (name for name in archive.namelist() if name.endswith("sboms/board-tracker.cdx.json"))
        listed = json.loads(archive.read(name))
        assert (listed["bomFormat"], listed["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
        parts = {part["name"]: part["version"] for part in listed["components"]}
        assert {"flask", "waitress", "htmx.org"} <= parts.keys()
        assert all(part["externalReferences"][0]["hashes"] for part in listed["components"])
    installed = {name.split("/")[1] for name in archive.namelist() if ".dist-info/" in name}
    for name in installed - {f"board_tracker-{__version__}.dist-info"}:
        package, version = name.removesuffix(".dist-info").rsplit("-", 1)
        assert parts[package.lower().replace("_", "-")] == version


def check_served(program: list[str], folder: Path) -> None:
    """Start a program and ask it for a page, htmx, and the page's German."""
    options = ["--port", str(free_port()), "--host", "127.0.0.1", "--data", str(folder / "data"), "--no-browser"]
    with serve_program([*program, *options], {"SHIV_ROOT": str(folder)}) as served:
        script = HtmlPage(served.phone.get("/join").text).value('script[src*="htmx.min.js"]', "src")
        assert served.phone.get(script).body == (ROOT / "static/vendor/htmx.min.js").read_bytes()
        assert 'lang="de"' in served.phone.get("/join", Accept_Language="de").text


def test_the_installed_command_serves_its_pages_and_htmx(installed: Path, tmp_path: Path) -> None:
    check_served([str(installed / "bin" / "board-tracker")], tmp_path)


def test_the_one_file_program_serves_its_pages_and_htmx(pyz: Path, tmp_path: Path) -> None:
    check_served([sys.executable, str(pyz)], tmp_path)


def test_the_one_file_program_is_small_pure_python_and_has_all_licences(pyz: Path) -> None:
    assert pyz.stat().st_size <= 4_000_000
    names = zipfile.ZipFile(pyz).namelist()
    assert [name for name in names if Path(name).suffix in COMPILED] == []
    packages = {name.split("/")[1] for name in names if ".dist-info/" in name}
    licensed = {name.split("/")[1] for name in names if re.search(r"\.dist-info/.*(LICEN[SC]E|COPYING)", name)}
    assert len(packages) > 20
    assert packages == licensed


def test_the_sums_of_a_release_are_what_sha256sum_checks(wheel: Path, tmp_path: Path) -> None:
    shutil.copy(wheel, tmp_path)
    write_sums(tmp_path)
    checked = subprocess.run(
        ["sha256sum", "-c", "SHA256SUMS"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
    )
    assert checked.stdout == f"{wheel.name}: OK\n"


def blocks(page: str) -> list[list[str]]:
    """Return the lines of each block of commands of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]


def test_the_files_that_the_pages_name_are_those_that_a_release_has(wheel: Path, pyz: Path) -> None:
    named = set(re.findall(r"board[-_]tracker[-_.\w*]*\.(?:whl|pyz)", (ROOT / "docs/install.md").read_text("utf-8")))
    assert named == {"board_tracker-*.whl", pyz.name}
    assert wheel.match("board_tracker-*.whl")


@pytest.mark.long
def test_the_pages_commands_for_python_start_the_program(
    wheel: Path, pyz: Path, bare_path: dict[str, str], tmp_path: Path
) -> None:
    """Each line as it stands there, in a folder with the files of a release; what would serve says its version."""
    for file in (wheel, pyz):
        shutil.copy(file, tmp_path)
    lines = [line for page in ("README.md", "docs/install.md") for block in blocks(page) for line in block]
    ours = [line for line in lines if re.match(r"python3 (board|-m venv ~)|~/board-tracker", line)]
    assert len(ours) == 4
    for line in ours:
        asked = f"{line} --version" if line.endswith((".pyz", "/board-tracker")) and "venv" not in line else line
        done = subprocess.run(
            ["bash", "-c", asked],
            check=False,
            cwd=tmp_path,
            env=bare_path | {"HOME": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert asked == line or done.stdout.startswith("board-tracker, version ")


def test_the_service_and_the_desktop_entry_start_the_command() -> None:
    for file, section, key in (("service", "Service", "ExecStart"), ("desktop", "Desktop Entry", "Exec")):
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str  # type: ignore[assignment,method-assign]
        entry.read(ROOT / f"release/linux/board-tracker.{file}", encoding="utf-8")
        program, *options = entry[section][key].split()
        assert Path(program).name == "board-tracker"
        assert all(option in run("serve", "--help").stdout for option in options)
