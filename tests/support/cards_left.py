"""What pages have to show of the count of the cards left, by the draft, and what a phone's page shows of it."""

from typing import NamedTuple

from support.html_page import HtmlPage

from tracker.app.open_night import OpenNight
from tracker.web.base.snapshot import snapshot_of
from tracker.web.table.view import BoardView

COVERS = {"writes an IOU": "winner", "buys chips": "bank", "pays what is there": ""}


class Shown(NamedTuple):
    """What a page says of a count."""

    winner: str
    cards: dict[str, str]
    cover: dict[str, str]
    jackpot: str
    total: str


def by_the_draft(table: OpenNight) -> Shown | None:
    """Return what pages have to show, by the draft and the core."""
    snapshot = snapshot_of(table)
    moment, draft = snapshot.moment, table.draft
    if moment.name != "count":
        return None
    pay = BoardView(snapshot).payment
    cover = {seat: "winner" if source == moment.winner else source for seat, source in pay.cover.items()}
    cards = {seat: str(draft.counts.get(seat, "")) for seat in moment.payers}
    return Shown(str(draft.winner), cards, cover, str(pay.jackpot), str(pay.total))


def on_phone(page: HtmlPage) -> Shown | None:
    """Return what a phone's page shows of the count; None where nothing is counted."""
    if not page.has("section.count"):
        return None
    cards, cover = {}, {}
    for row in page.select(".count-rows li"):
        button = row.select(".count-row")[0]
        seat = button.get("data-row")
        cards[seat] = button.select(".slot")[0].get_text()
        assert row.select(f"[name=cards-{seat}]")[0].get("value") == cards[seat]
        for chosen in row.select(".cover [aria-pressed=true], .cover [aria-current=true]"):
            cover[seat] = COVERS[chosen.get_text().strip()]
    name = page.text("#sum-total + span").split()[-1].lower()
    numbers = [page.text(one) for one in (".sum-face + div > b", "#sum-cards", "#sum-total")]
    assert int(numbers[0]) + int(numbers[1]) == int(numbers[2])
    return Shown(name, cards, cover, numbers[0], numbers[2])
