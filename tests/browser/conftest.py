"""The fixture of tests of pages in every state."""

from collections.abc import Iterator

import pytest
from support.page_states import ServedStates, served_states


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedStates]:
    with served_states(tmp_path_factory.mktemp("data")) as states:
        yield states
