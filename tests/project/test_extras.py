"""What a table can do without can be taken away, one by one or all at once, and the rest has no hole."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from click.testing import CliRunner
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.paths import ROOT
from support.sample_nights import ended_night, night_in_third_hand
from support.tree_files import tree_files

from tracker import extras
from tracker.app.nights import Nights
from tracker.cli import main
from tracker.core.house_rules import HOUSE_RULES
from tracker.formats.built_in import all_built_in

FOLDERS = ("tracker/extras", "templates", "static", "tests/extras")
NAMES = tuple(sorted(path.parent.name for path in ROOT.glob("tracker/extras/[!_]*/__init__.py")))
needs_any = pytest.mark.skipif(not NAMES, reason="every extra was deleted")
needs_loaded = pytest.mark.skipif(not extras.names(), reason="the table is tested without extras")
PLAY = """
from pathlib import Path
from support.client_phones import Site
from support.sample_nights import ended_night
from tracker.app.nights import Nights
from tracker.extras import names
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
assert names() == (), names()
with ended_night(Site(Nights(Store(Path("nights.db")), StreamHub()))).host.get("/") as answer:
    print(answer.status_code)
"""


@cache
def game_of() -> dict[str, str]:
    return {preset.id: preset.game for preset in all_built_in()}


def with_game(address: str) -> str:
    """Return an address with its game instead of its preset: pages about two presets of a game have the same links."""
    return re.sub(r"[\w-]+", lambda word: game_of().get(word[0], word[0]), address)


def links(phone: ClientPhone, *first: str) -> Iterator[tuple[str, str, int]]:
    """Follow every link from some pages on; yield the page, the link and the status of the answer."""
    seen, waiting = {*first}, [("", one) for one in first]
    while waiting:
        page, address = waiting.pop()
        answer = phone.get(address)
        yield page, address, answer.status_code
        is_page = "text/html" in answer.headers.get("Content-Type", "")
        for link in HtmlPage(answer.text).select("a[href]") if is_page else ():
            found = urlsplit(urljoin(address, link.get("href")))
            target = f"{found.path}?{found.query}" if found.query else found.path
            if not found.netloc and with_game(target) not in seen:
                seen.add(with_game(target))
                waiting.append((address, target))


def some_of_the_extras() -> list[tuple[str, ...]]:
    """Return as few lists of extras as have for any two one with the first and without the second.

    Each extra is in half of the lists, and no two are in the same ones.
    """
    count = next(count for count in range(2, len(NAMES) + 3) if comb(count, count // 2) >= len(NAMES))
    lists_of = [*combinations(range(count), count // 2)]
    at = {name: lists_of[number * len(lists_of) // len(NAMES)] for number, name in enumerate(NAMES)}
    found = [tuple(name for name in NAMES if one in at[name]) for one in range(count)]
    return [names for names in found if names]


def test_of_any_two_extras_one_is_left_out_while_the_other_is_there() -> None:
    for one, other in permutations(NAMES, 2):
        assert any(one in names and other not in names for names in some_of_the_extras()), (one, other)


EACH_RUN = [NAMES, *some_of_the_extras()]
"""What leads to an extra that is left out is the table or another extra, which is there in one of these."""


@needs_loaded
@pytest.mark.parametrize(
    "without",
    [*EACH_RUN, *(pytest.param((name,), marks=pytest.mark.long) for name in NAMES)],
    ids=lambda names: "+".join(names)[:20],
)
def test_no_page_leads_to_what_was_left_out(tables: Nights, without: tuple[str, ...]) -> None:
    site = Site(tables, without=without)
    third, ended = night_in_third_hand(site), ended_night(site)
    third.host.take(ended.host.cookies)
    walked = list(links(third.host, third.base, f"{ended.base}/settle"))
    assert [one for one in walked if one[2] >= 400] == []
    for base in (third.base, ended.base):
        assert sum(address.startswith(base) for _page, address, _status in walked) > 10


@needs_loaded
def test_an_extra_that_is_not_there_is_named_with_those_that_are() -> None:
    said = CliRunner().invoke(main, ["serve", "--without", f"{NAMES[0]},no-such-one"])
    assert said.exit_code == 2
    assert "there is no no-such-one; there are" in said.output
    assert all(name in said.output for name in NAMES)


@needs_any
def test_nothing_of_the_table_names_an_extra() -> None:
    """By an import, an address or a file of it; the word alone may be an ordinary one, or begin the key of a rule."""
    names = "|".join(NAMES)
    speaks_of = re.compile(rf"""extras\.(?:{names})\b|['"](?:{names})[./]""")
    files = [*(ROOT / "tracker").rglob("*.py"), *(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    own = [ROOT / "tracker/extras", *(ROOT / folder / name for folder in ("templates", "static") for name in NAMES)]
    tables = [path for path in files if not any(path.is_relative_to(folder) for folder in own)]
    rules = re.compile("|".join(re.escape(key) for rules in HOUSE_RULES.values() for key in rules))
    lines = [(path.name, line) for path in tables for line in path.read_text("utf-8").splitlines()]
    found = [(name, rules.sub("", line)) for name, line in lines]
    assert [(name, line.strip()) for name, line in found if speaks_of.search(line)] == []


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'tests'}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_with_all_extras_deleted_types_and_style_are_right_and_a_night_is_played(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """The types are checked with `--long` only: that takes as long as for the whole program."""
    for path in [*tree_files(), *(ROOT / "static/vendor").iterdir()]:
        name = path.relative_to(ROOT).as_posix()
        if not any(name.startswith(f"{folder}/{extra}/") for folder in FOLDERS for extra in NAMES):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, tmp_path / name)
    checks = (["ruff", "check", "-q", "--no-cache"], ["mypy"])
    for check in checks[: short_or_long(1, 2)]:
        checked = run_in(tmp_path, "-m", *check)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    played = run_in(tmp_path, "-c", PLAY)
    assert played.stdout.strip() == "200", played.stderr
