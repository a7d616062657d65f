"""What the tests that walk all pages have of lists: one over two nights with a shared cost."""

from collections.abc import Iterator

from support.client_phones import ClientPhone
from support.form_walk import forms_at
from support.page_states import ServedStates

from tracker.app.event_rows import new_id
from tracker.extras.settle_up.pages import SettleLists
from tracker.extras.settle_up.settle_list import NightCost


def add_states(states: ServedStates) -> None:
    """Make a list over two nights with a shared cost; other nights stay open."""
    lists = SettleLists(states.site.tables, states.site.app.extensions["known_nights"])
    nights = [one for one in lists.free_nights() if one.unpaid][:2]
    name = states.codes["list"] = new_id()
    lists.make([night.code for night in nights], name)
    parties = [seat.party for seat in lists.find(name).seats if seat.code == nights[0].code]
    cost = NightCost(nights[0].code, "Pizza vom Italiener", parties[0], tuple(parties), 4250, "pizza")
    lists.change(name, lambda one: one.with_cost(cost))


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    """Yield a browser, a page that it has after something that no state has, and the view of a form there."""
    host, page = states.host, f"/settle-up/{states.codes['list']}"
    yield host, page, "settle_up.tick"
    while tick := next((one for one in forms_at(host, page) if one.button == "wants=paid"), None):
        assert host.post(tick.action, tick.fields).status_code == 303
    yield host, page, "settle_up.undo"
