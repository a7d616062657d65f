"""A night that is tapped on one phone for everybody: its table, and what lies badly on its pages."""

from support.browser_phones import PHONE, BrowserNight
from support.layout_faults import layout_faults
from support.transcripts import played, recorded

from tracker.core.queries.summary import summary

PEOPLE = ("Ann", "Ben", "Mia", "Tom")
MISPLACED = """() => [...document.querySelectorAll(".due")].filter((line) => {
  const [tokens, words, sum] = [".tok", ".tx", ".amount"].map((one) => [...line.querySelectorAll(one)].at(-1));
  const [left, box, right] = [tokens, words, sum].map((one) => one.getBoundingClientRect());
  return box.left < left.right || box.right > right.left + 1 || box.height > line.offsetHeight;
}).map((line) => line.textContent.trim())"""


class Table:
    """A night on one board, tapped on the host's phone."""

    def __init__(self, night: BrowserNight, preset: str, *guests: str) -> None:
        """Open the night and deal its first hand; guests have a phone of their own."""
        self.night, self.preset = night, preset
        options = {"money.cents": "10"}
        self.phone = night.play(PEOPLE[0], *guests, others=PEOPLE[1:], preset=preset, options=options)
        self.look("begun")

    def look(self, moment: str) -> None:
        """Check that nothing lies badly; whoever wants to see what a person sees replaces this by a camera."""
        self.phone.page.wait_for_load_state()  # a page can be asked before it has its styles, and then in other fonts
        self.phone.page.evaluate("document.fonts.ready")
        found, dock = layout_faults(self.phone.page), self.phone.page.locator(".dock").bounding_box()
        assert found == [], (self.preset, moment, found)
        assert dock
        assert dock["y"] + dock["height"] <= PHONE["height"] + 1, (self.preset, moment, "the dock is out of sight")

    def out(self, seat: str, *left: int, points: bool = False, pays: str = "Pay") -> None:
        """Somebody is out; the others' cards clockwise from there, one tap each, or points digit by digit."""
        self.phone.tap_word("Someone is out")
        self.look("who is out")
        self.phone.tap(f"#s-{seat}")
        if not left:
            return
        self.phone.see("#pay")
        for count in left:
            keys = [*str(count), "next"] if points else [str(count)]
            self.phone.tap(*(f".pad [data-key='{key}']" for key in keys))
        self.look("count")
        self.phone.record(f"#pay[aria-disabled=false]:has-text('{pays}')")
        self.look("paid")

    def ends_with(self, stacks: str, **pots: int) -> None:
        """The chips of Ann, Ben, Mia and Tom, and what still lies on the board; no chip is lost."""
        state = self.night.state()
        lying = {pot.replace("-", "_"): chips for pot, chips in state["pots"].items() if chips}
        assert [state["stacks"][name.lower()] for name in PEOPLE] == [int(chips) for chips in stacks.split()]
        assert lying == pots
        assert sum(state["stacks"].values()) + sum(lying.values()) == sum(state["bought"].values())
        self.look("over")

    def settle(self) -> None:
        """End the night by taps; everybody's net on the page is the one that a replay of the file comes to."""
        self.phone.tap_word("Finish")
        self.phone.page.wait_for_url("**/settle")
        if self.phone.page.locator("text=Best poker hand?").count():
            self.phone.tap("label.pick:has-text('Mia')")
            self.phone.tap_word("Give them the pool")
        self.phone.tap_word("Finish the night")
        self.phone.see(".podium")
        load = "address => fetch(address).then((answer) => answer.text())"
        file = self.phone.page.evaluate(load, f"/n/{self.night.code}/night.json")
        *_, night = played(*recorded(file))
        found = summary(night)
        assert (found["phase"], sum(found["net"].values())) == ("ended", 0)
        rows = self.phone.page.locator("table.rank tbody tr")
        shown = [[row.locator("bdi").inner_text(), row.locator("td").nth(2).inner_text()] for row in rows.all()]
        nets = {name.lower(): int(net.replace("\N{MINUS SIGN}", "-").removeprefix("±")) for name, net in shown}
        assert nets == found["net"]
        assert self.phone.page.locator(".due").count() == len(found["payments"]) > 0
        assert self.phone.page.evaluate(MISPLACED) == []
