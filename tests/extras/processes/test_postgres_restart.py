"""A PostgreSQL server that was started again: connections of before are found out before anything is asked of them."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from extras.processes.postgres_server import PostgresServer, server
from support.polling import wait_until

from tracker.extras.processes.postgres import MOST_CONNECTIONS, pool_of, take


@pytest.mark.parametrize("stop", [PostgresServer.stop, PostgresServer.stop_at_once], ids=["in-good-order", "at-once"])
def test_no_idle_connection_outlives_a_restart_of_the_server(stop: Callable[[PostgresServer], None]) -> None:
    with server() as started, pool_of(started.url) as pool:
        with ExitStack() as ended:
            for _ in range(MOST_CONNECTIONS):
                ended.enter_context(pool.connection())
        wait_until(lambda: pool.get_stats()["pool_available"] == MOST_CONNECTIONS)
        stop(started)
        started.start()
        for _ in range(MOST_CONNECTIONS):
            link = take(pool)
            assert link.execute("SELECT 1").fetchone() == (1,)
            pool.putconn(link)
