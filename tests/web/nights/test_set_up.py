"""The set-up page of a new night: stack, money and house rules."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import Form

from tracker.app.event_rows import new_id
from tracker.core.house_rules import HOUSE_RULES, MOST_CHIPS
from tracker.formats.built_in import all_built_in, built_in

SET_UP: Form = {"preset": "michigan-rummy", "full": "1", "host": "Ruth"}


def test_a_new_night_takes_its_stack_and_money_from_the_set_up_page(site: Site, host: ClientPhone) -> None:
    money = {"money.chips": 10, "money.cents": 50, "money.coin": 5}
    form: Form = {**SET_UP, "title": "Grandma’s birthday", "stack": "60", "everyone": "on"}
    code = host.post("/new", {**form, **{key: str(value) for key, value in money.items()}}).location.split("/")[2]
    table = site.tables.get(code)
    assert table.name == "Grandma’s birthday"
    assert {key: table.preset[key] for key in money} == money
    assert table.settings.is_open_to_all
    site.join(code, "Ben")
    assert [table.night.stack(seat) for seat in ("ruth", "ben")] == [60, 60]


WRONG = (("stack", "0"), ("stack", "lots"), ("stack", "1٢"), ("money.cents", "0.5"), ("money.chips", "0"))


def test_a_wrong_number_on_the_set_up_page_comes_back_with_a_sentence(site: Site, host: ClientPhone) -> None:
    for field, value in WRONG:
        answer = host.post("/new", {**SET_UP, field: value})
        assert (answer.status_code, 'role="alert"' in answer.text) == (422, True), (field, value)
    assert site.tables.nights() == []


def test_set_up_and_settings_take_the_largest_stack_and_no_larger(site: Site, host: ClientPhone, code: str) -> None:
    for page, form, address in (
        (f"/new/{SET_UP['preset']}", SET_UP, "/new"),
        (f"/n/{code}/settings", {}, f"/n/{code}/settings"),
    ):
        assert HtmlPage(host.get(page).text).value("input[name=stack]", "max") == str(MOST_CHIPS)
        assert host.post(address, {**form, "stack": str(MOST_CHIPS + 1)}).status_code == 422
        assert site.tables.get(code).night.stack("ruth") == built_in("michigan-rummy").stack
        changed = host.post(address, {**form, "stack": str(MOST_CHIPS)}).location.split("/")[2]
        assert site.tables.get(changed).night.stack("ruth") == MOST_CHIPS


def test_a_form_sent_twice_opens_one_night_and_one_with_another_game_another(host: ClientPhone) -> None:
    key, games = new_id(), ("michigan-rummy", "michigan-rummy", "pope-joan")
    first, again, other = (host.post("/new", {"preset": game, "key": key}).location for game in games)
    assert first == again != other


def test_a_night_may_be_run_by_a_machine_that_has_no_seat(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, "")
    assert site.names(code) == []
    assert host.get(f"/n/{code}/lobby").status_code == 200
    for name in ("Ben", "Mia"):
        site.join(code, name)
    site.start_first_hand(host, code, "mia")


def test_every_rule_on_the_set_up_page_may_be_sent_as_it_stands(site: Site, host: ClientPhone) -> None:
    for game in all_built_in():
        names = HtmlPage(host.get(f"/new/{game.id}").text).values("select, input", "name")
        rules = {name: str(game[name]) for name in names if name in HOUSE_RULES[game.game]}
        assert rules or game.game == "rounds"
        code = host.post("/new", {"preset": game.id, "full": "1", **rules}).location.split("/")[2]
        assert site.tables.get(code).options == {}
