"""The fixtures of tests of pages, and phones for those of score games."""

from support.browser_phones import at_table
from support.web_fixtures import _code, _ended, _here, _host, _table, _third

__all__ = ["_code", "_ended", "_here", "_host", "_table", "_third"]

_night = at_table("night")
