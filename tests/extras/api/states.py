"""What the API gives at a night, for tests that all is refused once it was taken away; see `functions_of_extras`."""

from collections.abc import Iterator

from support.taken_away import Give, House, Take, Use


def script_of(here: House, token: str) -> Use:
    path, bearer = f"/api/nights/{here.code}", f"Bearer {token}"
    return lambda: here.site.phone().get(path, Authorization=bearer).status_code == 200


def seats_script(here: House) -> Use:
    return script_of(here, here.site.script_token(here.code, "seat", seat="ben"))


def hosts_script(here: House) -> Use:
    return script_of(here, here.site.script_token(here.code, "host"))


def given() -> dict[Give, tuple[Take, ...]]:
    return {seats_script: (), hosts_script: ()}


def seats_stream(here: House) -> Iterator[bytes]:
    token = here.site.script_token(here.code, "seat", seat="ben")
    answer = here.site.phone().get(f"/api/nights/{here.code}/stream", Authorization=f"Bearer {token}")
    assert answer.status_code == 200
    return iter(answer.response)  # type: ignore[arg-type]
