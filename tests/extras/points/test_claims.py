"""A count opens with the claim that its forms belong to: what is typed into it at once is kept."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.score_nights import ScoreNight

OPENED = [
    ("points", "hearts", "stock", ""),
    ("points", "score-sheet", "stock", ""),
    ("yaniv", "yaniv", "stock", ""),
    ("rum", "michigan-rummy-snake", "stock", ""),
    ("rum", "michigan-rummy-snake", "out", "ben"),
]


@pytest.mark.parametrize("is_taken_back", [False, True])
@pytest.mark.parametrize(("extra", "preset", "do", "seat"), OPENED)
def test_every_page_of_a_count_that_opens_names_the_same_claim(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    extra: str,
    preset: str,
    do: str,
    seat: str,
    is_taken_back: bool,
) -> None:
    needs(extra)
    night = ScoreNight(site, preset)
    if is_taken_back:
        assert night.tap(do, seat=seat) == night.tap("say:7", seat="ruth") == night.tap("not-out") == 200
    published: list[str] = []
    monkeypatch.setattr(night.table._live, "publish_and_send", lambda *_: published.append(night.page()))
    assert night.tap(do, seat=seat) == 200
    counts = [HtmlPage(page) for page in published if HtmlPage(page).root.select(".hands")]
    assert counts
    assert len({page.values("#move [name=claim]", "value")[0] for page in counts}) == 1
