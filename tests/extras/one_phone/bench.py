"""How long the edition of one browser takes from a tap to the painted page.

Run with `python tests/extras/one_phone/bench.py` on a machine that does nothing else: on a busy one only the least of
the taps says something. The processor is slowed four times: Chromium slows the thread of the pages; the worker has the
tracker, and its time is measured as it is and counted four times.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
from extras.one_phone.pages_site import SitePhone, WebHost, write_site
from support import chromium

BOARDS = ("michigan-rummy", "michigan-kitty", "pope-joan", "poch", "nain-jaune")
PEOPLE = ("Ann", "Ben", "Mia", "Tom")
TAPS, SLOWER, BETWEEN_SECONDS = 12, 4, 0.8
MEASURE = """() => {
  const live = document.getElementById("live");
  const head = () => live.querySelector("[data-head]")?.getAttribute("data-head");
  let begin = 0, shown = head();
  window.taps = [];
  addEventListener("pointerup", () => { begin = performance.now(); }, true);
  new MutationObserver(() => {
    if (head() === shown || !begin) return;
    shown = head();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => taps.push(performance.now() - begin);  // the frame is painted
      port2.postMessage(null);
    });
  }).observe(live, { childList: true, subtree: true, attributes: true });
}"""
MEASURE_WORKER = """() => {
  const answer = self.plainAnswer ||= self.onmessage;
  self.turns = [];
  self.onmessage = async (event) => {
    const start = performance.now();
    await answer(event);
    if (event.data.method === "POST") turns.push(performance.now() - start);
  };
}"""


def print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def in_words(milliseconds: list[float]) -> str:
    least, most = min(milliseconds), max(milliseconds)
    return f"{statistics.median(milliseconds):4.0f} ms in the median, least {least:4.0f}, worst {most:4.0f}"


def taps(phone: SitePhone, board: str) -> list[float]:
    """Have a place taken, take it back and do it again; print and return the milliseconds of each tap."""
    code = phone.api("nights", {"preset": board})["code"]
    for name in PEOPLE:
        phone.api(f"nights/{code}/events", {"kind": "sit", "seat": name.lower(), "name": name})
    phone.api(f"nights/{code}/events", {"kind": "hand", "dealer": "ann"})
    state = phone.api(f"nights/{code}")
    if state["phase"] == "dummy":
        phone.api(f"nights/{code}/events", {"kind": "no-sale"})
    taken = phone.api(f"nights/{code}/events", {"kind": "collect", "seat": "ben", "pot": next(iter(state["pots"]))})
    assert "error" not in taken, f"{board}: {taken}"
    phone.go(f"/n/{code}")
    phone.page.evaluate(MEASURE)
    worker = phone.top.workers[0]
    worker.evaluate(MEASURE_WORKER)
    slow = phone.context.new_cdp_session(phone.top)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    for _ in range(TAPS):
        phone.page.tap("button.undo >> visible=true")
        time.sleep(BETWEEN_SECONDS)  # looking whether it is there would take time of the thread that is measured
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    pages, turns = phone.page.evaluate("taps"), worker.evaluate("turns")
    assert len(pages) == len(turns) == TAPS
    slowed = [page + (SLOWER - 1) * turn for page, turn in zip(pages, turns, strict=True)]
    print_line(f"{board:16} {in_words(slowed)}; of the median {SLOWER * statistics.median(turns):.0f} ms in the worker")
    return slowed


def main() -> None:
    """Print the figures."""
    site = write_site(Path(tempfile.mkdtemp()))
    host = WebHost(site)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        phone = SitePhone(browser, Path(tempfile.mkdtemp()), host.port)
        phone.open()
        phone.top.wait_for_function("() => caches.match('/snapshot')", timeout=60_000)
        every = [one for board in BOARDS for one in taps(phone, board)]
        print_line(f"all of them      {in_words(every)}")
        phone.context.close()
    host.stop()


if __name__ == "__main__":
    main()
