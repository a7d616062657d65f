"""The project's own addresses stand in `[project.urls]` and on the page of downloads, and nowhere else."""

import ipaddress
import re

from support.paths import ROOT
from support.pyproject import project
from support.tree_files import tree_files

PAGE = "docs/download.md"
ADDRESS = re.compile(r"https?://([\w.-]+|\[[\w:]+\])(?=[:/?#)\s\"'`<>,;]|$)[^\s\"'`<>)\]]*")
KNOWN = {"localhost", "www.w3.org", "semver.org", "keepachangelog.com", "www.python.org"}
"""Hosts besides examples and numbers that documents and packages may name."""


def is_example(host: str) -> bool:
    """Whether a host is a number, or one of the names that belong to nobody."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.endswith((".example", ".home", ".local")) or "." not in host or host.startswith("192.")
    return True


def addresses(name: str) -> list[tuple[str, str]]:
    """Return each address of a file with its host."""
    return [(found[0], found[1]) for found in ADDRESS.finditer((ROOT / name).read_text(encoding="utf-8"))]


def test_the_page_of_downloads_has_the_addresses_of_the_metadata() -> None:
    urls = list(project()["urls"].values())
    page = [address for address, _ in addresses(PAGE)]
    assert set(urls) <= set(page)
    assert [address for address in page if not address.startswith(tuple(urls))] == []


def test_no_other_file_has_an_address_of_the_project_or_a_host_that_is_not_known() -> None:
    own = {host for _, host in addresses(PAGE)}
    suffixes = {".md", ".toml", ".yml", ".html", ".nsi", ".desktop", ".service", ".cff", ".po", ""}
    names = [path.relative_to(ROOT).as_posix() for path in tree_files() if path.suffix in suffixes]
    wrong = [
        (name, address)
        for name in names
        if name not in (PAGE, "pyproject.toml")
        for address, host in addresses(name)
        if host in own or not (host in KNOWN or is_example(host))
    ]
    assert len(names) > 100
    assert wrong == []
