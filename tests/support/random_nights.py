"""Random nights that could have been played: one generator for property tests, browser tests and benchmarks.

Everything is drawn from the `Random` handed in: a seed makes the same night again, and Hypothesis's own one shrinks.
Also random events of any kind, whose fields mostly look right and often are not.
"""

# ruff: noqa: ARG001 - every maker takes the same, also one that has nothing to choose

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any, cast

from support.of_extras import has_pages, run_modules

from tracker.core import events, pot_game, stages
from tracker.core.apply import apply
from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.events import KINDS, Amount, Cents, Chips, Event, Name, SeatId
from tracker.core.game import game_of
from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, HELD, LOBBY, PLAY, POKER, SHOWDOWN, STAKES, Night
from tracker.core.payment_list import payment_list
from tracker.core.payments import may_excuse
from tracker.core.pot_game import card_pots_of
from tracker.core.preset import SUITS, Preset
from tracker.core.preset_faults import with_new_options
from tracker.core.settlement import heirs, leftover_shares, odd_chips
from tracker.formats.built_in import all_built_in

NAMES = {seat: seat.capitalize() for seat in ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal", "ida", "jo")}

Maker = Callable[[Night, Random], Event | None]
"""Makes one kind of event that is legal now, or None when there is none."""
RUNS_OF_ANY_SUIT = ("seven-eight-nine", "eight-nine-ten", "sequence")
"""Pots whose cards several may hold."""


@cache
def every_preset() -> tuple[Preset, ...]:
    """Return every game that comes with the tracker, but for those of extras that are not there."""
    return tuple(sorted((one for one in all_built_in() if has_pages(one.id)), key=lambda preset: preset.id))


def every_kind_of_preset() -> list[Preset]:
    """Return all boards and a preset of each score game: its others differ in their house rules only."""
    found = every_preset()
    first = {preset.game: preset for preset in reversed(found)}
    return [preset for preset in found if preset.is_pot_game or preset is first[preset.game]]


def random_options(preset: Preset, chance: Random, most: int = 4) -> dict[str, Value]:
    """Return a few house rules changed to something else that they may be."""
    rules = HOUSE_RULES[preset.game]
    changed = chance.sample(sorted(rules), chance.randint(0, min(most, len(rules))))
    return {key: _setting(preset, rules[key], chance) for key in changed}


def _setting(preset: Preset, rule: HouseRule, chance: Random) -> Value:
    if rule.names_pot:  # a poker pool is no place where there is no poker
        return chance.choice([*rule.choices, *(pot.id for pot in preset.pots if pot.won_by != "poker")])
    if rule.choices:
        return chance.choice(rule.choices)
    return chance.randint(3, 60) if rule.key.startswith(("game.", "money.")) else chance.randint(1, 3)


def playing_seats(night: Night) -> list[str]:
    """Return who is in the present hand and still at the table; nobody once it was given up."""
    deal = night.deal
    return [seat for seat in deal.seats if seat in night.seats] if deal and not deal.is_abandoned else []


def claimed_now(night: Night) -> bool:
    """Return whether money cards are paid at this moment."""
    if night.preset["claim"] == "held" or night.is_abandoned:
        return night.phase == HELD
    return night.phase == PLAY or (night.phase == SHOWDOWN and night.preset["late_claim"] != "next_card_forfeits")


def unbarred(night: Night) -> list[str]:
    return [seat for seat in playing_seats(night) if seat not in night.current_deal().barred]


def has_paid(night: Night, pot: str, *seats: str) -> bool:
    """Return whether all these seats could put their antes in a pot, so that they may win it."""
    return not any((seat, pot) in night.current_deal().unpaid for seat in seats)


def full_pots(night: Night, *won_by: str) -> list[str]:
    """Return the pots won in one of these ways that hold chips or IOUs and that nobody took in this hand."""
    taken = night.deal.taken if night.deal else {}
    pots = [pot.id for how in won_by for pot in night.preset.won_by(how) if pot.id not in taken]
    return [pot for pot in pots if night.ledger.holds(pot)]


def random_night(preset: Preset, chance: Random, length: int, people: int = 4) -> list[Event]:
    """Return that many legal events, the first of which seat `people` people; fewer when the night ends before."""
    night = Night(preset)
    played: list[Event] = []
    for seat in list(NAMES)[:people]:
        played.append(events.Sit(SeatId(seat), Name(NAMES[seat])))
        night = apply(night, played[-1])
    while len(played) < length and not night.is_over:
        event = legal_event(night, chance, may_end=False)
        night = apply(night, event)
        played.append(event)
    return played


def legal_event(night: Night, chance: Random, *, may_end: bool = True) -> Event:
    """Return something that may happen now; the likelier, the more it moves the night on. AssertionError if nothing."""
    if night.is_over:
        return _paid(night, chance)
    if len(night.seats) < 2:
        return _sit(night, chance) or events.Count({})
    makers = dict(_makers(night.preset.game))
    if not may_end:
        del makers[end_event]
    while makers:
        kinds = list(makers)
        make = chance.choices(kinds, [makers[kind] for kind in kinds])[0]
        event = make(night, chance)
        if event is not None:
            return event
        del makers[make]
    raise AssertionError(f"nothing can happen in {night.phase}")


def with_cover(night: Night, event: Any, chance: Random) -> Event:
    """Return the event with a way out for everybody who is short: the bank, a pot or somebody at the table."""
    for attempt in range(4):
        try:
            apply(night, event)
        except NotEnoughChips as error:
            payers = [seat for seat in error.short if seat in night.seats and seat not in event.cover]
            places = [BANK, *night.preset.board, *night.seats] if attempt == 0 else [BANK]
            lent = {seat: chance.choice([place for place in places if place != seat]) for seat in payers}
            kept = event.cover if payers else dict.fromkeys(event.cover, BANK)
            event = replace(event, cover={**kept, **lent})
    return cast("Event", event)


# Every kind of game


def _sit(night: Night, chance: Random) -> Event | None:
    free = [seat for seat in NAMES if seat not in night.seats]
    if not free:
        return None
    seat = chance.choice(free)
    chips = Chips(chance.choice((0, 20, 100))) if night.preset.game == "pots" and chance.random() < 0.5 else None
    return events.Sit(SeatId(seat), Name(NAMES[seat]), chips)


def _leave(night: Night, chance: Random) -> Event | None:
    bound = night.deal.seats if night.deal and not night.is_between_hands else ()
    able = [seat for seat in night.seats if seat not in bound]
    return events.Leave(chance.choice(able)) if able and len(night.seats) > 2 else None


def _order(night: Night, chance: Random) -> Event | None:
    return events.Order(tuple(chance.sample(night.seats, len(night.seats)))) if night.is_between_hands else None


def _count(night: Night, chance: Random) -> Event | None:
    return events.Count({seat: Chips(chance.randint(0, 200)) for seat in some(night.seats, chance)})


def end_event(night: Night, chance: Random) -> Event | None:
    """Return the end of the night, or what is settled before: odd chips, waiting faults; None in mid-hand."""
    if not night.is_between_hands:
        return None
    if booking := game_of(night).before_end(night):
        return booking
    if (pool := pot_game.night_pool(night)) and (able := pot_game.may_win_pool(night, pool)):
        return events.Poker((chance.choice(able),))
    asks = night.preset.game == "pots" and night.preset["end"] == "poker_hand"
    may_win = heirs(night) if asks else tuple(sorted(night.players.intersection(night.seats)))
    asks = asks or (night.preset["points.completed"] == "wins" if night.preset.game == "points" else False)
    winners = tuple(chance.sample(may_win, chance.randint(1, min(2, len(may_win))))) if asks and may_win else ()
    shares = leftover_shares(night, winners) if night.preset.game == "pots" else {}
    if odd := odd_chips(night, len(shares)):
        pot = max(night.preset.board, key=night.pot)
        return events.Move(pot, chance.choice(night.seats), Amount(min(odd, night.pot(pot))))
    return events.End(winners)


def _paid(night: Night, chance: Random) -> Event:
    """Return a payment of the settlement that is open, now and then any other."""
    still_due = [one.event for one in payment_list(night) if not one.is_made]
    if still_due and chance.random() < 0.8:
        return chance.choice(still_due)
    source, target = chance.sample([*night.all_seats, BANK], 2)
    known = [one.cents for one in night.payments_made]
    return events.Paid(source, target, Cents(max(known, default=0) + chance.randint(1, 90)))


def some(seats: tuple[str, ...], chance: Random) -> tuple[str, ...]:
    """Return some of the seats, perhaps none, in any order."""
    return tuple(chance.sample(seats, chance.randint(0, len(seats))))


def _rule(night: Night, chance: Random) -> Event | None:
    change = random_options(night.preset, chance, most=2)
    if "rounds" in change and night.deals:
        return None
    if change.get("ante.each", 0) and "ante.dealer" not in change:
        change["ante.dealer"] = change["ante.each"]
    try:
        with_new_options(night.preset.with_options(night.new_rules), change)
        night.with_rules(night.preset.with_options({**night.new_rules, **change}))
    except TableError:
        return None
    return events.Rule(change)


def rules_fit(night: Night) -> bool:
    """Return whether a hand may begin: no pot that holds chips goes with the rules that change."""
    try:
        night.with_rules(night.preset.with_options(night.new_rules))
    except TableError:
        return False
    return True


# Pot games


def _buy(night: Night, chance: Random) -> Event | None:
    return events.Buy(chance.choice(night.seats), Amount(chance.randint(1, 50)))


def _borrow(night: Night, chance: Random) -> Event | None:
    seat = chance.choice(night.seats)
    sources = [one for one in (*night.seats, *night.preset.board) if one != seat and night.ledger.balance(one)]
    if not sources:
        return None
    source = chance.choice(sources)
    return events.Borrow(seat, source, Amount(chance.randint(1, night.ledger.balance(source))))


def _repay(night: Night, chance: Random) -> Event | None:
    owed = [note for note in night.ledger.notes() if note.debtor in night.seats and night.stack(note.debtor)]
    if not owed:
        return None
    note = chance.choice(owed)
    return events.Repay(note.debtor, note.holder, Amount(chance.randint(1, min(note.chips, night.stack(note.debtor)))))


def _move(night: Night, chance: Random) -> Event | None:
    """Make a correction that leaves the bank alone: what the bank adds to a board is nobody's loss."""
    places = [*night.seats, *night.preset.board]
    source = chance.choice([place for place in places if night.ledger.balance(place)] or [BANK])
    if source == BANK:
        return events.Move(BANK, chance.choice(night.seats), Amount(5))
    target = chance.choice([place for place in places if place != source])
    return events.Move(source, target, Amount(chance.randint(1, night.ledger.balance(source))))


def _hand(night: Night, chance: Random) -> Event | None:
    if night.phase not in (LOBBY, SHOWDOWN) or not rules_fit(night) or _has_won_last_pool(night):
        return None
    dealer = night.next_dealer() or chance.choice(night.seats)
    others = [seat for seat in night.seats if seat != dealer]
    resting = chance.sample(others, chance.randint(0, len(others) - 1)) if chance.random() < 0.2 else []
    return with_cover(night, events.Hand(dealer, tuple(resting)), chance)


def _has_won_last_pool(night: Night) -> bool:
    """Return whether the poker pool of the whole night is won: no hand follows."""
    return night.preset["poker.when"] == "session_end" and night.deal is not None and night.deal.poker is not None


def _dummy(night: Night, chance: Random) -> Event | None:
    if night.phase != DUMMY:
        return None
    rule, deal = night.preset["dummy"], night.current_deal()
    kinds = ["no-sale"]
    kinds += ["exchange"] if rule not in ("sell_only", "passed_round") else []
    kinds += ["sale", "bid", "bid", "bid"] if rule != "exchange_only" else []
    kind = "bid" if deal.auction.bidder or deal.auction.passed else chance.choice(kinds)
    if kind == "sale":
        buyer = chance.choice([seat for seat in deal.seats if seat != deal.dealer])
        least = night.house_rules.auction_min
        most = least if rule == "passed_round" else least + 9
        return with_cover(night, events.Sale(buyer, Amount(chance.randint(least, most))), chance)
    return _turn(night, chance) if kind == "bid" else events.Exchange() if kind == "exchange" else events.NoSale()


def _turn(night: Night, chance: Random) -> Event:
    seat, last = stages.whose_bid(night), night.current_deal().auction
    assert seat is not None
    least = last.chips + night.house_rules.auction_step if last.bidder else night.house_rules.auction_min
    most = least if night.preset["dummy"] == "passed_round" else least + 5
    if night.stack(seat) >= least and chance.random() < 0.6:
        return events.Bid(seat, Amount(chance.randint(least, min(night.stack(seat), most))))
    return with_cover(night, events.Pass(seat), chance)


def _exchange_late(night: Night, chance: Random) -> Event | None:
    is_unsold = night.deal and night.deal.dummy == "dead" and night.phase == night.stage_after(DUMMY)
    return events.Exchange() if is_unsold and night.preset["dummy.after_no_bid"] == "dealer_may_exchange" else None


def _collect(night: Night, chance: Random) -> Event | None:
    if not claimed_now(night):
        return None
    seats, bets = unbarred(night), night.current_deal().bets
    able = [(seat, pot) for seat in seats for pot in full_pots(night, "card") if has_paid(night, pot, seat)]
    able += [(seat, pot) for seat, pot in bets if seat in seats and pot in full_pots(night, "side")]
    return events.Collect(*chance.choice(able)) if able else None


def _penalty(night: Night, chance: Random) -> Event | None:
    seats = playing_seats(night)
    if night.phase not in (PLAY, SHOWDOWN) or night.preset["penalties"] != "on" or not seats:
        return None
    seat = chance.choice(seats)
    if chance.random() < 0.5 or pot_game.is_out_of_cards(night, seat):
        return with_cover(night, events.Penalty(seat, "withheld-card", chance.choice(list(SUITS))), chance)
    return with_cover(night, events.Penalty(seat, "wrong-lead"), chance)


def _out(night: Night, chance: Random) -> Event | None:
    if night.phase != PLAY:
        return None
    gone = night.current_deal().out_of_cards
    seat = chance.choice([one for one in night.current_deal().seats if one not in gone])
    if pot_game.takes_nothing(night, seat):
        return events.Out(seat)
    payers = [one for one in night.current_deal().seats if one != seat]
    left = {payer: Chips(0 if payer in gone else chance.randint(0, 9)) for payer in payers}
    holder = chance.choice(payers) if may_excuse(night) and chance.random() < 0.5 else None
    return with_cover(night, events.Out(seat, left, (holder,) if holder else ()), chance)


def _held(night: Night, chance: Random) -> Event | None:
    if night.phase != SHOWDOWN:
        return None
    deal, seats = night.current_deal(), playing_seats(night)
    due = [
        (pot, seat, offender)
        for offender, suit in deal.withheld
        for pot in card_pots_of(night, suit)
        for seat in seats
        if not pot_game.is_out_of_cards(night, seat)
        if offender in seats and seat != offender and (pot, offender) not in deal.matched_cards
    ]
    return with_cover(night, events.MatchWithheld(*chance.choice(due)), chance) if due else None


def _poker(night: Night, chance: Random) -> Event | None:
    when = POKER if POKER in night.preset.stages else SHOWDOWN
    counts_left = night.preset["poker.when"] == "hand_end_left"
    in_poker = [seat for seat in playing_seats(night) if seat not in night.current_deal().folded] if night.deal else []
    seats = tuple(seat for seat in in_poker if not (counts_left and pot_game.is_out_of_cards(night, seat)))
    if night.phase != when or not full_pots(night, "poker") or not seats or night.current_deal().poker is not None:
        return None
    most = 1 if night.preset["poker.hand"] == "sets" else len(seats)
    winners = tuple(chance.sample(seats, chance.choice((1, 1, min(2, most), most))))
    pools = night.preset.won_by("poker")
    return events.Poker(winners) if all(has_paid(night, pool.id, *winners) for pool in pools) else None


def _abandon(night: Night, chance: Random) -> Event | None:
    if night.is_between_hands or night.is_over:
        return None
    try:
        apply(night, events.Abandon())
    except TableError:  # somebody has too few chips left to give back
        return None
    return events.Abandon()


# Stages and payments that only some boards have


def _place(night: Night, chance: Random) -> Event | None:
    if night.phase != STAKES:
        return None
    preset, due = night.preset, pot_game.stakes_due(night)
    if not due:
        return None
    seat, budget = chance.choice([*due.items()])
    must = [pot.id for pot in preset.stake_places if pot.won_by == "card"] if preset["stakes.cover_all"] == "on" else []
    if budget < len(must):
        if budget == preset.budget(is_dealer=seat == night.dealer):
            return None
        must = must[:budget]
    stakes = dict.fromkeys(must, Amount(1))
    for _ in range(budget - len(must)):
        pot = chance.choice([pot.id for pot in preset.stake_places])
        stakes[pot] = Amount(stakes.get(pot, 0) + 1)
    return with_cover(night, events.Place(seat, stakes), chance)


def _go_on(night: Night, chance: Random) -> Event | None:
    return events.GoOn() if night.phase in (STAKES, HELD, POKER) else None


def _share(night: Night, chance: Random) -> Event | None:
    if not claimed_now(night) or night.preset["claim.tie"] != "share":
        return None
    seats, pots = unbarred(night), [pot for pot in full_pots(night, "card") if pot in RUNS_OF_ANY_SUIT]
    if len(seats) < 2 or not pots:
        return None
    sharers, pot = tuple(chance.sample(seats, chance.randint(2, len(seats)))), chance.choice(pots)
    return events.Share(pot, sharers) if has_paid(night, pot, *sharers) else None


def _bet(night: Night, chance: Random) -> Event | None:
    pots = night.preset.won_by("side") if night.phase in (STAKES, DUMMY, HELD, POKER, PLAY) else []
    if night.phase == POKER and night.preset["poker.when"] == "before_betting":
        pots = [*pots, *night.preset.won_by("poker")]
    if not pots:
        return None
    pots = [pot for pot in pots if pot.id not in night.current_deal().taken]
    if not pots:
        return None
    chips = Amount(chance.randint(1, night.house_rules.bet_limit or 5))
    seats = [seat for seat in playing_seats(night) if seat not in night.current_deal().folded]
    return with_cover(night, events.Bet(chance.choice(seats), chips, chance.choice(pots).id), chance)


def _fold(night: Night, chance: Random) -> Event | None:
    if night.phase != POKER or night.preset["poker.when"] != "before_betting":
        return None
    return events.Pass(
        chance.choice([seat for seat in playing_seats(night) if seat not in night.current_deal().folded])
    )


def _turn_up(night: Night, chance: Random) -> Event | None:
    on = night.preset["turn_up"] != "off" and night.phase in (STAKES, DUMMY, HELD, POKER, PLAY)
    pots = [pot for pot in full_pots(night, "card") if len(night.preset.pot(pot).cards) == 1] if on else []
    if not pots or night.current_deal().turned_up:
        return None
    pot = night.preset.pot(chance.choice(pots))
    if not has_paid(night, pot.id, night.current_deal().dealer):
        return None
    if not night.preset.ends_hand(pot):
        return events.TurnUp(pot.id)
    deal = night.current_deal()
    dealt = {seat: Chips(0 if seat in deal.out_of_cards else 6) for seat in deal.seats if seat != deal.dealer}
    return with_cover(night, events.TurnUp(pot.id, dealt), chance)


def _fine(night: Night, chance: Random) -> Event | None:
    if night.phase != PLAY or not night.house_rules.stop_fine:
        return None
    return with_cover(night, events.Fine(chance.choice(night.current_deal().seats)), chance)


def _due(night: Night, chance: Random) -> Event | None:
    open_dues = [
        one.id for one in night.preset.dues if night.phase == PLAY and one.id not in night.current_deal().paid_dues
    ]
    if not open_dues:
        return None
    return with_cover(night, events.PayDue(chance.choice(night.current_deal().seats), chance.choice(open_dues)), chance)


def _left(night: Night, chance: Random) -> Event | None:
    how = night.preset["left_in_hand"]
    if night.phase != SHOWDOWN or how == "off":
        return None
    deal = night.current_deal()
    seats = [seat for seat in playing_seats(night) if not pot_game.is_out_of_cards(night, seat)]
    settled = {*deal.pots_still_held, *deal.taken}
    pots = [pot.id for pot in night.preset.board.values() if pot.won_by in ("card", "side") and pot.id not in settled]
    if not seats or not pots or (how == "pay_winner" and deal.winner not in night.seats):
        return None
    return with_cover(night, events.Left(chance.choice(seats), chance.choice(pots)), chance)


def _sweep(night: Night, chance: Random) -> Event | None:
    if night.phase != PLAY or night.preset["sweep"] != "on" or not unbarred(night):
        return None
    seat, pots = chance.choice(unbarred(night)), full_pots(night, "card", "out", "poker", "side")
    return events.Sweep(seat) if any(has_paid(night, pot, seat) for pot in pots) else None


_EVERY_GAME: dict[Maker, float] = {_sit: 0.4, _leave: 0.3, _order: 0.2, _count: 0.2, end_event: 0.1, _rule: 0.1}
OWN_MAKERS: dict[str, dict[Maker, float]] = {"pots": {}}
"""By game, how often each of its events is made; modules of the extras whose names end in _random add theirs."""
OWN_MAKERS["pots"] |= {_buy: 0.3, _borrow: 0.4, _repay: 0.8, _move: 0.3, _hand: 4, _dummy: 12, _exchange_late: 1}
OWN_MAKERS["pots"] |= {_collect: 5, _penalty: 1.5, _out: 3, _held: 4, _poker: 3, _abandon: 0.2}
OWN_MAKERS["pots"] |= {_place: 8, _go_on: 1.5, _share: 1, _bet: 3, _fold: 0.7}
OWN_MAKERS["pots"] |= {_turn_up: 1.5, _fine: 1, _due: 2, _left: 2, _sweep: 0.5}
OWN_CHECKS: dict[str, Callable[[Night, bool], None]] = {}
"""By game of an extra: what holds in every state, in a night by the preset's rules (True) or by others."""


@cache
def _makers(game: str) -> Mapping[Maker, float]:
    run_modules("_random")
    return _EVERY_GAME | OWN_MAKERS.get(game, {_rehearsed: 4})


def _rehearsed(night: Night, chance: Random) -> Event | None:
    """Make an event of a game that has no makers of its own."""
    return next(game_of(night).rehearse(night, chance), None)


# Events that are often wrong


def random_event(night: Night, chance: Random) -> dict[str, Any]:
    """Return an event of any kind with fields that mostly look right and often are not."""
    kind = chance.choice(list(KINDS))
    return {"kind": kind, **{one.name: some_value(one.name, night, chance) for one in fields(KINDS[kind])}}


def some_value(name: str, night: Night, chance: Random) -> Any:
    people = [*NAMES, *night.all_seats, "nobody"]
    accounts = [*people, *night.preset.board, BANK]
    seats = chance.sample(people, chance.randint(0, 4))
    numbers = {seat: chance.choice((0, 1, 5, 80)) for seat in seats}
    pools: dict[str, list[Any]] = {
        **dict.fromkeys(("seat", "dealer", "buyer", "offender", "winner", "debtor"), people),
        **dict.fromkeys(("source", "target", "holder", "pot"), accounts),
        **{key: [0, 1, 2, 7, 100, 1_000_000] for key in ("chips", "price", "jokers", "cents")},
        **{key: [numbers, {}, None] for key in ("cards", "stacks")},
        **{key: [seats, list(night.seats), []] for key in ("seats", "winners", "sits_out", "excused")},
        "cover": [{}, {seat: chance.choice(accounts) for seat in seats}],
        "hands": [numbers, {seat: {"cards": ["KH", "AC"]} for seat in night.seats}, {"ann": {"cards": ["XX"]}}],
        "pots": [dict.fromkeys(chance.sample(list(night.preset.board), min(2, len(night.preset.board))), 2), {}],
        "points": [dict.fromkeys(night.seats, 7), numbers, dict.fromkeys(seats, -30), {}],
        "offence": ["wrong-lead", "withheld-card", "false-rummy", "unused-purchase", "other"],
        "suit": ["S", "H", None, "X"],
        "event": [1, 2, 5, 99, "nothing"],
        "change": [random_options(night.preset, chance), {"chips": 3}, {"seat": chance.choice(people)}, {}],
        "name": ["Ann", ""],
        "why": ["", "counted again"],
        "due": [one.id for one in night.preset.dues] or ["spin"],
        "one_turn": [False, True],
        "seven_alike": [False, True],
    }
    return chance.choice(pools[name])
