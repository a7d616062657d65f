"""The settlement as values: ranking, payments, chart and chips; and how a night ends, in words, before it does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from tracker.app.log_history import History
from tracker.core import payment_list, settlement
from tracker.core.events import Abandon, Count, Move, Sit, Text
from tracker.core.game import game_of
from tracker.core.ledger import BANK, Note
from tracker.core.night import SHOWDOWN, Night
from tracker.core.pot_game import is_part_of_hand, may_win_pool, night_pool
from tracker.core.preset import Pot
from tracker.core.queries import summary
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.events.event_kind import Vocabulary
from tracker.web.events.registry import REASON_NAMES, reason_name, split_by_reason
from tracker.web.night_result import NightResult
from tracker.web.wording.game_words import words_of
from tracker.web.wording.texts import amount, gettext as _, ngettext

REASON = Text("counted")
"""Of the moves that set the book right by a count."""


def count_difference(history: History) -> int:
    """Return how many chips more (or fewer) the last count found than the book had, once its own moves are made."""
    events = [event for _number, event, _night in history.steps]
    index = max(index for index, event in enumerate(events) if isinstance(event, Count))
    counted = history.steps[index][2].counted or {}
    while index + 1 < len(events) and isinstance(move := events[index + 1], Move) and move.why == REASON:
        index += 1
    book = history.steps[index][2].ledger
    return sum(counted.values()) - sum(book.balance(account) for account in counted)


def net_reasons(history: History) -> dict[str, dict[str, int]]:
    """Return what each seat's net is made of: reason -> chips (or points)."""
    reasons: dict[str, dict[str, int]] = {}
    for seat, reason, change in _changes(history):
        sums = reasons.setdefault(seat, {})
        sums[reason] = sums.get(reason, 0) + change
    return reasons


def _changes(history: History) -> Iterator[tuple[str, str, int]]:
    """Yield (seat, reason, chips or points) for each change of somebody's net."""
    if not history.preset.is_pot_game:
        yield from ((seat, "start", summary.starting_points(history.night, seat)) for seat in history.night.all_seats)
        reason = words_of(history.preset).reason
        for deal in history.night.deals:
            yield from ((seat, reason(change), change) for seat, change in deal.change.items())
        return
    before, of_hand = Night(history.night.preset), list[tuple[str, str, int]]()  # what is not known to count yet
    for _number, event, after in history.steps:
        changes = [(seat, after.net(seat) - before.net(seat)) for seat in after.all_seats]
        split = [
            (seat, *one) for seat, change in changes if change for one in split_by_reason(event, after, seat, change)
        ]
        if event.kind in ("hand", "end"):
            yield from of_hand
            of_hand = []
        if isinstance(event, Abandon):
            of_hand = _given_back([*of_hand, *split])
        elif event.kind != "hand" and is_part_of_hand(event):
            of_hand += split
        else:
            yield from split
        before = after
    yield from of_hand


def _given_back(changes: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return what is left of the changes of a hand that was given up, by seat: mostly nothing."""
    left: dict[str, int] = {}
    for seat, _reason, chips in changes:
        left[seat] = left.get(seat, 0) + chips
    return [(seat, "abandoned", chips) for seat, chips in left.items() if chips]


def starting_chips(history: History) -> dict[str, int]:
    """Return how many of the chips that each seat bought it got when it first sat down."""
    start: dict[str, int] = {}
    for _number, event, after in history.steps:
        if isinstance(event, Sit):
            start.setdefault(event.seat, after.ledger.bought.get(event.seat, 0))
    return start


@dataclass(frozen=True)
class Rank:
    """A line of the ranking: chips (or points) at the end, won or lost, and out of what that sum is made."""

    place: int
    """0 for somebody who has no place: without a hand or round."""
    face: PlayerToken
    worth: int
    net: int
    money: str
    bought: int
    start: int
    """How many of the chips bought were those to begin with."""
    why: tuple[tuple[str, int], ...]
    """(reason, chips), summing to the net."""
    note: str = ""
    part: str = ""
    """Why somebody could not win: by having played nothing, or in a score game by having left."""


@dataclass(frozen=True)
class SettlementReport(NightResult):
    """A night's settlement, as if it ended now or as it has."""

    # The ranking

    @cached_property
    def ranks(self) -> list[Rank]:
        """Everybody, the best first; the same net is the same place."""
        why, start = net_reasons(self.history), starting_chips(self.history)
        ranking = summary.ranking(self.night)
        return [self._rank(one.seat, one.place, why.get(one.seat, {}), start.get(one.seat, 0)) for one in ranking]

    def _rank(self, seat: str, place: int, reasons: Mapping[str, int], start: int) -> Rank:
        night = self.night
        return Rank(
            place=place,
            face=self.faces[seat],
            worth=night.worth(seat) if self.is_pots else self.totals[seat],
            net=self.totals[seat],
            money=self.amount(self.cents[seat]) if self.cents else "",
            bought=night.ledger.bought.get(seat, 0),
            start=start,
            why=tuple((reason_name(reason), reasons[reason]) for reason in REASON_NAMES if reasons.get(reason)),
            note=words_of(night.preset).rank_note(night, seat),
            part=self._part(seat),
        )

    def _part(self, seat: str) -> str:
        if self.night.players and seat not in self.night.players:
            return _("has played nothing")
        return "" if self.is_pots or self.night.people[seat].is_here else _("has left")

    @property
    def played(self) -> str:
        """How many hands were played, in the word of the game: hands, rounds or deals."""
        count = len(self.hands)  # without those that were given up
        return words_of(self.night.preset).hands(count)

    @property
    def rate(self) -> str:
        """What chips are worth, as a tag."""
        chips, cents = self.night.house_rules.money_chips, self.night.house_rules.money_cents
        one, many = ("%(num)s chip", "%(num)s chips") if self.is_pots else ("%(num)s point", "%(num)s points")
        unit = ngettext(one, many, chips)
        return f"{unit} = {self.amount(cents)}"

    # Chips

    @property
    def in_play(self) -> int:
        """All chips on the table: what the bank has given out and not taken back."""
        return -self.night.ledger.balance(BANK)

    @property
    def all_there(self) -> str:
        """Where all chips are, as a sentence: what people who left gave back counts in the ranking, too."""
        there = _("%(n)s of %(n)s chips. Nothing missing.", n=self.in_play)
        cashed = sum(self.night.ledger.cashed.values())
        return f"{there} {_('%(n)s more went with people who left.', n=cashed)}" if cashed else there

    @property
    def is_bought_unequally(self) -> bool:
        """Whether more chips than somebody else's need not mean more won."""
        return self.is_pots and len({rank.bought for rank in self.ranks}) > 1

    @property
    def counted_off(self) -> int:
        """Chips that the last count of this hand had more (or fewer) than the book of that moment; 0 without one."""
        return count_difference(self.history) if self.night.counted and not self.night.is_over else 0

    # The night hand by hand

    @cached_property
    def hands(self) -> list[int]:
        """The numbers of the hands, without those that were given up."""
        return [hand for hand in self.history.hands if hand and not self.history.before_end(hand).is_abandoned]


# How the night ends


@dataclass(frozen=True)
class Ending:
    """What ending the night now would do."""

    is_possible: bool
    """False while a hand is being played."""
    split: tuple[Markup, ...]
    """Sentences about the chips left on the board."""
    notes: tuple[Markup, ...]
    """The IOUs that would be redeemed, a sentence each."""
    pool: Pot | None = None
    """A poker pool that somebody has to win before."""
    pool_chips: int = 0
    able: tuple[str, ...] = ()
    """Of whom it is asked who wins it."""
    asks_hand: bool = False
    """Whether one poker hand decides who gets the rest of the board."""
    asked: tuple[str, ...] = ()
    """Of whom it is asked who has that hand."""
    odd: int = 0
    """Chips that can't be shared and that whoever draws the highest card gets first."""


def ending_of(night: Night) -> Ending:
    """Return what ending the night now would do, in words."""
    if not night.preset.is_pot_game:
        return Ending(night.is_between_hands and game_of(night).before_end(night) is None, (), ())
    voice = Vocabulary(None, night, is_markup=True)
    notes = [_note(voice, one) for one in night.ledger.notes()]
    pool = night_pool(night) if night.phase == SHOWDOWN else None
    able = may_win_pool(night, pool) if pool else ()
    chips = night.ledger.holds(pool.id) if pool else 0
    return Ending(
        night.is_between_hands,
        tuple(Markup(said) for said in _split(night, voice)),  # noqa: S704  Vocabulary escapes
        tuple(notes),
        pool if able else None,
        chips,
        able,
        night.house_rules.end == "poker_hand" and settlement.leftover(night) > 0,
        settlement.heirs(night),
        odd=settlement.odd_chips(night, len(settlement.leftover_shares(night))),
    )


def _note(voice: Vocabulary, one: Note) -> Markup:
    page_context = {"debtor": voice.name(one.debtor), "holder": voice.name(one.holder), "chips": one.chips}
    return Markup(_("%(debtor)s owes %(holder)s %(chips)s", **page_context))  # noqa: S704  Vocabulary escapes


def _split(night: Night, voice: Vocabulary) -> Iterator[str]:
    total, shares = settlement.leftover(night), settlement.leftover_shares(night)
    if total and night.house_rules.end == "leave":
        yield left_on_board(night)
        return
    if not shares and total:
        yield ngettext(
            "%(num)s chip is left on the board: the best hand of all gets it.",
            "%(num)s chips are left on the board: the best hand of all gets them.",
            total,
        )
        return
    if not shares:
        yield _("The board is empty: there is nothing to split.")
        return
    yield ngettext("%(num)s chip is left on the board.", "%(num)s chips are left on the board.", total)
    if len(shares) == 1:
        yield _("All of it goes to %(name)s, who won the last hand.", name=voice.names(shares))
        return
    each = min(shares.values())
    lucky = [seat for seat, share in shares.items() if share > each]
    yield _("%(each)s for each.", each=each)
    if lucky and night.house_rules.end_rest != "high_card":
        yield _rest(night, voice, lucky, total - each * len(shares))


def left_on_board(night: Night) -> str:
    """Return how many chips stay on the board after the end, and where the money for them is until the next time."""
    total = settlement.leftover(night)
    stay = ngettext(
        "%(num)s chip stays on the board for next time.", "%(num)s chips stay on the board for next time.", total
    )
    if not (cents := payment_list.nets_in_cents(night).get(BANK)):
        return stay
    money = _(
        "The money for it, %(money)s, goes into the box: next time it buys these chips again.",
        money=amount(cents, night.house_rules.money_decimals),
    )
    return f"{stay} {money}"


def _rest(night: Night, voice: Vocabulary, lucky: list[str], rest: int) -> str:
    names = voice.names(lucky)
    if len(lucky) == 1 and rest > 1:
        return _("The %(rest)s over go to %(names)s, who won the last hand.", rest=rest, names=names)
    if night.dealer is None:
        return _("The %(rest)s over: one each for %(names)s.", rest=rest, names=names)
    if rest == 1:
        return _("The odd chip goes to %(names)s, at the dealer’s left.", names=names)
    return _("The %(rest)s odd chips go one by one from the dealer’s left: %(names)s.", rest=rest, names=names)
