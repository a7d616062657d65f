"""Events of every game: who sits at the table, the count, the end, new house rules, and corrections."""

from collections.abc import Mapping

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.settlement import has_money
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, Vocabulary, number, says
from tracker.web.wording.game_words import change_words
from tracker.web.wording.rule_words import money_sentence
from tracker.web.wording.texts import amount, gettext as _, ngettext, signed


def _sit(event: events.Sit, words: Vocabulary) -> str:
    name, chips = words.name(event.seat), words.chips_moved(target=event.seat)
    if not words.after.preset.is_pot_game:
        return _sit_with_points(event, words)
    if words.before is not None and event.seat in words.before.people:
        return _("%(name)s is back at the table", name=name)
    return ngettext("%(name)s sits down with %(num)s chip", "%(name)s sits down with %(num)s chips", chips, name=name)


def _sit_with_points(event: events.Sit, words: Vocabulary) -> str:
    name, points = words.name(event.seat), words.after.points[event.seat]
    is_back = words.before is not None and event.seat in words.before.people
    if not points:
        return _("%(name)s is back at the table", name=name) if is_back else _("%(name)s sits down", name=name)
    if is_back:
        return ngettext(
            "%(name)s is back at the table with %(num)s point",
            "%(name)s is back at the table with %(num)s points",
            points,
            name=name,
        )
    return ngettext(
        "%(name)s sits down with %(num)s point", "%(name)s sits down with %(num)s points", points, name=name
    )


def _ask_stack(raw: ask.Raw, night: Night) -> ask.Field | None:
    if not night.preset.is_pot_game:
        return None
    return ask.Field("chips", "number", _("Chips to begin with"), raw.get("chips", night.preset.stack))


SIT = EventKind(
    event=events.Sit,
    sentence=_sit,
    correction=ask.Form(ask.text("name", N_("Name")), _ask_stack),
    token=lambda event: event.seat,
)


def _leave(event: events.Leave, words: Vocabulary) -> str:
    name, chips = words.name(event.seat), words.chips_moved(source=event.seat)
    if not words.after.preset.is_pot_game:
        return _leave_with_points(event, words)
    return ngettext(
        "%(name)s leaves and takes %(num)s chip along",
        "%(name)s leaves and takes %(num)s chips along",
        chips,
        name=name,
    )


def _leave_with_points(event: events.Leave, words: Vocabulary) -> str:
    name = words.name(event.seat)
    if event.seat not in words.after.players:
        return _("%(name)s leaves the table and has played nothing", name=name)
    return ngettext(
        "%(name)s leaves the table with %(num)s point and can’t win any more",
        "%(name)s leaves the table with %(num)s points and can’t win any more",
        words.after.points[event.seat],
        name=name,
    )


LEAVE = EventKind(
    event=events.Leave,
    sentence=_leave,
    is_for_host=True,
    own="seat",
    buttons={"leave": lambda form: events.Leave(form.argument or form.seat)},
    correction=ask.Form(ask.who_at_table),
)


ORDER = EventKind(
    event=events.Order,
    sentence=says(N_("New order around the table: %(names)s"), names="seats"),
    is_for_host=True,
    correction=ask.Form(ask.pick("seats", N_("Clockwise"), ask.at_table, "seat order")),
    icon="turn",
)


def _end(event: events.End, words: Vocabulary) -> str:
    board = words.after.preset.board if words.after.preset.is_pot_game else {}
    left = sum(transfer.chips for transfer in words.after.last_transfers if transfer.source in board)
    if not left:
        return _("The night is over")
    if event.winners:
        names = words.names(event.winners)
        return _(
            "The night is over. Best hand for the rest of the board, %(chips)s: %(names)s", chips=left, names=names
        )
    return ngettext(
        "The night is over. %(num)s chip of the board is shared out",
        "The night is over. %(num)s chips of the board are shared out",
        left,
    )


END = EventKind(
    event=events.End,
    sentence=_end,
    undone=lambda _event, _words: _("Undone: the night goes on"),
    is_for_host=True,
    correction=ask.Form(
        ask.only_if("end", "poker_hand", ask.pick("winners", N_("Who has the best hand?"), ask.at_table, "picks")),
    ),
    icon="moon",
    reason="board",
)


def _settled_amount(event: events.Paid, words: Vocabulary) -> str:
    if has_money(words.after):
        return amount(event.cents, words.after.house_rules.money_decimals)
    if words.after.preset.is_pot_game:
        return ngettext("%(num)s chip", "%(num)s chips", event.cents)
    return ngettext("%(num)s point", "%(num)s points", event.cents)


PAID = EventKind(
    event=events.Paid,
    sentence=says(
        N_("%(debtor)s has paid %(creditor)s %(amount)s"), debtor="source", creditor="target", amount=_settled_amount
    ),
    seats=lambda _event, _night: (),  # it moves no chips, and whoever sees the payment may say so
    icon="ok",
    token=lambda event: event.source,
)


def _count(event: events.Count, words: Vocabulary) -> str:
    if not words.after.preset.is_pot_game:
        return _("Counted: %(n)s", n=len(event.stacks))
    ledger, total = words.after.ledger, sum(event.stacks.values())
    differences = [
        _("%(name)s %(difference)s", name=words.name(account), difference=signed(chips - ledger.balance(account)))
        for account, chips in event.stacks.items()
        if chips != ledger.balance(account)
    ]
    if differences:
        return _("Counted, and it differs: %(differences)s", differences=", ".join(differences))
    if len(event.stacks) == 1:
        name = words.name(next(iter(event.stacks)))
        return _("Counted: %(name)s has %(chips)s, as in the book", name=name, chips=total)
    return ngettext("Counted: %(num)s chip, as in the book", "Counted: %(num)s chips, as in the book", total)


def _ask_counts(raw: ask.Raw, night: Night) -> ask.Field:
    options = {option.value: option for option in ask.accounts(night)}
    counted = tuple(options[account] for account in raw["stacks"] if account in options)
    return ask.Field("stacks", "numbers", _("Counted on the table"), raw["stacks"], counted)


COUNT = EventKind(
    event=events.Count,
    sentence=_count,
    seats=lambda event, _night: event.stacks,
    correction=ask.Form(_ask_counts),
    icon="ok",
)


def _rule(event: events.Rule, words: Vocabulary) -> str:
    if not event.change:
        return _("No rule is changed.").removesuffix(".")
    preset = words.after.preset
    known = HOUSE_RULES[preset.game]
    play = {key: value for key, value in event.change.items() if key not in known or not known[key].is_money}
    said = [_play_rules(play, preset)] if play else []
    if len(play) < len(event.change):
        said.append(_("From now on: %(worth)s", worth=money_sentence(preset).removesuffix(".")))
    return ". ".join(said)


def _play_rules(change: Mapping[str, Value], preset: Preset) -> str:
    rules = "; ".join(change_words(preset, key, value) for key, value in change.items())
    if preset.is_pot_game:
        return _("A new rule from the next hand on: %(rules)s", rules=rules)
    return _("A new rule from now on: %(rules)s", rules=rules)


RULE = EventKind(
    event=events.Rule,
    sentence=_rule,
    is_for_host=True,
    buttons={"times": lambda form: events.Rule({"ante.times": number(form.argument)})},
    correction=ask.RuleCorrection(),
    icon="edit",
)


UNDO = EventKind(
    event=events.Undo,
    sentence=lambda _event, _words: _("An entry was taken back"),
    is_for_host=True,
    buttons={"undo": lambda form: events.Undo(number(form.argument))},
    icon="undo",
)


AMEND = EventKind(
    event=events.Amend, sentence=lambda _event, _words: _("An entry was changed"), is_for_host=True, icon="edit"
)

EVERY_GAME: tuple[AnyKind, ...] = (SIT, LEAVE, ORDER, END, PAID, COUNT, RULE, UNDO, AMEND)
