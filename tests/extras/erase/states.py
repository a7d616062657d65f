"""How a whole night is taken away, for tests that all it gave is refused then; see `functions_of_extras`."""

from support.taken_away import House


def erase_night(here: House) -> None:
    erased = here.anna.post(f"/nights/{here.code}/erase", {"typed": here.site.tables.get(here.code).name})
    assert erased.location.endswith("?erased=1"), erased.text
