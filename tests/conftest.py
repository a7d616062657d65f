"""What tests of several rooms share: a store on the disk, its tables, a browser, and how hard Hypothesis looks."""

import faulthandler
import gc
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright
from support import chromium
from support.client_phones import Site
from support.of_extras import modules_of_extras, needs_preset, of_extras
from support.paths import ROOT
from support.served_app import Screens, screens_at
from support.server_process import Command
from support.translatable_texts import compile_texts
from support.waiting import LONG_SECONDS

from tracker import extras
from tracker.app.nights import Nights
from tracker.core.errors import Unknown
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub

# A slow machine is no fault of the rules: no deadlines, and a step too few rather than a test that fails by the clock.
_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("dev", deadline=None, max_examples=60, stateful_step_count=30, suppress_health_check=_QUIET)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, print_blob=True, database=None)
# A long look, for whoever has changed a rule: pytest --hypothesis-profile soak tests/core/test_random_nights.py
settings.register_profile("soak", settings.get_profile("dev"), max_examples=1000, stateful_step_count=60)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


# Compiled modules are kept, whatever this environment says: else each of a hundred programs that are started would
# compile the tracker anew, and each worker the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every process started from here, also each worker of pytest-xdist, warns of a text file opened without an encoding.
os.environ["PYTHONWARNDEFAULTENCODING"] = "1"

_FIGURES = pytest.StashKey[list[str]]()
_TERMINAL = pytest.StashKey[int]()
LONG_RUN_SECONDS, STUCK_SECONDS = 3600, 900
"""The limit of a test with `--long`; how long the cleanup of a test may go on after its limit has passed."""
IN_MEMORY = Path("/dev/shm")
FOLDERS_BYTES = 2 * 2**30
"""What the folders of a run may need in memory. With less free they are on the disk."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--long`: what breaks things on purpose does it as often as docs/trust.md says, and nothing is sampled.

    With `--place` the tests that take their store from the fixture use that place; those of a file fail then.
    """
    parser.addoption("--long", action="store_true", help="leave nothing out and sample nothing")
    parser.addoption("--place", default="file", help="keep the nights of all tests there, as in postgresql, if it fits")


def pytest_configure(config: pytest.Config) -> None:
    """Give a test the time it needs with `--long`, and keep the terminal's standard error, which is captured later.

    The folders of tests are in memory where the system has room: a store waits for the disk after each event, and that
    took a tenth of the processor time. PYTEST_DEBUG_TEMPROOT names another place.
    Each worker of pytest-xdist begins to collect at another file: in a fresh checkout it compiles a share of the
    tests, and then finds those of the others compiled. Before them, the texts are compiled that pages are shown in.
    Where the tests of the extras are ignored, the table's pages are tested without them: their games are known only.
    """
    extras.load()  # rules and presets of games are asked for when tests are collected
    if ROOT / "tests/extras" in {Path(one).resolve() for one in config.option.ignore or ()}:
        pytest.MonkeyPatch().setattr(extras, "names", lambda: ())
    for module in modules_of_extras("fixtures"):
        config.pluginmanager.import_plugin(module)
    if config.getoption("--long"):
        config.option.timeout = config.option.timeout or LONG_RUN_SECONDS
    config.stash[_TERMINAL] = os.dup(2)
    if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > FOLDERS_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    is_whole = config.args == config.getini("testpaths") and not config.option.ignore  # no named file is ignored
    worker = getattr(config, "workerinput", None)
    if worker is None:
        compile_texts()
    elif is_whole:
        files = sorted(map(str, Path(__file__).parent.rglob("test_*.py")))
        first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
        config.args = [*files[first:], *files[:first]]
    gc.disable()  # nothing that is collected goes away, and looking for it took a quarter of the collecting


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skip a test of the table that takes a game of a deleted extra as its example."""
    try:
        return (yield)
    except Unknown as missing:
        needs_preset(missing.facts.get("preset", ""))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """End the process with the stacks of all threads when a test whose limit has passed waits in its cleanup, too."""
    limit = float(item.config.option.timeout or item.config.getini("timeout"))
    faulthandler.dump_traceback_later(limit + STUCK_SECONDS, exit=True, file=item.config.stash[_TERMINAL])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests marked `every_place` over a data file, and over each other place that an extra keeps nights in."""
    if "place" in metafunc.fixturenames and metafunc.definition.get_closest_marker("every_place"):
        metafunc.parametrize("place", ["file", *of_extras("places")], indirect=True)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, which runs the tests of `-n auto`
def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are processors: tests with a browser wait for a third of their time."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked long, but with `--long`; begin with the files that drive a browser or are marked slow.

    The last of these would run alone at the end. All workers have the same order, wherever they began to collect.
    """
    if not config.getoption("--long"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    long = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    long |= {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in long, item.path))


def pytest_collection_finish() -> None:
    """Have the garbage collector run seldom and leave out what is there by now: it took a quarter of the time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", name="short_or_long")
def _short_or_long(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Give a function that returns its first number, or with `--long` its second."""
    is_long = bool(request.config.getoption("--long"))
    return lambda short, long: long if is_long else short


@pytest.fixture(name="figure")
def _figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Give a function that keeps a measured sentence; all of them are printed after the run."""
    return request.config.stash.setdefault(_FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was measured."""
    figures = config.stash.get(_FIGURES, [])
    if figures:
        terminalreporter.section("figures")
    for sentence in figures:
        terminalreporter.line(sentence)


@pytest.fixture(name="place")
def _place(request: pytest.FixtureRequest) -> Iterator[Path | DataPlace]:
    """Where the nights are: the path of a data file, or another place, which a fixture of an extra makes."""
    name = getattr(request, "param", request.config.getoption("--place"))
    if name == "file":
        tmp_path: Path = request.getfixturevalue("tmp_path")
        yield tmp_path / "nights.db"
        return
    with request.getfixturevalue(f"{name}_places")() as place:
        yield place


@pytest.fixture(scope="session", name="empty_file")
def _empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a data file with all tables and nothing in them, as a store has made it."""
    path = tmp_path_factory.mktemp("empty") / "nights.db"
    Store(path).close()
    return path


@pytest.fixture(name="store")
def _store(place: Path | DataPlace, empty_file: Path) -> Iterator[Store]:
    """A store without nights; its file is a copy, for making the tables anew takes more than half of opening one."""
    if isinstance(place, Path) and not place.exists():
        shutil.copy(empty_file, place)
    store = Store(place)
    yield store
    store.close()


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    live = StreamHub()
    yield live
    live.stop()


@pytest.fixture(name="tables")
def _tables(store: Store, live: StreamHub) -> Nights:
    return Nights(store, live)


@pytest.fixture(name="site")
def _site(tables: Nights) -> Site:
    return Site(tables)


@pytest.fixture(name="screens")
def _screens(browser: Browser, site: Site, live: StreamHub) -> Iterator[Screens]:
    with screens_at(browser, site.app, live) as screens:
        yield screens


@pytest.fixture(name="command", scope="module")
def _command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """The running command with a data folder of its own, for all tests of a file."""
    command = Command(tmp_path_factory.mktemp("data"))
    yield command
    command.kill()


@pytest.fixture(scope="session", name="browser")
def _browser() -> Iterator[Browser]:
    """The machine's own browser. None there is a failure where every test has to run, and a skip elsewhere."""
    path = chromium.program()
    if path is None and os.environ.get("CI") == "true":
        pytest.fail("no Chromium on this machine: the browser tests can't be left out here")
    if path is None:
        pytest.skip("no Chromium on this machine")
    expect.set_options(timeout=1000 * LONG_SECONDS)  # usually five seconds, which a busy machine needs for a page
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.ARGUMENTS))
        yield browser
        browser.close()
