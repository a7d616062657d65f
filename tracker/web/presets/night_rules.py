"""The rules of a night that is going on: the card that everybody can read, and a rule changed by the host."""

from dataclasses import replace

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.seating import starting_stack
from tracker.core.errors import TableError
from tracker.core.events import Rule
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.night import Night
from tracker.formats.built_in import printed_game
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.consent import may_record
from tracker.web.access.roles import ALLOWED_IN, HOST, may
from tracker.web.base.context import get_table, redirect_to
from tracker.web.wording.game_words import change_words, rule_form, rule_lines, rules_typed
from tracker.web.wording.texts import refusal

bp = Blueprint("rules", __name__)


@bp.get("/n/<code>/rules")
@may(ALLOWED_IN, in_memory=True)
def page(code: str, wrong: dict[str, str] | None = None, why: str = "") -> ResponseReturnValue:
    table = get_table(code)
    night = table.night
    preset = replace(night.preset, stack=starting_stack(table))
    shown = render_template(
        "presets/night-rules.html",
        table=table,
        night=night,
        preset=preset,
        rule_lines=rule_lines(preset),
        soon=[change_words(night.preset, key, value) for key, value in night.new_rules.items()],
        can_change=g.identity.role == "host" and not night.is_over,
        now={key: str(value) for key, value in rules_of_next_hand(night).items()},
        wrong=wrong or {},
        opened=list(wrong or {}) or request.args.getlist("rule"),
        typed=request.form if wrong or why else {},
        why=why,
        key=new_id(),
        **rule_form(replace(night.preset, rules=rules_of_next_hand(night)), printed=printed_game(night.preset)),
    )
    return shown, 422 if wrong or why else 200


def rules_of_next_hand(night: Night) -> dict[str, Value]:
    return {key: night.new_rules.get(key, night.preset[key]) for key in HOUSE_RULES[night.preset.game]}


@bp.post("/n/<code>/rules")
@may(HOST, in_memory=True)
def change(code: str) -> ResponseReturnValue:
    """Record the house rules that the host changed, from the next hand on; refused with every fault at its field."""
    table = get_table(code)
    now = rules_of_next_hand(table.night)
    wrong: dict[str, str] = {}
    changes = rules_typed(request.form, table.night.preset, now, wrong)
    back = redirect_to("lobby.page" if request.form.get("from") == "lobby" else "rules.page", code=code)
    if wrong:
        return page(code, wrong)
    if not changes:
        return back
    event = Rule(changes)
    assert may_record(table, g.identity, event)  # the role table lets only the host post here
    try:
        table.record(event, id=id_from_key(request.form), by=g.identity.by)
    except TableError as error:
        return page(code, why=refusal(error))
    return back
