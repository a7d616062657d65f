"""The fixtures of tests of pages."""

import pytest
from support.translatable_texts import compile_texts
from support.web_fixtures import _code, _ended, _here, _host, _table, _third

__all__ = ["_code", "_ended", "_here", "_host", "_table", "_third"]


@pytest.fixture(scope="session", name="compiled_texts")
def _compiled_texts() -> None:
    """Compile the catalogues as they are now."""
    compile_texts()
