"""How a night ends, in words: what is left on the board and who gets it, named before it happens."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from tracker.core import rum_game, settlement
from tracker.core.ledger import BANK, Note
from tracker.core.night import SHOWDOWN, Night
from tracker.core.payment_list import nets_in_cents
from tracker.core.preset import Pot
from tracker.core.queries.prompts import night_pool
from tracker.web.events.event_kind import Vocabulary
from tracker.web.wording.texts import amount, gettext as _, ngettext


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
    asks_hand: bool = False
    """Whether one poker hand decides who gets the rest of the board."""
    faults: tuple[Markup, ...] = ()
    """Faults of the snake game that wait for a deal, a sentence each: they are entered before the night ends."""
    payees: tuple[str, ...] = ()
    """Whom their points may go to."""
    odd: int = 0
    """Chips that can't be shared and that whoever draws the highest card gets first."""


def ending_of(night: Night) -> Ending:
    """Return what ending the night now would do, in words."""
    if not night.preset.is_pot_game:
        faults, payees = tuple(_faults(night)), rum_game.fault_payees(night)
        return Ending(night.is_between_hands and not faults, (), (), faults=faults, payees=payees)
    voice = Vocabulary(None, night, is_markup=True)
    notes = [_note(voice, one) for one in night.ledger.notes()]
    pool = night_pool(night) if night.phase == SHOWDOWN else None
    chips = night.ledger.holds(pool.id) if pool else 0
    return Ending(
        night.is_between_hands,
        tuple(Markup(said) for said in _split(night, voice)),  # noqa: S704  Voice escapes
        tuple(notes),
        pool,
        chips,
        night.house_rules.end == "poker_hand" and settlement.leftover(night) > 0,
        odd=settlement.odd_chips(night, len(settlement.leftover_shares(night))),
    )


def _faults(night: Night) -> Iterator[Markup]:
    voice = Vocabulary(None, night, is_markup=True)
    for offender in rum_game.waiting_faults(night):
        one, many = (
            "%(num)s point of %(name)s still waits for a deal.",
            "%(num)s points of %(name)s still wait for a deal.",
        )
        said = ngettext(one, many, night.house_rules.fault_points, name=voice.name(offender))
        yield Markup(said)  # noqa: S704  Voice escapes


def _note(voice: Vocabulary, one: Note) -> Markup:
    page_context = {"debtor": voice.name(one.debtor), "holder": voice.name(one.holder), "chips": one.chips}
    return Markup(_("%(debtor)s owes %(holder)s %(chips)s", **page_context))  # noqa: S704  Voice escapes


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
    if not (cents := nets_in_cents(night).get(BANK)):
        return stay
    money = _(
        "The money for it, %(money)s, goes into the box: next time it buys these chips again.", money=amount(cents)
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
