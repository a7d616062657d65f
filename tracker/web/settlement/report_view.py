"""The settlement as values: ranking, payments, chart and chips; and how a night ends, in words, before it does."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from tracker.core import payment_list, settlement
from tracker.core.game import game_of
from tracker.core.ledger import BANK, Note
from tracker.core.night import SHOWDOWN, Night
from tracker.core.pot_game import may_win_pool, night_pool
from tracker.core.preset import Pot
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.events.event_kind import Vocabulary
from tracker.web.night_result import NightResult
from tracker.web.wording.game_words import words_of
from tracker.web.wording.texts import amount, gettext as _, ngettext


@dataclass(frozen=True)
class Rank:
    """A line of the ranking: chips (or points) at the end, won or lost."""

    place: int
    """0 for somebody who has no place: without a hand or round."""
    face: PlayerToken
    worth: int
    net: int
    money: str
    bought: int
    part: str = ""
    """Why somebody could not win: by having played nothing, or in a score game by having left."""


@dataclass(frozen=True)
class SettlementReport(NightResult):
    """A night's settlement, as if it ended now or as it has."""

    # The ranking

    @cached_property
    def ranks(self) -> list[Rank]:
        """Everybody, the best first; the same net is the same place."""
        return [self._rank(one.seat, one.place) for one in self.ranking]

    def _rank(self, seat: str, place: int) -> Rank:
        night = self.night
        return Rank(
            place=place,
            face=self.faces[seat],
            worth=night.worth(seat) if self.is_pots else self.totals[seat],
            net=self.totals[seat],
            money=self.amount(self.cents[seat]) if self.cents else "",
            bought=night.ledger.bought.get(seat, 0),
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
