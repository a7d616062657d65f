"""The set-up page of a new night: stack, money, house rules, and that a form sent twice opens one night."""

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.app.event_rows import new_id
from tracker.core.house_rules import HOUSE_RULES
from tracker.formats.built_in import all_built_in


def test_a_new_night_takes_its_stack_and_money_from_the_set_up_page(site: Site, host: ClientPhone) -> None:
    form: dict[str, str | list[str]] = {
        "preset": "michigan-rummy", "full": "1", "host": "Ruth", "title": "Grandma’s birthday", "stack": "60",
        "money.chips": "10", "money.cents": "50", "money.coin": "5", "everyone": "on",
    }  # fmt: skip
    location = host.post("/new", form).location
    code = location.split("/")[2]
    table = site.tables.get(code)
    assert table.name == "Grandma’s birthday"
    assert table.night.stack("ruth") == 60
    assert (table.preset["money.chips"], table.preset["money.cents"], table.preset["money.coin"]) == (10, 50, 5)
    assert table.settings.is_open_to_all
    site.join(code, "Ben")
    assert table.night.stack("ben") == 60


@pytest.mark.parametrize(
    ("field", "value"),
    [("stack", "0"), ("stack", "lots"), ("stack", "-5"), ("stack", "1٢"), ("money.cents", "0.5"), ("money.chips", "0")],
)
def test_a_wrong_number_on_the_set_up_page_comes_back_with_a_sentence(
    site: Site, host: ClientPhone, field: str, value: str
) -> None:
    answer = host.post("/new", {"preset": "michigan-rummy", "full": "1", "host": "Ruth", field: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert site.tables.nights() == []


def test_a_form_sent_twice_opens_one_night(site: Site, host: ClientPhone) -> None:
    for page in ("", "full"):
        form: dict[str, str | list[str]] = {"preset": "michigan-rummy", "host": "Ruth", "key": new_id()}
        if page:
            form[page] = "1"
        before = len(site.tables.nights())
        first, second = host.post("/new", form), host.post("/new", form)
        assert first.location == second.location
        assert len(site.tables.nights()) == before + 1
        assert site.names(first.location.split("/")[2]) == ["Ruth"]
        assert host.get(second.location).status_code == 200
        assert host.post("/new", {**form, "key": new_id()}).location != first.location
        assert host.post("/new", {**form, "preset": "pope-joan"}).location != first.location


def test_a_night_may_be_run_by_a_machine_that_has_no_seat(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, "")
    table = site.tables.get(code)
    assert table.night.seats == ()
    assert host.get(f"/n/{code}/lobby").status_code == 200
    site.join(code, "Ben")
    site.join(code, "Mia")
    site.start_first_hand(host, code, "mia")


def test_every_rule_on_the_set_up_page_may_be_sent_as_it_stands(site: Site, host: ClientPhone) -> None:
    for game in all_built_in():
        page = host.get(f"/new/{game.id}").text
        names = HtmlPage(page).values("select, input", "name")
        rules = {name: str(game[name]) for name in names if name in HOUSE_RULES[game.game]}
        assert rules or game.game == "rounds"
        code = host.post("/new", {"preset": game.id, "full": "1", **rules}).location.split("/")[2]
        assert site.tables.get(code).options == {}
