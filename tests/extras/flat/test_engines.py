"""A hand on the tablet in browsers of other makers: people sit down, pull a place to themselves, and are paid."""

from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from extras.flat.tablet import SPOT
from support.browser_engines import ENGINES, WebDriverPhone
from support.server_process import Command

pytestmark = pytest.mark.slow
TAKEN = "(pot) => !document.querySelector(`#p-${pot}[data-ask=collect]`)"


@pytest.mark.parametrize("engine", ["Firefox", "WebKitGTK"])
def test_people_sit_down_pull_a_place_to_themselves_and_are_paid(engine: str, tmp_path: Path) -> None:
    with ExitStack() as ended:
        command = Command(tmp_path / "data")
        ended.callback(command.kill)
        page = ended.enter_context(closing(ENGINES[engine](tmp_path / "tablet")))
        assert isinstance(page, WebDriverPhone)
        page.resize(1200, 900)
        play_hand(page, command)


def play_hand(page: WebDriverPhone, command: Command) -> None:
    def tap(*selectors: str) -> None:
        for selector in selectors:
            page.press(*page.until(SPOT, selector))

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
        tap(f"#free-{place} .sit", f"#free-{place} [name=seat][value={seat}]")
        page.until(SPOT, f"#s-{seat}[data-place={place}]")
    tap("#s-ben [value='deal:ben']", "#s-ben [value=no-sale]")
    page.drag(page.until(SPOT, "#p-king-clubs[data-ask=collect]"), page.until(SPOT, "#s-mia"))
    page.until(TAKEN, "king-clubs")
    tap("#d-ruth-do-out", "#s-ben .pad [data-key='3']", "#s-mia .pad [data-key='2']", "#d-ruth-pay:enabled")
    page.until(SPOT, "#s-mia [id^=d-mia-do-poker], #s-ben [value^='waive:']")
    code = page.address().split("/n/")[1].split("/")[0]
    assert command.state(code)["stacks"] == {"ruth": 91 + 4 + 5, "ben": 82 - 3, "mia": 91 + 4 - 2}
