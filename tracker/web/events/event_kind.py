"""The record of one kind of event: everything that pages know about it, the words and the form that it is given."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from markupsafe import Markup

from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.queries.options import CardCount
from tracker.core.queries.prompts import Prompt
from tracker.web.events.correction_form import Form
from tracker.web.wording.texts import gettext as _, listed, whole_number


@dataclass(frozen=True)
class Vocabulary:
    """The words of one event's sentence; without the state before it, what was borrowed on paper is not said."""

    before: Night | None
    after: Night
    is_markup: bool
    reader: str | None = None
    """The seat whose own phone shows the sentence."""
    is_short: bool = False
    """In a short sentence not the names stand out, but the numbers."""

    def name(self, account: str) -> str:
        night = self.after
        if account in night.people:
            name = self.text(night.people[account].name)
            return f"<b>{name}</b>" if self.is_markup and not self.is_short else name
        if account == BANK:
            return _("the bank")
        return self.text(_(night.preset.board[account].name) if account in night.preset.board else account)

    def names(self, accounts: Iterable[str]) -> str:
        return listed(self.name(account) for account in accounts)

    def text(self, typed: str) -> str:
        """Return what somebody typed, made safe for markup."""
        return str(Markup("<bdi>{}</bdi>").format(typed)) if self.is_markup else typed

    def number(self, number: int) -> str:
        """Return a number as it stands in a short sentence."""
        return str(Markup('<b class="num">{}</b>').format(number)) if self.is_markup else str(number)

    def chips_moved(self, *, source: str | None = None, target: str | None = None) -> int:
        """Return the chips that this event moved from or to an account."""
        made = self.after.last_transfers
        return sum(one.chips for one in made if source in (None, one.source) and target in (None, one.target))

    def iou_chips(self, debtor: str, holder: str) -> int:
        """Return the IOU in chips that this event wrote; 0 when the state before is not known."""
        if self.before is None:
            return 0
        then, now = self.before.ledger.iou, self.after.ledger.iou
        return now.get((debtor, holder), 0) - then.get((debtor, holder), 0)


Sentence = Callable[[Any, Vocabulary], str]
"""Returns what an event did, in the reader's language."""
Fact = Callable[[Any, Vocabulary], object]


def says(text: str, **facts: str | Fact) -> Sentence:
    """Return the sentence of a text marked with N_, with the event's fields as facts; `n` stands out."""

    def sentence(event: Any, words: Vocabulary) -> str:
        said = {}
        for key, fact in {"name": "seat", **facts}.items():
            value: Any = getattr(event, fact, ()) if isinstance(fact, str) else fact(event, words)
            if isinstance(fact, str) and not isinstance(value, int):
                value = words.names((value,) if isinstance(value, str) else value)
            said[key] = words.number(value) if key == "n" else value
        return _(text, **said)

    return sentence


def moved(**ends: str) -> Fact:
    """Return the chips that an event moved from or to the accounts in its fields: `moved(source="pot")`."""
    return lambda event, words: words.chips_moved(**{end: getattr(event, field) for end, field in ends.items()})


NO_NUMBER = -1
"""Stands for a number that can't be read: every event refuses it."""


@dataclass(frozen=True)
class MoveForm:
    """What a phone sent, and the moment of the night that it is read at."""

    values: Mapping[str, str]
    night: Night
    prompt: Prompt = field(default_factory=lambda: Prompt(""))
    plan: Mapping[str, str] = field(default_factory=dict)
    """For the next antes: seat -> `out` (sits out), or who lends, or `bank`."""
    card_count: CardCount = field(default_factory=CardCount)
    """What phones have said of this hand's payment."""
    counted: tuple[Mapping[str, int | str], Event] | None = None
    """Of a score game: what is known of each seat of the deal or round that is being counted (points, or that it
    pauses), and the event that pays them.

    None while nothing is counted.
    """

    @property
    def verb(self) -> str:
        return self.values.get("do", "").partition(":")[0]

    @property
    def argument(self) -> str:
        return self.values.get("do", "").partition(":")[2]

    @property
    def seat(self) -> str:
        return self.text("seat")

    def text(self, name: str) -> str:
        """Return a field's text, without spaces around it; nothing where the form has no such field."""
        return self.values.get(name, "").strip()

    def number(self, name: str) -> int:
        """Return the whole number of a field; NO_NUMBER where it has none."""
        return number(self.values.get(name, ""))

    @property
    def chips(self) -> int:
        """The chips of the button, or else of the field `chips`."""
        return number(self.argument) if self.argument else self.number("chips")

    @property
    def cover(self) -> dict[str, str]:
        """Who lends to whom, from the fields `cover-<seat>`."""
        named = ((name, source) for name, source in self.values.items() if name.startswith("cover-"))
        return {name.removeprefix("cover-"): source for name, source in named if source}


ReadEvent = Callable[[MoveForm], Event]
"""Returns the event that a form asks for, its values not checked yet."""


def number(text: str) -> int:
    """Return the whole number that `text` spells; NO_NUMBER where it spells none."""
    read = whole_number(text)
    return NO_NUMBER if read is None else read


E = TypeVar("E", bound=Event)
Reason = Literal[
    "antes", "places", "cards", "dummy", "dues", "bets", "penalties", "corrections", "board", "abandoned", "other"
]
"""What a seat won or lost chips by, in the settlement's ranking."""


@dataclass(frozen=True, kw_only=True)
class EventKind(Generic[E]):
    """One kind of event: its sentence, who may record it, how forms record and correct it, how the log shows it."""

    event: type[E]
    sentence: Callable[[E, Vocabulary], str] | Sentence
    """What the event did, from the state after it."""
    short: Callable[[E, Vocabulary], str] | None = None
    """The same in fewer words, for the line under the table; where there is none, `sentence` stands there."""
    undone: Callable[[E, Vocabulary], str] | None = None
    """What taking the event back means at the table, from the state without it; None says so in general words."""
    is_for_host: bool = False
    """For others only the host may record it, also where the night lets everybody record for everybody."""
    own: str = ""
    """The field with the only seat that it is about: its phone may record it, and its token stands in the log."""
    seats: Callable[[E, Night], Collection[str | None]] | None = None
    """The seats that it is about, where `own` does not say it: a seat's phone may record it if it is about no other.

    None: it is about the whole table, so a seat may record it only where everybody may record for everybody.
    """
    buttons: Mapping[str, ReadEvent] = field(default_factory=dict)
    """The verb of each button that records it -> what reads the event from the form.

    A kind without fields needs none: its own word is the verb.
    """
    correction: Form = field(default_factory=Form)
    icon: str = "log"
    """The icon before its line in the log, where no token or pot label stands there."""
    token: Callable[[E], str | None] = lambda _event: None
    """The seat whose token stands before its line in the log, where `own` does not say it."""
    reason: Reason = "other"

    @property
    def word(self) -> str:
        return self.event.kind

    def token_of(self, event: E) -> str | None:
        return getattr(event, self.own) if self.own else self.token(event)

    def may_record(self, event: E, night: Night, seat: str | None, *, is_open: bool) -> bool:
        """Return whether a seat's phone may record `event`; `is_open` where everybody may record for everybody."""
        about = {getattr(event, self.own)} if self.own else self.seats and self.seats(event, night)
        is_own = about is not None and set(about) <= {seat}
        return is_own or (is_open and not self.is_for_host)


AnyKind = EventKind[Any]
