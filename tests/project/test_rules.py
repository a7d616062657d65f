import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.paths import ROOT
from support.tree_files import project

# Which folder may import which others; a folder may always import its own modules.
BELOW_WEB = {
    "core", "core.queries", "formats", "storage", "streaming", "app",
}  # fmt: skip
SHARED_WEB = {"web", "web.access", "web.base", "web.drawing", "web.events", "web.wording"}
"""What every feature of the web may import; no feature imports another one's modules."""
FEATURES = {
    "join", "table", "log", "settlement", "presets", "nights",
    "club",
}  # fmt: skip
SHARED_BY_EXTRAS = {
    f"extras._{name}"
    for name in (
        *("backups", "chart", "commands", "data_files", "durations", "kept_files", "night_files", "night_lists"),
        "night_summaries",
        *("people", "phones", "removal", "responsible", "share", "spreadsheets", "story", "template_pages"),
    )
}
OF_SHARED = {
    "_chart": {"extras._story"},
    "_commands": {"extras._night_files"},
    "_night_lists": {"extras._night_summaries"},
    "_removal": {"extras._backups", "extras._data_files", "extras._people"},
    "_score": {"extras._chart", "extras._template_pages"},
}
ALLOWED: dict[str, set[str]] = {
    "core": set(),
    "core.queries": {"core"},
    "formats": {"core"},
    "storage": set(),
    "streaming": set(),
    "server": {"formats", "streaming"},
    "app": {"core", "core.queries", "formats", "storage", "streaming"},
    "web.wording": {"core", "formats"},
    "web.drawing": {"core", "core.queries", "web.wording"},
    "web.events": {"core", "core.queries", "formats", "web.drawing", "web.wording"},
    "web.base": BELOW_WEB | {"web.wording"},
    "web.access": BELOW_WEB | {"web.base", "web.drawing", "web.events", "web.wording"},
    "web": BELOW_WEB | SHARED_WEB,
    **{f"web.{feature}": BELOW_WEB | SHARED_WEB for feature in FEATURES},
    **{
        f"extras.{path.name}": BELOW_WEB
        | SHARED_WEB
        | {f"web.{feature}" for feature in FEATURES}
        | {"cli", "extras", "server"}
        | (SHARED_BY_EXTRAS if not path.name.startswith("_") else set())
        | OF_SHARED.get(path.name, set())
        | ({"extras._score"} if (path / "rules.py").exists() else set())  # brings a game
        for path in (ROOT / "tracker/extras").iterdir()
        if path.is_dir()
    },
    "extras": {"core", "web.base"},
    "cli": BELOW_WEB | {"extras", "server", "web", "web.access", "web.wording"},
}
# The package's face, and the two modules that put everything together.
IMPORT_ALL = ("tracker", "tracker.__main__", "tracker.web.app")
# What the core may use of the standard library: none of it reads a file, a clock, a socket or a dice.
PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "itertools", "math",
    "operator", "re", "types", "typing",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__"}
AT_HOME = {
    "flask": ("web/", "extras/"),
    "ifaddr": ("server/",),
    "jinja2": ("web/", "extras/"),
    "markupsafe": ("web/", "extras/"),
    "werkzeug": ("web/", "extras/"),
    "sqlite3": ("storage/", "extras/repair/", "__main__.py"),
    "sqlite_utils": ("storage/sqlite.py", "storage/sqlite_schema.py"),
    "psycopg": ("extras/processes/",),
    "psycopg_pool": ("extras/processes/",),
    "qrcode": ("web/drawing/", "cli/"),
}
BROUGHT_BY_FLASK = {"jinja2", "markupsafe", "werkzeug"}


@cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted((ROOT / "tracker").rglob("*.py")))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def in_package(path: Path) -> str:
    return path.relative_to(ROOT / "tracker").as_posix()


def dotted(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def known_modules() -> dict[str, Path]:
    return {dotted(path): path for path in modules()}


def resolved(node: ast.ImportFrom, path: Path) -> str:
    """The module after `from`, with leading dots replaced by the packages they stand for."""
    here = path.relative_to(ROOT).parts[:-1]
    parents = here[: len(here) - node.level + 1] if node.level else ()
    return ".".join([*parents, *([node.module] if node.module else [])])


def imported(nodes: Iterable[ast.AST], path: Path) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolved(node, path)
            submodules = {f"{base}.{alias.name}" for alias in node.names} & known_modules().keys()
            yield from submodules or {base}


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module the file imports, by its full name; those imported for types alone only if they are ours."""
    tree = tree_of(path)
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = [inner for guard in guards for inner in ast.walk(guard)]
    at_run_time = imported(set(ast.walk(tree)) - set(for_types), path)
    ours = (name for name in imported(for_types, path) if name.startswith("tracker."))
    return frozenset([*at_run_time, *ours])


def folder(module: str) -> str:
    """Return the folder a module is in: `core.queries` for `tracker.core.queries.prompts`."""
    parts = module.split(".")[1:]
    is_nested = len(parts) > 1 and (ROOT / "tracker" / parts[0] / parts[1]).is_dir()
    return ".".join(parts[:2]) if is_nested else parts[0]


def test_the_package_itself_imports_nothing() -> None:
    assert imports(ROOT / "tracker/__init__.py") == frozenset()


def test_each_folder_imports_only_what_the_table_allows() -> None:
    edges = {
        (folder(dotted(path)), folder(module))
        for path in modules()
        for module in imports(path)
        if module.startswith("tracker.") and dotted(path) not in IMPORT_ALL
    }
    wrong = {edge for edge in edges if edge[0] != edge[1] and edge[1] not in ALLOWED[edge[0]]}
    assert wrong == set()


def test_the_table_is_one_of_layers_no_folder_may_import_what_is_above_it() -> None:
    layers = {name: below - {name} for name, below in ALLOWED.items()}
    in_order = list(TopologicalSorter(layers).static_order())  # CycleError names folders that may import each other
    assert sorted(in_order) == sorted(ALLOWED)


def test_files_and_functions_are_short_enough_to_be_read_at_once() -> None:
    lines = {in_package(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: count for path, count in lines.items() if count > 600} == {}
    long = [
        f"{in_package(path)}: {node.name}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 40
    ]
    assert long == []


def test_lines_of_templates_can_be_read_side_by_side() -> None:
    one_attribute = re.compile(r""" *[\w-]+=("[^"]*"|'[^']*')(/?>)?""")
    lines = [
        f"{path.name}: {number}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 160 and not one_attribute.fullmatch(line)
    ]
    assert lines == []


def test_no_two_modules_import_each_other() -> None:
    names = known_modules()
    graph = {name: {module for module in imports(path) if module in names} - {name} for name, path in names.items()}
    assert len(tuple(TopologicalSorter(graph).static_order())) == len(names)


@pytest.mark.parametrize("path", sorted((ROOT / "tracker/core").rglob("*.py")), ids=in_package)
def test_the_core_has_no_files_clock_network_or_chance(path: Path) -> None:
    foreign = {module for module in imports(path) if not module.startswith("tracker.core")}
    assert {module.split(".")[0] for module in foreign} <= PURE
    called = {
        node.func.id
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & IMPURE_CALLS


def setting_keys(path: Path) -> Iterator[str]:
    """Return the key of every setting that a module reads or writes by its key, as it stands in the source."""
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in ("setting", "settings", "set_setting"):
            yield ast.unparse(node.args[1]) if len(node.args) > 1 else "all of them"


def test_settings_are_read_and_written_by_their_typed_attributes() -> None:
    keys = {in_package(path): sorted(setting_keys(path)) for path in modules() if [*setting_keys(path)]}
    allowed = {
        "app/settings.py": ["all of them", "key"],
        "extras/copies/night_transfer.py": ["all of them"],  # of a night that is copied
        "storage/store.py": ["'instance'", "'probe'", "all of them"],  # the store's own
    }
    assert keys == {path: found for path, found in allowed.items() if (ROOT / "tracker" / path).exists()}


@pytest.mark.parametrize("library", sorted(AT_HOME))
def test_each_library_is_imported_only_where_it_is_at_home(library: str) -> None:
    users = {in_package(path) for path in modules() if library in {module.split(".")[0] for module in imports(path)}}
    assert [user for user in sorted(users) if not user.startswith(AT_HOME[library])] == []


def test_whatever_is_imported_is_declared() -> None:
    lines = [*project()["dependencies"], *project()["optional-dependencies"]["club"]]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    roots = {module.split(".")[0] for path in modules() for module in imports(path)}
    foreign = roots - set(sys.stdlib_module_names) - {"tracker"} - BROUGHT_BY_FLASK
    assert {canonicalize_name(name) for name in foreign} <= declared


# Flask's request is read by pages; views, forms and wording are called with values, so they run without an app.


REQUEST_BOUND = {"request", "g", "session", "current_app", "url_for", "has_request_context"}
"""Names of Flask that stand for the request, the app or something that needs one of them."""
AROUND_PAGES = {
    "compression.py", "base/context.py", "error_pages.py", "responses.py", "wording/texts.py",
}  # fmt: skip
"""What answers every page, or finds out for all of them who asks, in which language and by which address."""


def request_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the request-bound names that a module takes from Flask, however it imports them."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "flask":
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "flask":
            found.add(node.attr)
    return found & REQUEST_BOUND


def reads_request_outside_pages(path: Path) -> bool:
    """Return whether a module reads the request and makes no Blueprint, so defines no pages."""
    nodes = [*ast.walk(tree_of(path))]
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    return "Blueprint" not in called and bool(request_names(nodes))


def test_only_pages_read_the_request() -> None:
    readers = {in_package(path) for path in modules() if reads_request_outside_pages(path)}
    assert {name for name in readers if not name.startswith("web/access/")} == {f"web/{name}" for name in AROUND_PAGES}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from flask import Flask, request", {"request"}),
        ("import flask\nflask.g.identity", {"g"}),
        ("from flask.globals import current_app", {"current_app"}),
        ("from flask import Response", set()),
    ],
)
def test_each_way_to_import_the_request_is_seen(source: str, names: set[str]) -> None:
    assert request_names(ast.walk(ast.parse(source))) == names


def test_an_address_is_read_in_one_place_so_that_every_limit_counts_senders() -> None:
    """Also the server's loop counts what `sender_of` makes of an address."""
    texts = {in_package(path): path.read_text("utf-8") for path in modules()}
    readers = {name for name, text in texts.items() if name.startswith("web/") and "remote_addr" in text}
    assert readers == {"web/access/request_guards.py", "web/access/public_address.py"}, "the second asks for no limit"
    for name in (name for name, text in texts.items() if ".addr[0]" in text):
        read_by = re.findall(r"(\w+)\(\w+(?:\[0\])?\.addr\[0\]\)", texts[name])
        assert {*read_by} <= {"sender_of", "str"}, name  # as a text: what a proxy's address is compared with
        assert len(read_by) == texts[name].count(".addr[0]"), name
