"""PostgreSQL for tests: a server of this process, empty databases, and places for the tests of `every_place`."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from extras.processes import postgres_server

from tracker.extras.processes.options import Postgres


@pytest.fixture(scope="session", name="postgres_server")
def _postgres_server() -> Iterator[postgres_server.PostgresServer]:
    """A PostgreSQL server for all tests of this process, started by the first that needs it."""
    with postgres_server.server() as server:
        yield server


@pytest.fixture(scope="session", name="postgresql_places")
def _postgresql_places(
    postgres_server: postgres_server.PostgresServer,
) -> Callable[[], AbstractContextManager[Postgres]]:
    """A function that yields an empty database, which is deleted afterwards."""

    @contextmanager
    def made() -> Iterator[Postgres]:
        url = postgres_server.new_place()
        yield Postgres(url)
        postgres_server.drop(url)

    return made


@pytest.fixture(name="database")
def _database(postgresql_places: Callable[[], AbstractContextManager[Postgres]]) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    with postgresql_places() as place:
        yield place.url
