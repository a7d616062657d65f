import re

from project.tap_modules import calls_of_a_tap
from support.paths import ROOT

MOST_MODULES, MOST_FUNCTIONS = 57, 375


def test_the_page_about_one_tap_names_only_modules_that_it_runs_and_they_do_not_become_more() -> None:
    text = (ROOT / "docs/one-tap.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`tracker/([\w/]+\.py)`", text))
    modules = {name: calls for name, calls in calls_of_a_tap().items() if not name.startswith("extras/")}
    assert len(named) > 30
    assert named - modules.keys() == set()
    assert len(modules) <= MOST_MODULES
    assert sum(map(len, modules.values())) <= MOST_FUNCTIONS
