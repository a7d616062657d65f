"""Every form on every page, as a browser would send it: each kind of form once for each of its buttons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag, sent
from support.of_extras import functions_of_extras, of_extras
from support.page_states import PEOPLE, ServedStates
from werkzeug.test import TestResponse

from tracker.formats.built_in import built_in
from tracker.web.access.rate_limits import GuessLimit

Fields = dict[str, str | list[str]]
TYPED = {
    "name": "Friederike",
    "cost": "12",
    "what": "Pizza",
    "counted": "7",
    "password": "geheim12",
    "pin": "4711",
    "cents": "5",
    "url": "http://127.0.0.1:9/",
}
"""What is typed into a field that is empty on its page."""
SAID = ("do", "where", "wants", "use", "at-table", "last", "counted")
"""Buttons of one name that send something else each, not the same about another person or board."""
TABLES = dict.fromkeys(("night", "device", "invite", "setting", "person_change"), "*") | {"event": "code, number, hash"}
KEYS = re.compile(r"\b[0-9a-f]{32}\b")


@dataclass(frozen=True)
class SentForm:
    """What one button of a form sends, and the page that it stands on."""

    path: str
    action: str
    fields: Fields
    button: str

    def __str__(self) -> str:
        return f"{self.action} {self.button} (at {self.path})"


def forms_at(phone: ClientPhone, path: str) -> Iterator[SentForm]:
    """Yield what each button of a page sends that changes something."""
    page = HtmlPage(phone.get(path).text)
    for form in page.select("form[method=post]"):
        others = page.select(f"button[form={form.get('id')}]") if form.get("id") else []
        for button in [*form.select("button"), *others]:
            name = button.get("name")
            fields = {**filled(form), **({name: button.get("value")} if name else {})}
            action = button.get("formaction") or form.get("action") or path
            if button.get("type") in ("", "submit"):
                yield SentForm(path, action, fields, f"{name}={button.get('value')}" if name else "")


def filled(form: Tag) -> Fields:
    """Return the fields of a form with something in each, as somebody would fill it in."""
    fields: Fields = {}
    for tag, written in sent(form):
        name, value = tag.get("name"), written or TYPED.get(tag.get("name"), "")
        before = fields.get(name)
        fields[name] = value if before is None else [*before, value] if isinstance(before, list) else [before, value]
    for tag in form.select("input[type=radio], input[type=checkbox]"):  # what has to be chosen first
        fields.setdefault(tag.get("name"), tag.get("value"))
    return fields


BOARD, DELETED_BOARD, MISSING_BOARD = "our-board", "deleted-board", "missing-board"
LATE = (
    *("settings.begin", "seat.send_phone_away", "seat.remove", "settlement.finish"),
    *("join_requests.refuse", "join_requests.ask_otherwise"),
    *of_extras("late_forms"),
)
"""Views after which pages have fewer forms, so they are sent last."""


class FormWalk:
    """The pages of all states, some boards, and what extras make for it."""

    def __init__(self, states: ServedStates) -> None:
        self._states, self.site = states, states.site
        self._late: list[tuple[ClientPhone, SentForm]] = []
        self.site.access.tries = GuessLimit(1_000_000, 1_000_000)
        boards = self.site.tables.library.settings
        for board in (BOARD, DELETED_BOARD, MISSING_BOARD):
            group = boards.deleted_presets if board == DELETED_BOARD else boards.own_presets
            group.put(board, replace(built_in("michigan-rummy"), id=board, name=board))
        self._made = [page for make in functions_of_extras("pages_with_forms") for page in make(states)]
        boards.own_presets.put(MISSING_BOARD, None)

    def forms(self) -> Iterator[tuple[ClientPhone, SentForm]]:
        """Yield what every button of every page sends, as the page is when it is asked for, but for what is LATE."""
        for person, path in self._pages():
            phone = self._states.visitors[person]
            for form in forms_at(phone, path):
                if self.endpoint(form) in LATE:
                    self._late.append((phone, form))
                else:
                    yield phone, form

    def late_forms(self) -> Iterator[tuple[ClientPhone, SentForm]]:
        """Yield what is LATE of the pages that `forms` has gone through, as these are now."""
        for phone, old in self._late:
            yield from ((phone, one) for one in forms_at(phone, old.path) if one.button == old.button)

    def endpoint(self, form: SentForm) -> str:
        """Return the name of the view that takes a form."""
        endpoint, _ = self.site.app.url_map.bind("here").match(form.action.partition("?")[0], "POST")
        return str(endpoint)

    def kind(self, form: SentForm) -> tuple[str, ...]:
        """Return what forms have in common that differ in whom or which board they are about."""
        endpoint, (name, _, value) = self.endpoint(form), re.sub(r"\d+", "", form.button).partition("=")
        fields = () if endpoint == "table.record" else sorted({re.sub(r"\d+", "", one) for one in form.fields})
        return (endpoint, name, value.partition(":")[0] if name in SAID else "", *fields)

    def _pages(self) -> Iterator[tuple[tuple[str, str], str]]:
        codes, host = self._states.codes, ("site", "host")
        yield from (
            *((host, path.format(board=BOARD, deleted=DELETED_BOARD)) for path in of_extras("board")),
            *((host, path) for path in self._made),
            (("play", "ben"), f"/n/{codes['play']}/seat/ben"),
            (host, f"/n/{codes['lobby']}/seat/leo"),
            (host, f"/n/{codes['lobby']}/order?{'&'.join(f'o={seat}' for seat in PEOPLE)}"),
            (host, f"/n/{codes['play']}/change/11?seat=leo"),
        )
        for state in self._states.all_states():
            if state.moment not in self._states.opened_anew:
                start = "" if state.moment == "site" else f"/n/{codes[state.moment]}"
                yield (state.moment, state.person), f"{start}{state.path}".format_map(codes)

    def prepared(self) -> Iterator[tuple[ClientPhone, str, str]]:
        """Yield browsers, the pages that they have after something that no state has, and the view of a form there."""
        site, host = self.site, self._states.host
        poker = f"/n/{self._states.codes['poker']}"
        yield site.phone(), site.access.mint_host_link(), "home.redeem"
        for prepared_forms in functions_of_extras("prepared_forms"):
            yield from prepared_forms(self._states)
        for moment in ("stakes", "bets"):
            yield host, f"/n/{self._states.codes[moment]}/phones", "seat.send_phone_away"
        site.request_join(poker[3:], name="Otto")
        yield host, poker, "join_requests.refuse"
        yield site.request_join(poker[3:], name="Nora"), f"{poker}/knock", "join_requests.ask_otherwise"
        for page, endpoint in map(str.split, of_extras("forms")):
            yield host, page, endpoint
        yield host, f"/n/{self._states.codes['kept']}/settle", "settlement.set_payment"
        yield host, f"/n/{self._states.codes['between']}/settle", "settlement.finish"


def state_of(site: Site) -> dict[str, object]:
    """Return all that a form may have changed."""
    with site.tables.store.connection.read() as db:
        rows: dict[str, object] = {
            table: set(db.execute(f"SELECT {columns} FROM {table}")) for table, columns in TABLES.items()
        }
    links = ("host-link", "phone-link")
    rows["links"] = sorted(key for kind in links for key in site.access.host_links._rows._of(kind))
    rows["of extras"] = [kept(site) for kept in functions_of_extras("kept_by_forms")]
    rows["temporary"] = sorted(site.tables.temporary)
    return rows


def words_of(answer: TestResponse) -> tuple[int, str, str]:
    """Return what somebody sees of an answer."""
    return answer.status_code, KEYS.sub("", answer.headers.get("Location", "")), KEYS.sub("", answer.text)
