"""The page on which nights come in, from a file of ours or of another app; any other file is refused in a sentence."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from extras._shared.api_scripts import with_command_token
from extras._shared.changed_texts import DATES, mutated
from extras._shared.known_people import known_people
from extras.imports import program_files as apps
from extras.imports.program_files import COSTS, HEARTS, PLAYS, REPAID, SKAT, SPLITWISE, bg_stats, play
from extras.imports.uploads import upload_night
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs, of_extras
from support.paths import NIGHTS
from support.remote_phone import open_night
from support.routes import app_rules, page_rules, path_of
from support.sample_nights import SampleNight, visible_text
from support.server_process import Command, run
from werkzeug.test import TestResponse

from tracker import extras
from tracker.app.event_rows import new_id
from tracker.cli.data_folder import DATA_FILE
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.core.payment_list import payment_list
from tracker.extras._night_files.importing import FORM_LIMIT
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras.imports.csv_tables import numbers_in, rows_of
from tracker.extras.imports.night_page import LARGEST_FILE
from tracker.formats import night_file
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to
from tracker.formats.night_file import FORMAT, MOST, VERSION
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.access.request_guards import SERVER_LIMIT


def test_a_night_goes_on_once_however_often_its_form_is_sent_at_its_importer(site: Site, third: SampleNight) -> None:
    host, text = site.host(), third.table.export()
    (key,) = HtmlPage(host.get("/import").text).values('form[action="/import"] [name="key"]', "value")
    code, again, other = (upload_night(host, text, key=one).location.split("/")[2] for one in (key, key, ""))
    assert code == again
    assert len({code, other, third.code}) == len(site.tables.nights()) == 3
    table = site.tables.get(code)
    assert (table.night, table.name) == (third.table.night, third.table.name)
    assert {host.get(f"/n/{code}/{page}").status_code for page in ("log", "settle")} == {200}
    assert site.access.invites.shown(code), "phones can join"
    nameless = {key: value for key, value in json.loads(text).items() if key != "name"}
    code = upload_night(host, json.dumps(nameless)).location.split("/")[2]
    assert site.tables.get(code).name == "Friday at ruths", "as the file is called"


def test_a_refused_file_changes_nothing_and_every_fault_is_named(site: Site, host: ClientPhone) -> None:
    ann, up = ({"kind": "sit", "seat": seat, "name": "Ann"} for seat in ("ann", "UP"))
    answer = upload_night(host, as_file([ann, up, {"kind": "dance"}, {"kind": "buy", "seat": "ann", "chips": -2}]))
    said = visible_text(answer)
    assert "It was not taken. Nothing was changed." in said
    assert all(f"vent {number} (" in said for number in (2, 3, 4))
    undated = [as_file([{**ann, "at": date}]) for date in DATES]
    alone = upload_night(host, as_file([ann, {"kind": "hand", "dealer": "ann"}]))
    assert "Event 2 (hand): a hand needs at least two people." in visible_text(alone)
    towers = {**preset_to(built_in("michigan-rummy")), "game": "towers"}
    assert "ame must be one of pots" in visible_text(upload_night(host, as_file([], preset=towers)))
    bombs = [as_file([], version=10**400), as_file([], preset={"id": ["x"] * 9000})]
    bombs += ["[" * 5000, '{"a":' * 3000 + "1" + "}" * 3000, "\x00" * 4000, '"' + "\\ud800" * 2000 + '"']
    texts = ("[]", "{}", '{"format": NaN}', "<html>", *bombs, *undated)
    for content in (b"", b"\xff\xfe\x00", *map(str.encode, texts)):
        answer = upload_night(host, content)
        assert answer.status_code == 422, content[:20]
        assert "Nothing was changed." in answer.text
    assert site.tables.nights() == []


def test_a_file_of_four_megabytes_is_read_no_larger_one_nor_by_another_form(site: Site, host: ClientPhone) -> None:
    assert "The file is empty" in upload_night(host, b" " * (LARGEST_FILE - 1)).text
    assert upload_night(host, b" " * (LARGEST_FILE + 1)).status_code == 422
    refused = upload_night(host, b" " * (LARGEST_FILE + 100_000))
    assert refused.status_code == 413
    assert "The file is larger than 4 MB" in refused.text
    posts = {rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    limits = {endpoint: page_rules(site.app, endpoint).most_bytes for endpoint in posts}
    assert {limit for limit in limits.values() if limit >= SERVER_LIMIT} == {FORM_LIMIT}
    assert site.access.large_bodies["/import/elsewhere"] == site.access.large_bodies["/import"]


NAMES: tuple[Any, ...] = (7, None, "x" * 201, "Fri\u0007day")
BROKEN = ("{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5000, '{"format": "x"}', '"' + "x" * 10)


def test_faults_of_a_file_and_its_name_are_german(site: Site, host: ClientPhone) -> None:
    named = [as_file([], name=name) for name in NAMES]
    assert all("The night’s name must " in upload_night(host, text).text for text in named)
    host.client.set_cookie("lang", "de", domain=HERE)
    for text in (*BROKEN, *named):
        answer = upload_night(host, text)
        assert answer.status_code == 422, text[:20]
        assert re.search("das (ist|sieht aus wie)|die datei ist|der name des abends ", answer.text.lower()), text[:20]
        for english in ("this is", "must be", "is nested", "stands twice", "is no number"):
            assert english not in answer.text
    assert site.tables.nights() == []


# Night files that were changed at random: refused in a sentence or taken, and never a page that breaks.


def test_any_night_file_is_answered(site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]) -> None:
    site.access.pace = site.access.scripts.pace = PostRateLimit(burst=1_000_000)
    chance, files = Random(4), sorted(NIGHTS.glob("*.json"))
    script = with_command_token(site) if "api" in extras.names() else None
    for number in range(short_or_long(50, 3000)):
        value = mutated(json.loads(chance.choice(files).read_text("utf-8")), chance)
        texts = (json.dumps(value), json.dumps(value, ensure_ascii=False))
        for text in (one.encode("utf-8", "surrogatepass") for one in texts):
            assert upload_night(host, text, key=new_id()).status_code in (200, 303, 422), (number, value)
            if script:
                assert script.post("/api/import", text).status in (200, 201, 400, 422), (number, value)
    for page in ("/", *of_extras("lists"), *of_extras("csv_of_nights")[:1], "/api/nights"):
        assert host.get(page).status_code < 500


# Files that cost more to play than to read.


def buys(count: int) -> list[dict[str, Any]]:
    """Return a night of two people, the third event on being `count` purchases."""
    seated = [{"kind": "sit", "seat": seat, "name": seat.title()} for seat in ("ann", "bob")]
    return [*seated, *({"kind": "buy", "seat": "bob", "chips": 1 + number % 9} for number in range(count))]


def corrections(count: int, kind: str, *, in_chain: bool) -> list[dict[str, Any]]:
    """Return corrections of the third event on, each of one and the same or of the one before it."""
    change = {"change": {"chips": 1}} if kind == "amend" else {}
    return [{"kind": kind, "event": 3 + number * in_chain, **change} for number in range(count)]


SLOW_NIGHTS = {
    "each of 1,500 corrections changes the first of 1,500 events": [
        *buys(1500), *corrections(1500, "amend", in_chain=False),
    ],
    "corrections of corrections, each taken back": [
        *buys(1), *corrections(5000, "amend", in_chain=True), *corrections(4000, "undo", in_chain=True),
    ],
    "everybody sits down": [{"kind": "sit", "seat": f"s{number}", "name": f"N{number}"} for number in range(9000)],
}  # fmt: skip
PLAYABLE_NIGHTS: dict[str, Callable[[int], list[dict[str, Any]]]] = {
    "corrections of one event": lambda count: [*buys(1), *corrections(count, "amend", in_chain=False)],
    "corrections of the correction before": lambda count: [*buys(1), *corrections(count, "amend", in_chain=True)],
    "taken back again and again": lambda count: [*buys(1), *corrections(count, "undo", in_chain=True)],
}


def as_file(events: Sequence[Mapping[str, Any]], **more: Any) -> str:
    """Return the text of a night file of Michigan Rummy."""
    frame = {"format": FORMAT, "version": VERSION, "preset": "michigan-rummy", "events": events}
    return json.dumps({**frame, **more})


@pytest.mark.parametrize("what", SLOW_NIGHTS)
def test_a_night_that_takes_long_to_play_is_refused_after_so_much_work(
    site: Site, monkeypatch: pytest.MonkeyPatch, short_or_long: Callable[[int, int], int], what: str
) -> None:
    """The work is counted, not timed; the short run allows a tenth of it, and only the command's own the whole."""
    most, applied = short_or_long(int(MOST.work / 10), int(MOST.work)), list[int]()
    monkeypatch.setattr(night_file, "MOST", MOST._replace(work=most))

    def counted(night: Night, event: Event) -> Night:
        applied.append(len(night.people))
        return apply(night, event)

    monkeypatch.setattr(log, "apply", counted)
    answer = upload_night(site.host(), as_file(SLOW_NIGHTS[what]))
    assert answer.status_code == 422
    assert "Playing this night again takes too long: " in answer.text
    assert sum(applied) <= most + 10_000
    assert site.tables.nights() == []


@pytest.mark.parametrize("what", PLAYABLE_NIGHTS)
def test_a_night_with_very_many_corrections_is_played_and_every_page_of_it_opens(
    site: Site, short_or_long: Callable[[int, int], int], what: str
) -> None:
    host = site.host()
    answer = upload_night(host, as_file(PLAYABLE_NIGHTS[what](short_or_long(900, 3000))))
    assert answer.status_code == 303, answer.text
    code = site.tables.nights()[0].code
    for rule in app_rules(site.app):
        is_page = "code" in rule.arguments and "GET" in (rule.methods or ()) and not rule.endpoint.endswith("stream")
        assert not is_page or host.get(path_of(rule, code)).status_code < 500, rule


def test_a_night_that_takes_long_to_play_holds_nobody_up_at_the_running_command(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    files = short_or_long(1, 3)
    command = Command(tmp_path)
    try:
        night = open_night(command.port, command.host_link)
        ben = night.join("127.0.0.20", name="Ben")
        text = as_file(SLOW_NIGHTS["each of 1,500 corrections changes the first of 1,500 events"])
        with ThreadPoolExecutor() as pool:
            imports = [pool.submit(night.host.upload, "/import", "night", text) for _ in range(files)]
            answers = [ben.get(f"{night.base}/lobby").status for _ in range(10)]
            assert answers == [200] * 10
        assert [done.result().status for done in imports] == [422] * files
    finally:
        command.kill()


# Nights from other apps and to them: chosen people, all at once, once however often, and taken back at once


FORM = 'form[action="/import/elsewhere"]'


def bring(host: ClientPhone, file: str | bytes, **choices: str) -> TestResponse:
    """Choose a file and say yes to all of it."""
    return host.post("/import/elsewhere", {**HtmlPage(upload_night(host, file).text).form(FORM), **choices})


def test_plays_come_in_with_the_people_that_were_chosen_are_taken_back_together_and_come_in_again(site: Site) -> None:
    host, people = site.host(), known_people(site.tables)
    ruth = people.add("Ruth", [])
    page = HtmlPage(upload_night(host, PLAYS).text)
    assert page.texts("label") == ["Ann", "Bob"]
    assert not page.has("option[selected]")
    form = page.form(FORM) | {"who-0": ruth.id}
    assert site.tables.nights() == []
    done = [host.post("/import/elsewhere", {**form}) for _ in range(2)]
    assert ["2 nights came in." in visible_text(one) for one in done] == [True, True]  # sent twice, it counts once
    assert sorted(row.name for row in site.tables.nights()) == ["Hearts", "Skat"]
    linked = people.seats_of(ruth.id)
    assert [site.tables.get(code).night.name(seat) for code, seat in linked] == ["Ann"] * 2
    take_back(host, done[0])
    assert Summaries(site.tables).all() == []
    assert len(Summaries(site.tables).deleted()) == 2
    assert people.seats_of(ruth.id) == ()
    bring(host, PLAYS)
    assert len(Summaries(site.tables).all()) == 2


def take_back(host: ClientPhone, done: TestResponse) -> None:
    """Press the button of the page that says what came in."""
    undone = host.post("/import/elsewhere/undo", {**HtmlPage(done.text).form('form[action$="/undo"]')})
    assert undone.status_code == 303


def test_what_stays_out_is_listed_by_game_and_day_with_its_reason_before_the_yes(host: ClientPhone) -> None:
    alone, without = play([(3, "5")]), play([(3, ""), (4, "")], 9, "2026-01-08 20:00:00")
    page = HtmlPage(upload_night(host, bg_stats(HEARTS, SKAT, alone, without, alone)).text)
    said = page.text("main").replace("\N{NO-BREAK SPACE}", " ")
    assert "2 nights come in." in said
    assert "3 stay out: 2 × played alone 1 × without points" in said
    assert "5 Jan 2026 · Hearts: played alone" in said
    assert "8 Jan 2026 · Chess: without points" in said
    page = HtmlPage(upload_night(host, bg_stats(alone)).text)
    assert "0 nights come in." in page.text("main")
    assert not page.has(FORM), "nothing to say yes to"


def test_plays_that_are_here_do_not_come_in_again_by_id_or_by_what_they_say(site: Site, host: ClientPhone) -> None:
    def says(file: str) -> str:
        return visible_text(upload_night(host, file))

    bring(host, bg_stats(HEARTS))
    more = bg_stats(HEARTS, SKAT)
    assert "1 night comes in. 1 is here already." in says(more)
    stale = HtmlPage(upload_night(host, more).text).form(FORM)
    bring(host, more)
    page = upload_night(host, more)
    assert "0 nights come in. 2 are here already." in visible_text(page)
    assert not HtmlPage(page.text).has(FORM)
    host.post("/import/elsewhere", {**stale})  # of a page that was open all the while
    assert len(site.tables.nights()) == 2
    hearts, skat = ({key: value for key, value in one.items() if key != "uuid"} for one in (HEARTS, SKAT))
    twice = bg_stats(hearts, hearts, skat)
    bring(host, twice)
    assert len(site.tables.nights()) == 5
    assert "0 nights come in. 3 are here already." in says(twice)
    assert "1 night comes in." in says(bg_stats(hearts, hearts, hearts))


def test_a_newer_table_of_the_same_people_replaces_the_former_where_wanted(site: Site, host: ClientPhone) -> None:
    def unpaid() -> list[list[tuple[str, str, int]]]:
        nights = Summaries(site.tables).all()
        return [sorted((one.source, one.target, one.cents) for one in night.unpaid) for night in nights]

    bring(host, SPLITWISE)
    before = [("p2", "p1", 400), ("p3", "p1", 1300)]
    assert [night.name for night in Summaries(site.tables).all()] == ["Shared costs (EUR)"]
    assert unpaid() == [before]
    page = HtmlPage(upload_night(host, apps.splitwise((*COSTS, REPAID))).text)
    said = page.text(FORM).replace("\N{NO-BREAK SPACE}", " ")
    assert "It replaces what came in of these people before (6 Jan 2026)." in said
    done = host.post("/import/elsewhere", {**page.form(FORM)})
    assert unpaid() == [[("p3", "p1", 1300)]]
    kept = [{**site.tables.store.settings(row.code)} for row in site.tables.nights()]
    (new,), (old,) = ([one for one in kept if ("replaced-with" in one) == is_old] for is_old in (False, True))
    assert old["came-from"] == new["came-from"] == "costs EUR", "the keys that earlier versions stored"
    assert old["brought-with"] != new["brought-with"] == old["replaced-with"]
    take_back(host, done)
    assert unpaid() == [before]
    form = HtmlPage(upload_night(host, SPLITWISE).text).form(FORM)
    host.post("/import/elsewhere", {key: value for key, value in form.items() if key != "replaced"})
    assert unpaid() == [before, before]


def test_a_table_of_others_or_of_other_money_replaces_nothing(site: Site, host: ClientPhone) -> None:
    bring(host, SPLITWISE)
    others = apps.splitwise(people=("Dora", "Emil"), costs=[apps.Cost("x", "9", "Dora", ("Dora", "Emil"))])
    for other in (apps.splitwise(currency="USD"), others):
        assert not HtmlPage(upload_night(host, other).text).has("[name=replaced]")
        bring(host, other)
    assert len(Summaries(site.tables).all()) == 3


def test_a_night_of_ours_that_comes_back_is_here_already(ended: SampleNight) -> None:
    back = bg_stats(play([(3, "9"), (4, "1")], sourcePlayId=ended.table.code), SKAT)
    assert "1 night comes in. 1 is here already." in visible_text(upload_night(ended.host, back))


@pytest.mark.parametrize(("unit", "owed"), [("", [3778, 1450]), ("whole", [377800, 145000])])
def test_the_worth_of_a_poker_ledgers_number_is_asked(
    site: Site, host: ClientPhone, unit: str, owed: list[int]
) -> None:
    bring(host, apps.poker_ledger(), unit=unit)
    (row,) = site.tables.nights()
    assert sorted(one.event.cents for one in payment_list(site.tables.get(row.code).night)) == sorted(owed)


def test_large_sums_of_other_currencies_are_settled_to_the_last_unit(site: Site, host: ClientPhone) -> None:
    yen = apps.splitwise([apps.Cost("x", "25000000", "Ann", ("Ann", "Bob"))], ("Ann", "Bob"), "JPY", digits=0)
    dinar = apps.splitwise([apps.Cost("x", "1.673", "Cem", ("Cem", "Dan"))], ("Cem", "Dan"), "KWD", digits=3)
    for file in (yen, dinar):
        bring(host, file)
    needs("settle_up")
    page = host.get("/settle-up")
    assert "12,500,000" in page.text
    assert "0.836" in page.text
    nights = Summaries(site.tables).all()
    assert "different money" in visible_text(host.post("/settle-up", {"night": [one.code for one in nights]}))
    for code in (one.code for one in nights):
        at = host.post("/settle-up", {"night": code, "key": code.ljust(32, "a")}).location
        owed = HtmlPage(host.get(at).text).values("[name=owed]", "value")
        assert host.post(f"{at}/tick", {"place": "0", "wants": "paid", "owed": owed}).status_code == 303
    assert not [one for one in Summaries(site.tables).all() if one.unpaid]


def test_with_anything_wrong_nothing_comes_in(site: Site, host: ClientPhone) -> None:
    form = HtmlPage(upload_night(host, PLAYS).text).form(FORM)
    good = json.loads(str(form["nights"]))
    for nights in ("", "x", "3", "[3]", "[{}]", json.dumps([good[0], {**good[1], "points": {"Ann": 1}}])):
        answer = host.post("/import/elsewhere", {**form, "nights": nights, "key": ""})
        assert answer.status_code == 422, nights
    assert site.tables.nights() == []


# Tables of other programs: whatever stands between the cells and before decimals, they are read as they were meant.


def test_what_we_write_we_read() -> None:
    needs("exports")
    csv_text = import_module("tracker.extras.exports.all_nights").csv_text
    told = "Ann|Mar 3|12e5|1,5|5 €|+49|true|2026-01-05|ok; fine|\tx|#N/A|=1+1|a\nb"
    rows = [["name", "what"], *([one, "x"] for one in (*told.split("|"), 'say "x"')), ["-5", "2"]]
    for delimiter in ",;\t":
        assert rows_of(csv_text(rows, delimiter)) == [[cell.strip() for cell in row] for row in rows]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,200.00", "-3.5"], ["1200", "-3.5"]),
        (["1.200,00", "-3,5"], ["1200", "-3.5"]),
        (["1 200,00", "3,50"], ["1200", "3.5"]),
        (["1\u202f200,5"], ["1200.5"]),
        (["1'200.50", "(3.00)", "3-"], ["1200.5", "-3", "-3"]),
        (["30,000", "200"], ["30000", "200"]),
        (["30.000", "1.000.000"], ["30000", "1000000"]),
        (["0,837", "-1,200"], ["0.837", "-1.2"]),
        (["€ 12.00", "12 €", "US$ 4.50", "-€3"], ["12", "12", "4.5", "-3"]),
        (["\N{MINUS SIGN}3.50", "-0", ""], ["-3.5", "0", None]),
        (["1e9", "x", "1.2.3", "--3", "1,2,3.4.5"], [None] * 5),
    ],
)
def test_numbers_are_read_with_the_decimal_sign_of_the_table(cells: list[str], numbers: list[str | None]) -> None:
    assert [*numbers_in(cells)] == [None if one is None else Fraction(one) for one in numbers]
    assert [*numbers_in(["1.200", "3"], 3)] == [Fraction("1.2"), 3], "where the currency has three decimals"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\r\n1;2\r\n", [["a", "b"], ["1", "2"]]),
        ("sep=;\r\na,x;b\r\n1;2\r\n", [["a,x", "b"], ["1", "2"]]),
        ('"a","b;c;d"\n"1","2\n3"\n', [["a", "b;c;d"], ["1", "2\n3"]]),
        ("\n\na\tb\n\n1\t2\t\n", [["a", "b"], ["1", "2"]]),
        ("hello\nworld\n", []),
        ("", []),
    ],
)
def test_what_stands_between_the_cells_is_seen_in_the_file(text: str, rows: list[list[str]]) -> None:
    assert rows_of(text) == rows
    with pytest.raises(UnreadableError, match="quotation mark"):
        rows_of('a,b\n"' + "x" * 200_000)


# The command `import` takes the files of other programs, as the page does.


def test_what_the_page_takes_the_command_takes(tmp_path: Path) -> None:
    """The files of other apps, once however often, and what stays out with its reason."""
    needs("commands")
    plays, costs = tmp_path / "export.json", tmp_path / "costs.csv"
    plays.write_text(apps.bg_stats(apps.HEARTS, apps.SKAT, apps.play([(3, "5")])), encoding="utf-8")
    costs.write_bytes(apps.spliit().encode())
    first = run("import", plays, costs, "--data", tmp_path / "data")
    assert first.exit_code == 0, first.output
    assert [line.split("  ")[1] for line in first.stdout.splitlines() if "from" in line] == [
        "Hearts, from BG Stats",
        "Skat, from BG Stats",
        "Shared costs (EUR), from Spliit",
    ]
    assert "stays out: 2026-01-05 Hearts: played alone" in first.stdout
    again = run("import", plays, costs, "--data", tmp_path / "data")
    assert "2 already here" in again.stdout
    assert "replaced: it is with the deleted nights" in again.stdout
    assert run("import", tmp_path / "data" / DATA_FILE, "--data", tmp_path / "data").exit_code == 2
