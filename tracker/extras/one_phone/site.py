"""`board-tracker pages`: write the edition that runs in one browser as a folder for any web host."""

import ast
import gzip
import hashlib
import io
import json
import lzma
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from typing import Any

import click
from jinja2 import Environment, FileSystemLoader

from tracker.extras.one_phone.bridge import MADE_TEMPLATES
from tracker.storage.files import write_file
from tracker.web.app import app_without_nights
from tracker.web.compression import is_own_source, without_comments
from tracker.web.drawing.board import FEWEST, MOST
from tracker.web.flat_styles import without_layers
from tracker.web.nights.made_files import board_css
from tracker.web.resources import PACKAGE, static_dir, templates_dir
from tracker.web.template_layout import TemplateLayout
from tracker.web.wording.texts import LANGUAGES, gettext, in_language

PYODIDE_VERSION = "314.0.7"
PYODIDE = {
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The files of the npm package that are used, each with its SHA-256."""
RESTORE = "return Module.HEAP8.set(t),l}"
"""Where Pyodide puts a snapshot back. It is larger than the memory is by then (issue 6254 of Pyodide)."""
GROW = "return Module.HEAP8.length<t.length&&growMemory(t.length),Module.HEAP8.set(t),l}"
UNUSED_LIBRARY = re.compile(
    r"(__hello__|__phello__|_aix_support|_android|_apple|_ast_unparse|_ios|_markupbase|_osx_support|_py_abc|_pydatetime|_pyio|_pyrepl|"
    r"_sysconfigdata\w*|antigravity|argparse|asyncio/(__main__|proactor_events|tools|windows_\w+)|bdb|cProfile|cgi|cgitb|cmd|"
    r"code|compileall|concurrent/(futures/(interpreter|process)|interpreters)|configparser|ctypes|curses|doctest|"
    r"email/(_header_value_parser|contentmanager|headerregistry|mime|policy)|ensurepip|filecmp|fileinput|ftplib|getopt|getpass|"
    r"graphlib|idlelib|imaplib|importlib/(_bootstrap|_bootstrap_external)|lib2to3|logging/(config|handlers)|mailbox|"
    r"modulefinder|multiprocessing|netrc|nturl2path|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pty|py_compile|"
    r"pyclbr|pydoc|pydoc_data|pyodide/console|rlcompleter|runpy|sched|shelve|smtplib|sqlite3/__main__|sre_\w+|statistics|"
    r"symtable|tabnanny|this|timeit|tkinter|trace|tracemalloc|tty|turtle|turtledemo|unittest|urllib/robotparser|venv|wave|"
    r"webbrowser|wsgiref|xml|xmlrpc|zipapp|zipimport|"
    r"encodings/(?!cp437|cp1252|iso8859_15?\.)(cp|mac_|iso|big5|gb|euc|hz|shift|johab|koi|kz|ptcp|tis|hp_|palmos|quopri|rot|uu|undefined|"
    r"oem|mbcs)\w*)(\.py|/)"
)
"""Of Python's own library: what is imported nowhere here."""
LATER_LIBRARY = re.compile(
    r"(_compat_pickle|_strptime|_sysconfigdata|calendar|colorsys|csv|difflib|email|fractions|gettext|gzip|hmac|html|http|ipaddress|"
    r"mimetypes|numbers|pickle|pkgutil|platform|pprint|queue|quopri|secrets|shlex|socketserver|sqlite3|stringprep|sysconfig|tarfile|"
    r"tomllib|urllib|uuid|zoneinfo)\b"
)
"""Of Python's own library: what the start of Python without any packages does not import."""
DISTRIBUTIONS = (
    *("flask", "werkzeug", "jinja2", "markupsafe", "itsdangerous", "click", "blinker", "qrcode", "tomli-w"),
    *("sqlite-utils", "pluggy", "sqlite-fts4", "python-dateutil"),
)
"""What the tracker imports in a browser, besides itself."""
UNUSED_PACKAGES = re.compile(
    r"(click/(_termui_impl|_winconsole|shell_completion|testing)|dateutil/(zoneinfo|rrule|easter|tz/win)|"
    r"flask/(testing|views)|jinja2/(constants|meta|nativetypes|sandbox)|qrcode/(tests|console_scripts|image/(pil|styled|styles/(colormasks|moduledrawers/(pil|svg))|svg))|"
    r"sqlite_utils/cli\.py|tracker/(server/|extras/one_phone/site|extras/rehearsal/(demo|command)|extras/processes/|cli/(?!__init__|data_folder))|"
    r"werkzeug/(_reloader|debug|middleware|testapp)|"
    r".*/tests?/|.*\.(pyi|pyx|c|so|typed|md|rst|exe)$|.*__pycache__|.*\.dist-info/|\.\./)"
)


def words() -> dict[str, str]:
    """Return the sentences of the frame in the language that is set: it says them before there is a Python to ask."""
    return {
        "fetch": gettext("The tracker comes to this phone, once. After that it needs no internet."),
        "start": gettext("The tracker is starting …"),
        "old": gettext("This browser can’t run the tracker: open this page in a newer one."),
        "offline": gettext("The tracker did not come whole. Is there internet? Then try again."),
        "refused": gettext("This browser stores nothing for this page: open it in a window that is not private."),
        "full": gettext("This phone has no room left. What was stored is safe: make some room, then try again."),
        "elsewhere": gettext("The nights are open in a newer tab or window. Nothing is stored from this one any more."),
        "broken": gettext("The tracker could not start. What was stored is safe."),
        "repaired": gettext("What was stored was damaged, and was put together again. Look at the newest night."),
        "stuck": gettext("It does not start. Close this page and the browser, then open both again: nothing is lost."),
        "again": gettext("Try again"),
        "here": gettext("Go on here"),
        "go": gettext("Go on"),
    }


def words_in_every_language() -> dict[str, dict[str, str]]:
    """Return them by the codes of the languages."""
    found = {}
    for language in LANGUAGES:
        with in_language(language):
            found[language] = words()
    return found


def package_paths() -> Iterator[tuple[str, Path]]:
    """Yield every file of the tracker and its packages: its path in a folder of packages, and where it is here."""
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".toml", ".json", ".mo", ".txt") and "templates" not in path.parts:
            yield f"tracker/{path.relative_to(PACKAGE).as_posix()}", path
    for path in sorted(path for path in static_dir().rglob("*") if path.is_file()):
        yield f"tracker/static/{path.relative_to(static_dir()).as_posix()}", path
    for package in DISTRIBUTIONS:
        try:
            files = distribution(package).files or []
        except PackageNotFoundError:
            continue
        for file in files:
            yield file.as_posix(), Path(str(file.locate()))


def made_templates() -> bytes:
    """Return the Python that Jinja makes of each template, by their names, as JSON."""
    environment = app_without_nights(has_others=False).jinja_env
    assert environment.loader
    sources = {name: environment.loader.get_source(environment, name)[0] for name in environment.list_templates()}
    return json.dumps({name: environment.compile(source, name, raw=True) for name, source in sources.items()}).encode()


def package_files() -> dict[str, bytes]:
    """Return what of them runs in a browser, as small as it gets without being changed in what it does."""
    found = {name: path.read_bytes() for name, path in package_paths() if not UNUSED_PACKAGES.match(name)}
    boards = {f"tracker/static/board/{n}.css": board_css(n).encode() for n in range(FEWEST, MOST + 1)}
    made = {f"tracker/{MADE_TEMPLATES}": made_templates()}
    return boards | made | {name: smaller(name, content) for name, content in found.items()}


def smaller(name: str, content: bytes) -> bytes:
    """Return a program without its comments and the docstrings of its functions and modules, and a style sheet of our
    own as it is sent; other files as they are.

    Those of classes stay: for a dataclass without one Python makes one, which takes longer than to read it.
    """
    if is_own_source(name):
        return without_layers(content.decode()).encode() if name.endswith(".css") else without_comments(content)
    if not name.endswith(".py") or name.startswith(("pyodide/", "_pyodide/")):  # Pyodide reads docstrings of its own
        return content
    try:
        tree = ast.parse(content)
    except SyntaxError:  # of a newer Python than this one
        return content
    statements = list[ast.AST]([tree])  # no expression has any in it, and most of a tree is expressions
    for node in statements:
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.Pass()]
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            statements += getattr(node, part, ())
    return ast.unparse(tree).encode()


def library_files(archive: bytes) -> dict[str, bytes]:
    """Return the modules of Python's library that are imported here."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        names = sorted(name for name in whole.namelist() if name.endswith(".py") and not UNUSED_LIBRARY.match(name))
        return {name: smaller(name, whole.read(name)) for name in names}


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as a zip that Python imports from, uncompressed: it is compressed with all the rest."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as whole:
        for name, content in files.items():
            whole.writestr(zipfile.ZipInfo(name), content)
    return written.getvalue()


def engine_files(folder: Path) -> dict[str, bytes]:
    """Return Pyodide's files by their names. Raises ClickException for a missing or another file."""
    found = {}
    for name, wanted in PYODIDE.items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            raise click.ClickException(
                f"{folder} has no {name}: run `npm ci` in the checkout, elsewhere "
                f"`npm install pyodide@{PYODIDE_VERSION}`, and name the folder node_modules/pyodide with --pyodide"
            ) from None
        if hashlib.sha256(content).hexdigest() != wanted:
            raise click.ClickException(f"{folder / name} is not the file of pyodide {PYODIDE_VERSION}")
        found[name] = content
    script = found["pyodide.asm.mjs"].decode()
    assert script.count(RESTORE) == 1
    found["pyodide.asm.mjs"] = script.replace(RESTORE, GROW).encode()
    lock = json.loads(found["pyodide-lock.json"]) | {"packages": {}}
    found["pyodide-lock.json"] = json.dumps(lock).encode()
    return found


def packed(files: dict[str, bytes]) -> bytes:
    """Return files one after another, behind their index: its length in 4 bytes, then [path, offset, length] each."""
    index, offset = [], 0
    for path, content in files.items():
        index.append([path, offset, len(content)])
        offset += len(content)
    head = json.dumps(index, separators=(",", ":")).encode()
    return len(head).to_bytes(4, "big") + head + b"".join(files.values())


def split(files: dict[str, bytes], pattern: re.Pattern[str]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the files whose paths begin as a pattern says, and the others."""
    here = {path: content for path, content in files.items() if pattern.match(path)}
    return here, {path: content for path, content in files.items() if path not in here}


def compressed(content: bytes) -> bytes:
    """Return it gzipped, the same bytes each time: browsers can undo this themselves, whatever the web host does."""
    return gzip.compress(content, 9, mtime=0)


def manifest() -> dict[str, Any]:
    """Return the name, icons and colours for a home screen."""
    icons = [
        {"src": "/static/shared/favicon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/shared/icon.png", "sizes": "192x192", "type": "image/png"},
    ]
    names = {"name": "Board Tracker", "short_name": "Board Tracker", "id": "/", "start_url": "/", "icons": icons}
    return names | {"display": "standalone", "background_color": "#F6EFE0", "theme_color": "#F6EFE0"}


def frame(facts: dict[str, Any]) -> bytes:
    """Return the page that a browser opens."""
    environment = Environment(loader=FileSystemLoader(templates_dir()), autoescape=True, extensions=[TemplateLayout])
    environment.globals["_"] = gettext
    return environment.get_template("one_phone/frame.html").render(facts=facts).encode()


FIRST = ("frame.js", "frame.css", "worker.js")
"""Files of the frame, which a browser asks for before it has the library."""
ICONS = ("static/shared/icon.png", "static/shared/favicon.svg")


def site_files(engine: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of the site by their paths; all names but those that are asked for first have the version."""
    wasm = compressed(engine.pop("pyodide.asm.wasm"))
    later, first = split(library_files(engine["python_stdlib.zip"]), LATER_LIBRARY)
    engine["python_stdlib.zip"] = zipped(first)
    library, packages = split(package_files(), re.compile("tracker/static/"))
    library |= {f"site/pyodide/{name}": content for name, content in engine.items()}
    library |= {f"site/{name}": library.pop(f"tracker/static/one_phone/{name}") for name in FIRST}
    # Python opens this: it comes a third smaller than by gzip, which is all that browsers can undo.
    library["site/packages.xz"] = lzma.compress(packed(later | packages), check=lzma.CHECK_CRC32)
    library["site/manifest.json"] = json.dumps(manifest()).encode()
    worker = library.pop("tracker/static/one_phone/service-worker.js")
    version = hashlib.sha256(wasm + packed(library) + worker).hexdigest()[:16]
    engine_name, library_name = f"engine-{version}.bin", f"library-{version}.bin"
    # The page says how large each part is, and is in one of them: without it the size is near enough for a bar.
    sizes = {engine_name: len(wasm), library_name: len(compressed(packed(library)))}
    facts = {"version": version, "parts": [{"name": name, "bytes": size} for name, size in sizes.items()]}
    library["site/index.html"] = frame(facts | {"words": words_in_every_language()})
    return {
        "index.html": library["site/index.html"],
        "manifest.json": library["site/manifest.json"],
        "service-worker.js": worker,
        "site/version.json": json.dumps(facts).encode(),
        **{f"site/{name}": library[f"site/{name}"] for name in FIRST},
        **{path: library[f"tracker/{path}"] for path in ICONS},
        f"site/{engine_name}": wasm,
        f"site/{library_name}": compressed(packed(library)),
    }


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--pyodide",
    type=click.Path(file_okay=False, path_type=Path),
    default=PACKAGE.parent / "node_modules" / "pyodide",
    help=f"The files of the npm package pyodide {PYODIDE_VERSION}.",
)
def pages(folder: Path, pyodide: Path) -> None:
    """Write the edition that runs in one browser into FOLDER.

    Any web host with https may serve it.
    """
    files = site_files(engine_files(pyodide))
    for path, content in reversed(files.items()):  # the page comes after all that it asks for
        target = folder / PurePosixPath(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, content)
        except OSError as error:
            raise click.ClickException(f"{target}: {error.strerror}") from None
        click.echo(f"{len(content):>9,} bytes  {path}")
    total = sum(map(len, files.values()))
    click.echo(f"{total:>9,} bytes in all. A web host serves {folder} as it is, by https, at the root of a name.")
