"""What is wrong with a preset: what can't be played, and what only presets of nights already played may have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tracker.core.errors import Fault, Faults, PresetError
from tracker.core.game import GAMES
from tracker.core.house_rules import HOUSE_RULES, ID, MOST_CHIPS, Value, rule_faults
from tracker.core.ledger import BANK
from tracker.core.preset import (
    COLOUR,
    LONGEST_LABEL,
    LONGEST_NAME,
    MOST_ANTE,
    MOST_DUE,
    MOST_POTS,
    MOST_SEATS,
    WON_BY,
    Pot,
    Preset,
    fits_preset,
    is_card,
)


def faults(preset: Preset) -> list[Fault]:
    """Return everything that is wrong with a preset, each as one sentence; an empty list when it can be played."""
    if preset.game not in HOUSE_RULES:
        known = ", ".join(HOUSE_RULES)
        return [Fault("game must be one of {known}, not {game!r}", known=known, game=preset.game, field="game")]
    return [
        *_top_faults(preset),
        *rule_faults(preset.game, preset.rules),
        *preset.unknown_pots(),
        *(_board_faults(preset) if preset.is_pot_game else _score_faults(preset)),
        *_chip_faults(preset),
    ]


def _top_faults(preset: Preset) -> Iterator[Fault]:
    if not ID.fullmatch(preset.id):
        yield Fault("id {id!r} must be 1 to 32 of a-z, 0-9 and -", id=preset.id, field="id")
    if preset.base and not ID.fullmatch(preset.base):
        yield Fault("base {base!r} is no id", base=preset.base[:40], field="base")
    if not preset.name.strip():
        yield Fault("the preset needs a name", field="name")
    if len(preset.name) > LONGEST_NAME:
        yield Fault("the name has more than {most} characters", most=LONGEST_NAME, field="name")
    if not 1 <= preset.seats.min <= preset.seats.max <= MOST_SEATS:
        yield Fault("seats must be from 1 to 20, the smaller number first", field="seats.max")
    if not 0 <= preset.stack <= MOST_CHIPS:
        yield Fault("stack must be from 0 to {most}", most=MOST_CHIPS, field="stack")


def _board_faults(preset: Preset) -> Iterator[Fault]:
    ids = [pot.id for pot in preset.pots]
    for index in repeated(ids):
        yield Fault("pot id {pot!r} stands twice", pot=ids[index], field=f"pot.{index}.id")
    if not 1 <= len(preset.pots) <= MOST_POTS:
        yield Fault("a board has 1 to {most} pots, not {count}", most=MOST_POTS, count=len(preset.pots), field="pots")
    for index, pot in enumerate(preset.pots):
        yield from _pot_faults(pot, f"pot.{index}")
    yield from _dues_faults(preset)


def _pot_faults(pot: Pot, place: str) -> Iterator[Fault]:
    if not ID.fullmatch(pot.id) or pot.id == BANK:
        yield Fault("pot id {pot!r} must be 1 to 32 of a-z, 0-9 and -, and not “bank”", pot=pot.id, field=f"{place}.id")
    if pot.won_by not in WON_BY:
        facts = {"known": ", ".join(WON_BY), "how": pot.won_by, "field": f"{place}.won_by"}
        yield Fault("pot {pot!r} must be won by one of {known}, not {how!r}", pot=pot.id, **facts)
    if len(pot.name) > LONGEST_NAME or len(pot.label) > LONGEST_LABEL:
        field = f"{place}.name" if len(pot.name) > LONGEST_NAME else f"{place}.label"
        longest = {"name": LONGEST_NAME, "label": LONGEST_LABEL, "field": field}
        yield Fault("pot {pot!r}: a name has at most {name} characters, a label {label}", pot=pot.id, **longest)
    for field, chips in (("ante", pot.ante), ("dealer_ante", pot.dealer_ante)):
        if (chips or 0) > MOST_ANTE:
            at = f"{place}.{field}"
            yield Fault("pot {pot!r}: an ante has at most {most} chips", pot=pot.id, most=MOST_ANTE, field=at)
    for text in pot.cards:
        if not is_card(text):
            yield Fault(
                "pot {pot!r}: {card!r} is not a card such as 10H, QS or A",
                pot=pot.id,
                card=text,
                field=f"{place}.cards",
            )
    if pot.colour and not COLOUR.fullmatch(pot.colour):
        facts = {"colour": pot.colour, "field": f"{place}.colour"}
        yield Fault("pot {pot!r}: {colour!r} is no colour like #C23B30", pot=pot.id, **facts)


def _score_faults(preset: Preset) -> Iterator[Fault]:
    """Yield what is wrong with the preset of a score game, which has no board."""
    if preset.pots:
        yield Fault("only a game of pots has pots", field="pots")
    yield from GAMES[preset.game].preset_faults(preset)


def _dues_faults(preset: Preset) -> Iterator[Fault]:
    ids = [due.id for due in preset.dues]
    for index in repeated(ids):
        yield Fault("payment {due!r} stands twice", due=ids[index], field=f"due.{index}.id")
    for index, due in enumerate(preset.dues):
        if not ID.fullmatch(due.id):
            yield Fault("payment id {due!r} must be 1 to 32 of a-z, 0-9 and -", due=due.id, field=f"due.{index}.id")
        if not 1 <= due.chips <= MOST_DUE:
            yield Fault("payment {due!r} has 1 to 1000 chips", due=due.id, field=f"due.{index}.chips")


def _chip_faults(preset: Preset) -> Iterator[Fault]:
    for index, chip in enumerate(preset.chips):
        if not COLOUR.fullmatch(chip.colour):
            facts = {"colour": chip.colour, "field": f"chip.{index}.colour"}
            yield Fault("chip {chip!r}: {colour!r} is no colour like #C23B30", chip=chip.name, **facts)


def repeated(ids: Sequence[object]) -> list[int]:
    """Return the places in a list of what stands there before."""
    return [index for index, one in enumerate(ids) if one in ids[:index]]


def conflicts(before: Preset, changes: Mapping[str, Value]) -> list[Fault]:
    """Return what is wrong with house rules only together, and was not before some of them changed."""
    after = replace(before, rules={**before.rules, **changes})
    known = {fault.facts["field"] for fault in new_preset_faults(before)}
    faults_now = (*new_preset_faults(after), *after.unknown_pots())
    found = [fault for fault in faults_now if fault.facts["field"] not in known]
    has_changed = follows_ante(before) and before["ante.each"] != after["ante.each"]
    if has_changed and "ante.dealer" not in changes:
        text = "everybody puts in the same here: say ante.dealer too, or the dealer still puts in {chips}"
        found.append(Fault(text, chips=before["ante.dealer"], field="ante.dealer"))
    return found


def with_new_options(preset: Preset, options: Mapping[str, Value]) -> Preset:
    """Return a preset with house rules changed now; PresetError for values, or rules together, that can't be played."""
    changed = preset.with_options(options)
    if wrong := conflicts(preset, options):
        raise PresetError("{faults}", faults=Faults(wrong))
    return changed


def follows_ante(preset: Preset) -> bool:
    """Return whether the dealer's ante is the others', so that a form that changes theirs changes it as well."""
    return preset.is_pot_game and fits_preset(preset, "ante.dealer") and preset["ante.each"] == preset["ante.dealer"]


def new_preset_faults(preset: Preset) -> list[Fault]:
    """Return what can't be played as it stands; the fact `field` is the name of the form's field to mend."""
    if not preset.is_pot_game:
        return []
    return [*_new_pot_faults(preset), *_out_faults(preset), *_stake_faults(preset), *_new_chip_faults(preset)]


def _new_pot_faults(preset: Preset) -> Iterator[Fault]:
    for index, pot in enumerate(preset.pots):
        if pot.won_by in ("card", "side") and not pot.cards:
            field = f"pot.{index}.cards"
            yield Fault("pot {pot!r} needs cards that win it, such as 10H, QS or A", pot=pot.id, field=field)
        for name, chips in (("ante", pot.ante), ("dealer_ante", pot.dealer_ante)):
            if pot.won_by == "side" and chips is not None:
                facts = {"name": name, "field": f"pot.{index}.{name}"}
                yield Fault("pot {pot!r}: a side bet has no {name} of its own, see side.ante", pot=pot.id, **facts)
    pools = [pot.id for pot in preset.pots if pot.won_by == "poker"]
    if len(pools) > 1:
        yield Fault("only one pot can be won by poker, not {pots}", pots=", ".join(pools), field="pots")
    takers = [pot.id for pot in preset.pots if pot.takes_fines]
    if len(takers) > 1:
        names = ", ".join(takers)
        yield Fault("only one pot can have takes_fines, for stop.fine, not {pots}", pots=names, field="stop.fine")


def _out_faults(preset: Preset) -> Iterator[Fault]:
    if not preset.won_by("out") and not preset.house_rules.out_per_card:
        yield Fault("going out wins nothing: a pot is won by it, or out.per_card is 1 or more", field="out.per_card")


def _stake_faults(preset: Preset) -> Iterator[Fault]:
    rules, places = preset.house_rules, sum(pot.won_by == "card" for pot in preset.stake_places)
    if rules.stakes_cover_all == "on" and 0 < rules.stakes_budget < places:
        yield Fault(
            "with stakes.cover_all, stakes.budget must be {count} or more: a chip for each place",
            count=places,
            field="stakes.cover_all",
        )


def _new_chip_faults(preset: Preset) -> Iterator[Fault]:
    for index, chip in enumerate(preset.chips):
        if chip.value < 1:
            field = f"chip.{index}.value"
            yield Fault(
                "chip {chip!r} must count 1 or more, not {value}", chip=chip.name, value=chip.value, field=field
            )
