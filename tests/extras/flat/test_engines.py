"""A hand on the tablet in browsers of other makers: people sit down, pull a place to themselves, and are paid."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.browser_engines import ENGINES, WebDriverPhone
from support.server_process import Command

pytestmark = pytest.mark.slow
CENTER = """selector => {
  const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length);
  if (!found || found.disabled || getComputedStyle(found).pointerEvents === "none") return null;
  const { left, top, width, height } = found.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
TAKEN = "(pot) => !document.querySelector(`#p-${pot}[data-ask=collect]`)"


class EngineTablet:
    """A tablet in one browser, which is the host's device."""

    def __init__(self, page: WebDriverPhone, command: Command) -> None:
        self.page, self.command = page, command

    def spot(self, selector: str) -> tuple[float, float]:
        x, y = self.page.until(CENTER, selector)
        return x, y

    def tap(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.press(*self.spot(selector))

    def pull(self, place: str, dock: str) -> None:
        self.page.drag(self.spot(place), self.spot(dock))


@pytest.fixture(name="tablet", params=["Firefox", "WebKitGTK"])
def _tablet(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineTablet]:
    with ExitStack() as ended:
        command = Command(tmp_path / "data")
        ended.callback(command.kill)
        page = ENGINES[request.param](tmp_path / "tablet")
        ended.callback(page.close)
        assert isinstance(page, WebDriverPhone)
        page.resize(1200, 900)
        yield EngineTablet(page, command)


def test_people_sit_down_pull_a_place_to_themselves_and_are_paid(tablet: EngineTablet) -> None:
    page, command = tablet.page, tablet.command
    page.goto(command.host_link)
    page.at("/")
    page.fill("Your name", "Ruth")
    page.tap("Michigan Rummy")
    page.at("/lobby")
    for name in ("Ben", "Mia"):
        page.fill("Add somebody without a phone", name)
        page.tap("Add")
        page.see(name)
    page.tap("On a tablet in the middle", "This device is the tablet")
    page.at("/flat")
    page.see("Tap the place where you sit.")
    for place, seat in (("a2", "ruth"), ("d1", "ben"), ("b1", "mia")):
        tablet.tap(f"#free-{place} .sit", f"#free-{place} [name=seat][value={seat}]")
        page.until(CENTER, f"#s-{seat}[data-place={place}]")
    tablet.tap("#s-ben [value='deal:ben']", "#s-ben [value=no-sale]")
    tablet.pull("#p-king-clubs[data-ask=collect]", "#s-mia")
    page.until(TAKEN, "king-clubs")
    tablet.tap("#d-ruth-do-out", "#s-ben .pad [data-key='3']", "#s-mia .pad [data-key='2']", "#d-ruth-pay:enabled")
    page.until(CENTER, "#s-mia [id^=d-mia-do-poker], #s-ben [value^='waive:']")
    code = page.address().split("/n/")[1].split("/")[0]
    stacks = command.state(code)["stacks"]
    assert stacks == {"ruth": 91 + 4 + 5, "ben": 82 - 3, "mia": 91 + 4 - 2}
