"""What a screen reader gets: two live regions that stay, each thing that happened once, and what is asked now."""

import re

import pytest
from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.waiting import until

WRITE_DOWN = """() => {
  const isNew = !window.writtenDown;
  window.writtenDown = [];
  const note = (changes) => {
    for (const { addedNodes } of changes) for (const one of addedNodes) writtenDown.push(one.textContent);
  };
  if (isNew) new MutationObserver(note).observe(document.getElementById("happened"), { childList: true });
}"""
ASKED = "text => document.querySelector('#asked').textContent === text"
TOLD = "text => writtenDown.includes(text)"


_kept = at_table("kept", "Ruth", "Gus", others=["Mia", "Tom"], options={"stack": "500"})


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> BrowserNight:
    """A new hand in play, which Ruth deals; what each phone tells from now on is written down."""
    kept.fresh_hand()
    for phone in kept.phones.values():
        phone.page.evaluate(WRITE_DOWN)
    return kept


def told(phone: BrowserPhone) -> list[str]:
    found = phone.page.evaluate("writtenDown")
    assert isinstance(found, list)
    return found


def hears(phone: BrowserPhone, *sentences: str) -> None:
    """Wait until these were told, and nothing else."""
    until(phone.page, "count => writtenDown.length >= count", len(sentences))
    assert told(phone) == list(sentences)


def stack(night: BrowserNight, seat: str) -> int:
    chips = night.state()["stacks"][seat]
    assert isinstance(chips, int)
    return chips


def test_each_entry_is_told_once_also_when_two_come_together_and_ones_own_with_one_short_answer(
    night: BrowserNight,
) -> None:
    host, gus = night.host, night.phones["gus"]
    chips = night.state()["pots"]
    gus.collect("ten-hearts")
    hears(gus, f"Done. Ten of hearts: you took {chips['ten-hearts']}. You have {stack(night, 'gus')}.")
    hears(host, f"Ten of hearts: Gus took {chips['ten-hearts']}.")
    for pot, seat in (("queen-hearts", "mia"), ("jack-spades", "gus"), ("king-clubs", "tom")):
        night.record("collect", seat=seat, pot=pot)
    night.everybody_sees()
    until(gus.page, "() => writtenDown.at(-1).startsWith('King of clubs')")
    lines = told(gus)[1:]
    missed = [line for line in lines if line.endswith("things have happened. The log has them.")]
    assert len(lines) == 3 or missed, lines
    assert len(set(lines)) == len(lines)
    assert told(host)[-1] == f"King of clubs: Tom took {chips['king-clubs']}."


def test_what_is_undone_or_corrected_is_told_with_who_did_it_and_what_it_means(night: BrowserNight) -> None:
    host, gus, chips = night.host, night.phones["gus"], night.state()["pots"]["ten-hearts"]
    night.record("collect", seat="gus", pot="ten-hearts")
    night.everybody_sees()
    host.record(".a-rest .undo")
    hears(
        gus,
        f"Ten of hearts: you took {chips}. You have {stack(night, 'gus') + chips}.",
        f"Ruth corrects. Undone: Gus gives back {chips}. You pay {chips}. You have {stack(night, 'gus')}.",
    )
    assert told(host)[-1] == f"Undone: Gus gives back {chips}."
    night.record("collect", seat="gus", pot="ten-hearts")
    night.record("amend", event=night.head(), change={"seat": "mia"})
    night.everybody_sees()
    until(gus.page, "() => writtenDown.length === 4")
    change = f"Changed: Mia takes {chips}: Ten of hearts. You pay Mia {chips}."
    assert told(gus)[-1] == f"The host’s phone corrects. {change} You have {stack(night, 'gus')}."


def test_while_a_sheet_is_open_what_happens_is_told(night: BrowserNight) -> None:
    gus, chips = night.phones["gus"], night.state()["pots"]["ten-hearts"]
    gus.tap("a[href$='/sheet']")
    gus.see("#sheet")
    night.host.collect_for("ten-hearts", "mia")
    hears(gus, f"Ten of hearts: Mia took {chips}.")
    night.host.tap_word("Someone is out")
    night.host.tap("#s-mia")
    hears(gus, f"Ten of hearts: Mia took {chips}.", "Mia is out!")
    until(gus.page, ASKED, "How many cards do you hold?")
    for region in ("#happened", "#asked"):
        assert not gus.page.evaluate("one => document.querySelector(one).closest('[inert], [hidden], #live')", region)
    gus.page.keyboard.press("Escape")
    night.host.tap(".a-rest .undo")
    until(gus.page, TOLD, "Undone: Mia is not out.")


def tells_beside_the_question(phone: BrowserPhone, what: str, sentence: str, *, key: str = "") -> None:
    """Tap something, or press a key on it, that tells one sentence after all that was told, and asks nothing else."""
    before, asked = told(phone), phone.page.inner_text("#asked")
    phone.see("body:not(.taps-paused)")
    if key:
        phone.page.focus(what)
        phone.page.keyboard.press(key)
    else:
        phone.tap(what)
    until(phone.page, "count => writtenDown.length > count", len(before))
    assert told(phone) == [*before, sentence]
    assert phone.page.inner_text("#asked") == asked


def test_who_cannot_be_chosen_is_told_after_what_was_told_before_and_the_question_stays(night: BrowserNight) -> None:
    host, chips = night.host, night.state()["pots"]["king-clubs"]
    night.record("penalty", seat="tom", offence="wrong-lead")
    night.everybody_sees()
    until(host.page, "() => writtenDown.length === 1")
    host.tap("#p-king-clubs")
    until(host.page, ASKED, f"Who took King of clubs, {chips} chips?")
    tells_beside_the_question(host, "#s-tom", "Tom: barred.")
    tells_beside_the_question(host, "#s-tom", "Tom: barred.", key="Enter")
    assert night.state()["pots"]["king-clubs"] == chips
    host.record("#s-mia")


def test_who_has_what_was_taken_is_told_after_what_was_told_before_and_the_question_stays(night: BrowserNight) -> None:
    night.record("out", seat="mia", cards={"ruth": 1, "gus": 2, "tom": 3})
    night.everybody_sees()
    for phone in night.phones.values():
        until(phone.page, "() => writtenDown.length === 1")
        assert phone.page.inner_text("#asked").startswith(("Best poker hand", "Who has the best poker hand"))
        tells_beside_the_question(phone, "#p-jackpot", "Jackpot: taken by Mia.")
        tells_beside_the_question(phone, "#p-jackpot", "Jackpot: taken by Mia.", key="Enter")
    night.host.record("#s-tom")
    night.everybody_sees()
    for phone in night.phones.values():
        until(phone.page, "() => writtenDown.at(-1).includes('Tom won')")
        tells_beside_the_question(phone, "#p-poker", "Poker pool: taken by Tom.")


def test_after_a_gap_the_number_of_missed_entries_is_told_and_the_newest(night: BrowserNight) -> None:
    gus = night.phones["gus"]
    gus.page.evaluate(
        """() => { Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange")); }"""
    )
    for pot, seat in (("ten-hearts", "mia"), ("queen-hearts", "mia"), ("king-clubs", "tom"), ("jack-spades", "tom")):
        night.record("collect", seat=seat, pot=pot)
    gus.page.evaluate(
        """() => { Object.defineProperty(document, "hidden", { value: false, configurable: true });
            document.dispatchEvent(new Event("visibilitychange")); }"""
    )
    until(gus.page, "() => writtenDown.length >= 2")
    assert told(gus)[0] == "4 things have happened. The log has them."
    assert told(gus)[1].startswith("Jack of spades: Tom took")


def test_the_code_is_spelled_in_its_groups_and_its_picture_has_a_short_name(night: BrowserNight) -> None:
    page = night.host.page
    page.goto(f"{night.server.here}/n/{night.code}/share")
    code = page.inner_text("#code .code")
    spelled = "; ".join(", ".join(group) for group in code.split("-"))
    assert page.get_by_role("img", name=spelled, exact=True).count() == 1
    assert page.get_by_role("img", name="QR code to join", exact=True).count() == 1


def test_a_knock_is_told_and_its_answers_say_whom_they_let_in(night: BrowserNight) -> None:
    share = night.host.context.request.get(f"{night.server.here}/n/{night.code}/share").text()
    night.phone("Ida").send(f"{night.guests_url}/join", token=re.findall(r"/j/([\w-]+)", share)[0], name="Ida")
    until(night.host.page, TOLD, "Ida wants to sit down, Linux.")
    night.host.page.get_by_role("button", name="Let in: Ida").click()
    until(night.host.page, "() => !document.querySelector('#asks .asked')")
