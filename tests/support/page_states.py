"""Every page in every state: nights that each stand at one moment, on a server, and the addresses to look at."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page
from support.client_phones import ClientPhone, Site
from support.of_extras import functions_of_extras, moments_of_extras, of_extras, options_of_extras
from support.served_app import give_cookies, serving

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.settings import ARCHIVED, DELETED, NightSettings
from tracker.formats.codec import event_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.consent import ConsentRequest
from tracker.web.access.rate_limits import PostRateLimit

SITE_PAGES = (
    "/",
    "/new",
    "/join",
    "/help",
    "/no-such-page",
    "/files",
    "/nights/{ended}",
    "/nights/{kept}",
    *of_extras("site"),
)
"""With the codes of nights, and what else stands in addresses, in braces."""
STRANGER_PAGES = (
    "/j/{link}",
    "/join",
    "/help",
    "/n/{play}",
    *of_extras("stranger"),
)
ANSWERS = {"/no-such-page": 404, "/n/{play}": 403}
"""The status of pages that say what is wrong; all others answer 200."""
PRESET_PAGES = ("/new/{}", *of_extras("preset"))
LOBBY_PAGES = (
    "/lobby",
    "/dealer",
    "/share",
    "/settings",
    "/order",
    "/rules",
    *of_extras("lobby"),
)
PRESETS = ("michigan-rummy", "royal-rummy", *of_extras("presets"))
NIGHT_PAGES = (
    *("/lobby", "/log", "/share", "/settle", "/files", "/seat/ben", "/phones"),
    *("/seat/wil", "/change/9", "/take-back/9", "/change/13", "/take-back/13", "/rules"),
    *of_extras("night"),
    *of_extras("of_host"),
)
END_PAGES = ("/lobby", "/log", "/settle", "/files", "/rules", *of_extras("ended"))
SEAT_PAGES = ("/lobby", "/log", "/share", "/settle", "/files", "/rules")
SCREEN_PAGES = (*of_extras("watched"), *of_extras("watched_lobby"))
PEOPLE = {
    "ruth": "Ruth",
    "ben": "Ben",
    "hanna": "Hanna",
    "opa-hans": "Opa Hans",
    "wil": "Großmama-Wil",
    "leo": "Leo",
    "mia": "Mia",
    "zoe": "Zoe",
}
"""Ruth is the host, Ben has a phone; some names are long."""
QUESTIONS = """() => document.querySelector(".t-count") ? [] : [...document.querySelectorAll(".dock .ask")]
  .map((one) => [...one.classList].find((name) => name.startsWith("a-")).slice(2))
  .filter((name) => name !== document.body.dataset.question)"""
OPEN_SHEET = """async (person) => {
  const address = document.getElementById("live").dataset.sheet + person;
  const { ok } = await fetch(address, { headers: { "HX-Request": "true" } });
  if (ok) await sheets.open(address);
  return ok && sheets.isOpen();
}"""
"""Open the menu or somebody's sheet, as table.js does when it is tapped; false where there is no such sheet."""
SHOW_QUESTION = "what => { document.body.dataset.question = what; }"
"""Show a question of the dock, as table.js does when it is tapped."""

Events = tuple[tuple[str, Mapping[str, Any]], ...]
HAND: Events = (("hand", {"dealer": "ruth"}),)
CARDS = {"ruth": 2, "hanna": 0, "opa-hans": 11, "wil": 3, "leo": 4, "mia": 5, "zoe": 1}
PLAY: Events = (
    *HAND,
    ("no-sale", {}),
    ("collect", {"seat": "ben", "pot": "ten-hearts"}),
    ("penalty", {"seat": "mia", "offence": "wrong-lead"}),
    ("borrow", {"seat": "hanna", "source": "ben", "chips": 12}),
    ("buy", {"seat": "zoe", "chips": 1200}),
    ("collect", {"seat": "opa-hans", "pot": "king-queen-hearts"}),
)
POKER: Events = (*PLAY, ("out", {"seat": "ben", "cards": CARDS}))
BETWEEN: Events = (*POKER, ("poker", {"winners": ["leo"]}))
END: Events = (("end", {}),)
BOARD_KEPT: Events = (("rule", {"change": {"end": "leave", "money.cents": 10}}), *BETWEEN, *END)
REQUESTS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "hanna": ("borrow", {"seat": "hanna", "source": "ben", "chips": 12}, ["ben"]),
    "leo": ("penalty", {"seat": "leo", "offence": "wrong-lead", "cover": {"leo": "mia"}}, ["ben", "mia"]),
}


@dataclass(frozen=True)
class Moment:
    """A night as it stands: its preset, how many people, what was recorded, and what is being counted."""

    preset: str
    people: int
    recorded: Events = ()
    out: str | None = None
    requests: Mapping[str, tuple[str, dict[str, Any], list[str]]] = field(default_factory=dict)
    """By the seat that asks: kind and fields of an event, and whose yes it needs."""
    counts: Mapping[str, int] = field(default_factory=dict)
    pages: Sequence[str] = ()
    """What the host looks at besides the table."""
    has_end_pages: bool = False
    """Whether that are the pages of a night that is over."""


MOMENTS = {
    "alone": Moment("michigan-rummy", 1, pages=("/lobby",)),
    "lobby": Moment("michigan-rummy", 8, pages=LOBBY_PAGES),
    "dummy": Moment("michigan-rummy", 8, HAND),
    "auction": Moment("michigan-rummy", 8, (*HAND, ("bid", {"seat": "ben", "chips": 2}))),
    "play": Moment("michigan-rummy", 8, PLAY, pages=NIGHT_PAGES),
    "count": Moment("michigan-rummy", 8, PLAY, "leo"),
    "loan": Moment("michigan-rummy", 8, PLAY, requests=REQUESTS),
    "poker": Moment("michigan-rummy", 8, POKER),
    "between": Moment("michigan-rummy", 8, BETWEEN),
    "ended": Moment("michigan-rummy", 8, (*BETWEEN, *END), has_end_pages=True),
    "stakes": Moment("newmarket", 8, HAND),
    "held": Moment("hearts-three-stages", 8, HAND),
    "bets": Moment("hearts-three-stages", 8, (*HAND, ("go-on", {}), ("bet", {"seat": "leo", "chips": 2}))),
    "corner bets": Moment("royal-rummy", 8, HAND),
    "points": Moment("nain-jaune", 8, HAND, "leo"),
    "excuse": Moment("pope-joan", 8, HAND, "leo"),
    "excuse asked": Moment("pope-joan", 8, HAND, "leo", counts=dict.fromkeys(PEOPLE, 2)),
    **{one.pop("name"): Moment(**one) for one in moments_of_extras()},
}


@dataclass(frozen=True)
class State:
    """A page as somebody sees it: an address, and the question or the sheet that is opened over it."""

    moment: str
    person: str
    path: str
    ask: str = ""
    sheet: str = ""

    @property
    def part(self) -> str:
        """The selector of what is new in this state: a question or a sheet; empty for the whole page."""
        return ".dock" if self.ask else "#sheets" if self.sheet else ""

    def __str__(self) -> str:
        return " ".join(one for one in (self.moment, self.person, self.path, self.ask, self.sheet) if one)


class ServedStates:
    """The nights of MOMENTS on a running server, and who looks at them: the host, Ben, a watcher, somebody who asks."""

    def __init__(self, site: Site, url: str) -> None:
        self.site, self.store, self.url = site, site.tables.store, url
        self.codes: dict[str, str] = {}
        self.host = self.site.host()
        self.visitors: dict[tuple[str, str], ClientPhone] = {("site", "host"): self.host}
        self.opened_anew: dict[str, Callable[[str], str]] = {}
        """By their moment, nights that are played anew up to what an address says: from that, the code."""
        for name, moment in MOMENTS.items():
            self._open(name, moment)
        self.visitors["site", "ben"], self.visitors["site", "stranger"] = (
            self.visitors["ended", "ben"],
            self.site.phone(),
        )
        self.codes["link"] = self.site.join_link(self.codes["lobby"])[3:]
        self._open("kept", Moment("michigan-rummy", 8, BOARD_KEPT))
        self.more_states: list[State] = []
        self._add_past_nights()

    def _add_past_nights(self) -> None:
        """Fill the list of the first page, and put two nights away."""
        for add_past_nights in functions_of_extras("add_past_nights"):
            add_past_nights(self)
        for name, place in (("archived", ARCHIVED), ("deleted", DELETED)):
            self._open(name, MOMENTS["ended"])
            NightSettings(self.store, self.codes[name]).put_away = place
        for row, group in zip(self.store.nights()[-2:], ("Familie", "Samstagsrunde"), strict=True):
            NightSettings(self.store, row.code).group = group
        for add_states in functions_of_extras("add_states"):
            add_states(self)

    def _open(self, name: str, moment: Moment) -> None:
        form = {"preset": moment.preset, "host": "Ruth", "full": "1"}
        code = self.codes[name] = self.host.post("/new", dict(form)).location.split("/")[2]
        table = self.site.tables.get(code)
        seats = list(PEOPLE)[: moment.people]
        if moment.people > 1:
            self.visitors[name, "ben"] = self.site.join(code, "Ben")
            self.visitors[name, "watcher"] = self.site.request_join(code, watch="1")
        sits = tuple(("sit", {"seat": seat, "name": PEOPLE[seat]}) for seat in seats[2:])
        for kind, fields in (*sits, *moment.recorded):
            table.record(event_from({"kind": kind, **fields}), id=new_id(), by="host")
        if moment.out:
            known = {"ruth": 2, "ben": 1} if moment.preset == "michigan-rummy" else moment.counts
            counts = {seat: n for seat, n in known.items() if seat != moment.out}
            table.change_draft(partial(replace, winner=moment.out, counts=counts))
        asked = {
            seat: ConsentRequest(seat, event_from({"kind": kind, **fields}), frozenset(missing)).text()
            for seat, (kind, fields, missing) in moment.requests.items()
        }
        table.settings.requests = table.settings.requests.changed(table.night.hand, asked)
        self.visitors[name, "host"] = self.host
        if name == "play":  # somebody knocks, and somebody else is asked for a name
            self.visitors[name, "knock"] = self.site.request_join(code, name="Tante Friederike")

    def states(self, moment: str, person: str) -> Iterator[State]:
        """Yield the addresses of a moment that somebody looks at."""
        if (moment, person) not in self.visitors:
            return
        if person == "knock":
            yield State(moment, person, "/knock")
            return
        yield State(moment, person, "")
        pages = END_PAGES if MOMENTS[moment].has_end_pages else MOMENTS[moment].pages
        more = {"host": pages, "ben": SEAT_PAGES if pages else (), "watcher": SCREEN_PAGES}
        yield from (State(moment, person, path) for path in more[person])

    def address(self, state: State) -> str:
        """Return where a state is."""
        if open_anew := self.opened_anew.get(state.moment):
            self.codes[state.moment] = open_anew(state.path)
        address = state.path if state.moment == "site" else f"/n/{self.codes[state.moment]}{state.path}"
        return address.format_map(self.codes)

    def show(self, page: Page, state: State) -> int:
        """Open a state in a page of somebody's browser and return the status of the answer."""
        answer = page.goto(f"{self.url}{self.address(state)}")
        assert answer
        if state.ask:
            page.evaluate(SHOW_QUESTION, state.ask)
        return answer.status

    def opened(self, page: Page, state: State) -> Iterator[State]:
        """Show a state, then, one after the other, what opens over it: each question of the dock, and the sheets."""
        status = self.show(page, state)
        assert status == ANSWERS.get(state.path, 200), f"{state}: {status}"
        yield state
        if state.path or not page.locator("#sheets").count():
            return
        for ask in page.evaluate(QUESTIONS):
            page.evaluate(SHOW_QUESTION, ask)
            yield State(state.moment, state.person, state.path, ask)
        if state.person == "watcher":
            return
        for person in ("", "/ben", "/hanna"):
            if page.evaluate(OPEN_SHEET, person):
                yield State(state.moment, state.person, state.path, sheet=f"/sheet{person}")

    def log_in(self, context: BrowserContext, moment: str, person: str, language: str) -> None:
        """Give a browser the cookies of somebody at a night, or outside of all nights (moment `site`)."""
        for page in context.pages:  # a page that stays would reload itself when its stream is refused to other cookies
            page.goto("about:blank")
        context.clear_cookies()
        give_cookies(context, self.url, {**self.visitors[moment, person].cookies, "lang": language})

    def all_states(self) -> Iterator[State]:
        """Yield every address: of the site, and of each moment for each who looks at it."""
        of_presets = [path.format(preset) for preset in PRESETS for path in PRESET_PAGES]
        yield from (State("site", "host", path) for path in (*SITE_PAGES, *of_presets))
        yield State("site", "ben", "/")
        yield from self.more_states
        yield from (State("site", "stranger", path) for path in STRANGER_PAGES)
        for moment in MOMENTS:
            for person in ("host", "ben", "watcher", "knock"):
                yield from self.states(moment, person)


@contextmanager
def served_states(folder: Path) -> Iterator[ServedStates]:
    """Give the served nights and stop the server at the end."""
    live = StreamHub()
    with closing(Store(folder / "nights.db")) as store:
        site = Site(Nights(store, live), options=options_of_extras())
        site.access.pace = PostRateLimit(burst=1_000_000)
        with serving(site.app, live) as url:
            yield ServedStates(site, url)
