"""A PostgreSQL server that was started again: connections of before are found out before anything is asked of them."""

from collections.abc import Callable

import pytest
from support import postgres
from support.postgres import PostgresServer

from tracker.storage.postgres import MOST_CONNECTIONS, Pool


@pytest.mark.parametrize("stop", [PostgresServer.stop, PostgresServer.stop_at_once], ids=["in-good-order", "at-once"])
def test_no_idle_connection_outlives_a_restart_of_the_server(stop: Callable[[PostgresServer], None]) -> None:
    with postgres.server() as server:
        pool = Pool(server.url)
        links = [pool.take() for _ in range(MOST_CONNECTIONS)]
        for link in links:
            pool.give_back(link)
        stop(server)
        server.start()
        for _ in range(MOST_CONNECTIONS):
            link = pool.take()
            assert link.execute("SELECT 1").fetchone() == (1,)
            pool.give_back(link)
        pool.close()
