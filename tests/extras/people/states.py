"""What the tests that walk all pages have of people: a seat of a name that is nobody."""

from support.page_states import ServedStates

from tracker.extras._people import people_of


def add_states(states: ServedStates) -> None:
    """Have one of Ruth's seats be nobody's, as before the house knew her: a page asks who it is."""
    people_of(states.site.tables).unlink(states.codes["kept"], "ruth")
