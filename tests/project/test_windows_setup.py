"""What goes into setup.exe for Windows; release/windows/try_setup.py installs and plays it under wine."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from release.windows.installer import build_setup, check_package, described, unpack_python


@pytest.fixture(name="embedded")
def _embedded(tmp_path: Path) -> Path:
    """A package with the names of python.org's embeddable one."""
    with zipfile.ZipFile(tmp_path / "python313.zip", "w", zipfile.ZIP_DEFLATED) as library:
        for name in ("os.pyc", "asyncio/__init__.pyc", "json/__init__.pyc", "unittest/case.pyc"):
            library.writestr(name, b"x" * 1000)
    with zipfile.ZipFile(tmp_path / "embedded.zip", "w") as package:
        package.write(tmp_path / "python313.zip", "python313.zip")
        files = "python.exe pythonw.exe python313.dll python313._pth _ssl.pyd _wmi.pyd python.cat"
        for name in files.split():
            package.writestr(name, b"")
    return tmp_path / "embedded.zip"


def test_python_finds_its_library_and_the_packages_and_brings_nothing_unused(embedded: Path, tmp_path: Path) -> None:
    unpack_python(embedded, tmp_path / "python")
    kept = {path.name for path in (tmp_path / "python").iterdir()}
    assert kept == {"python.exe", "python313.dll", "python313.zip", "python313._pth", "_ssl.pyd"}
    paths = (tmp_path / "python/python313._pth").read_text(encoding="utf-8").split()
    assert paths == ["python313.zip", ".", r"..\site"]
    with zipfile.ZipFile(tmp_path / "python/python313.zip") as library:
        assert library.namelist() == ["os.pyc", "json/__init__.pyc"]
        assert {entry.compress_type for entry in library.infolist()} == {zipfile.ZIP_STORED}


def test_a_setup_program_is_built(embedded: Path, tmp_path: Path) -> None:
    if not shutil.which("makensis"):
        pytest.skip("not on this machine: makensis")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/module.py").write_text("", encoding="utf-8")
    build_setup(Path("no tools are needed"), tmp_path / "site", tmp_path / "setup.exe", 1_580_601_600, embedded)
    built = (tmp_path / "setup.exe").read_bytes()
    assert built.startswith(b"MZ")
    shutil.copytree(tmp_path / "site", tmp_path / "later/site", copy_function=shutil.copyfile)
    build_setup(Path("none"), tmp_path / "later/site", tmp_path / "later/setup.exe", 1_580_601_600, embedded)
    assert (tmp_path / "later/setup.exe").read_bytes() == built


def test_the_age_of_python_is_told(embedded: Path, tmp_path: Path) -> None:
    """Also where its files are in a folder, as in the package of the index."""
    with zipfile.ZipFile(tmp_path / "folder.zip", "w") as package:
        package.writestr("python-3.13.2-embed-amd64/python313.dll", b"")
    assert described(tmp_path / "folder.zip") == described(embedded)
    assert re.fullmatch(r"python313\.dll of \d{4}-\d\d-\d\d, \d+ days old", described(embedded))


def test_another_python_than_the_one_whose_hash_is_known_is_refused(embedded: Path) -> None:
    with pytest.raises(SystemExit, match=r"is not python-3\.\d+\.\d+-embed-amd64\.zip"):
        check_package(embedded)
