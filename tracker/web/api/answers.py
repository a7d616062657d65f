"""The types of what the API takes and answers; the OpenAPI description is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NewType, NotRequired, TypedDict

Phase = Literal["lobby", "stakes", "dummy", "held", "poker", "play", "showdown", "ended"]
PromptName = Literal["ante", "stakes", "dummy", "auction", "held", "poker", "play", "count", "match", "ended"]
Game = Literal["pots", "rounds", "rum", "points"]
BySeat = dict[str, int]
Fields = dict[str, Any]
LogLine = NewType("LogLine", dict[str, Any])
"""An event as a line of the night file: `kind` and its fields, and perhaps `id`, `at` and `by`."""

# The state of a night


class Note(TypedDict):
    """An IOU: `holder` (a seat or pot) may claim these chips from `debtor`."""

    debtor: str
    holder: str
    chips: int


class Transfer(TypedDict):
    """A payment that settles the night."""

    debtor: str
    creditor: Annotated[str, "a seat, or `bank`"]
    chips: Annotated[int, "chips, or points in a score game"]


class TablePrompt(TypedDict):
    """The one question that the table asks now; fields that do not belong to it are null, empty, 0 or false."""

    name: PromptName
    dealer: Annotated[str | None, "ante: who deals the next hand"]
    needs: Annotated[BySeat, "ante: each seat's whole ante in chips; stakes: each seat's budget"]
    short: Annotated[BySeat, "ante: seats that can't pay it, and how many chips they lack"]
    winner: Annotated[str | None, "count: who is out of cards"]
    payers: Annotated[list[str], "count: who is asked for cards left, clockwise"]
    pot: Annotated[str | None, "match: the pot of the withheld card; poker: the pool"]
    offender: Annotated[str | None, "match: who withheld the card"]
    calls: Annotated[BySeat, "poker, where it is bet for: the chips that each player lacks to the highest bet"]
    turn: Annotated[str | None, "dummy and auction: whose bid it is or would be; stakes: who is next"]
    least: Annotated[int, "dummy and auction: the least that the next bid must be, in chips"]
    is_offer: Annotated[bool, "auction: the dummy hand has one price, `least`, and the first who bids it has it"]
    ends_night: Annotated[bool, "ante: somebody can't pay, and by the house rule the night is over then"]
    is_stage: Annotated[bool, "the question is a stage of the hand, which goes on (`go-on`) when nobody has an answer"]


class State(TypedDict):
    """A night as it stands now. All amounts are chips, or points in a score game, by seat or pot."""

    head: Annotated[int, "how many events led here"]
    name: Annotated[str, "what the night is called"]
    preset: Annotated[str, "the id of its preset"]
    phase: Phase
    hand: Annotated[int, "the number of the hand (deal, round) that is played or was played last; 0 before the first"]
    dealer: Annotated[str | None, "who deals this hand, in games that have a dealer"]
    names: Annotated[dict[str, str], "what each person is called, by seat; also those who have left"]
    seats: Annotated[list[str], "who sits at the table, clockwise"]
    direction: Annotated[Literal[1, -1], "the direction of play: 1 clockwise, -1 turned"]
    barred: Annotated[list[str], "who may take no money card in this hand"]
    stacks: Annotated[BySeat, "chips in front of each seat; empty in a score game"]
    bought: Annotated[BySeat, "chips that each seat has bought"]
    pots: Annotated[BySeat, "chips in each pot, by the pot's id; IOUs are in `notes`"]
    notes: list[Note]
    scores: Annotated[BySeat, "points; empty in a pot game"]
    worth: Annotated[BySeat, "stack + IOUs held - IOUs owed, or points; after the end with the share of the leftover"]
    net: Annotated[BySeat, "worth - bought, or points"]
    winners: Annotated[list[str], "who has the highest net or score, as if the night ended now"]
    payments: Annotated[list[Transfer], "the fewest payments that settle the nets"]
    prompt: TablePrompt


# Nights and presets


class OpenNightBody(TypedDict):
    """A night to open."""

    preset: Annotated[str | Fields, "the id of a preset, or a whole preset"]
    options: NotRequired[Annotated[Fields, "house rules changed for this night"]]
    name: NotRequired[Annotated[str, "at most 60 characters; else the preset's name"]]
    id: NotRequired[Annotated[str, "the sender's own: sent again, it opens no other night"]]


class NightFile(TypedDict):
    """A whole night: see docs/night-file.md."""

    format: Literal["board-tracker-night"]
    version: Literal[1]
    preset: Annotated[str | Fields, "the id of a preset, or a whole preset"]
    options: NotRequired[Annotated[Fields, "house rules changed for this night"]]
    name: NotRequired[Annotated[str, "what the night is called"]]
    events: list[LogLine]


class JoinAddress(TypedDict):
    """How people come to the night."""

    url: Annotated[str, "the link in the QR code"]
    address: Annotated[str, "`host:port` to type"]
    code: Annotated[str, "the join code to type there"]


class OpenedNight(TypedDict):
    """A night that was opened or imported, and its host's token."""

    code: str
    token: Annotated[str, "stands for the host of this night; it is shown only here"]
    join: Annotated[JoinAddress | None, "null where the machine has no address"]


class SeatBody(TypedDict):
    """The seat that a token is for."""

    seat: str


class SeatToken(TypedDict):
    """A token that records for one seat."""

    seat: str
    token: str


class NightLine(TypedDict):
    """A night in the list of all."""

    code: str
    name: str
    opened_at: Annotated[str, "UTC, ISO 8601"]
    events: int
    preset: Annotated[str, "the id of its preset"]
    phase: Annotated[Phase | Literal["unreadable"], "`unreadable` where the log is damaged; then nobody is named"]
    hand: int
    names: Annotated[dict[str, str], "by seat"]
    winners: Annotated[list[str], "seats; empty until the night has ended"]
    net: Annotated[BySeat, "chips or points by seat; empty until the night has ended"]
    is_archived: bool


class NightList(TypedDict):
    """A page of the list of all nights, the newest first."""

    nights: list[NightLine]
    next: Annotated[str | None, "the address of the next page; null on the last"]


class PersonSeat(TypedDict):
    """A seat of a night."""

    code: str
    seat: str


class PersonLine(TypedDict):
    """A person in the list of all."""

    id: Annotated[str, "stays when the person is renamed, and is never used again"]
    name: str
    colour: Annotated[int, "1 to 8"]
    is_hidden: Annotated[bool, "whether the pages leave this person out"]
    seats: Annotated[list[PersonSeat], "where this person sat, as somebody has said it; without deleted nights"]


class PersonList(TypedDict):
    """A page of the list of all people, by name."""

    people: list[PersonLine]
    next: Annotated[str | None, "the address of the next page; null on the last"]


class SeatRange(TypedDict):
    """How many people may play."""

    min: int
    max: int


class PresetLine(TypedDict):
    """A preset in the list of all."""

    id: str
    name: str
    game: Game
    seats: SeatRange
    is_own: Annotated[bool, "whether it was made at this table, and does not come with the tracker"]


class PresetList(TypedDict):
    """All presets: the table's own first."""

    presets: list[PresetLine]


# Refusals


class Refusal(TypedDict):
    """Why a request was refused."""

    reason: Annotated[str, "a word that never changes"]
    sentence: Annotated[str, "the same for people, in English"]
    field: NotRequired[Annotated[str, "the field or header to mend"]]
    short: NotRequired[Annotated[BySeat, "who lacks how many chips"]]
    number: NotRequired[Annotated[int, "the number of the event that would no longer fit"]]
    state: NotRequired[Annotated[State, "the present state, with 409"]]
