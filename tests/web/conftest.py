"""The fixtures of tests of pages."""

from support.web_fixtures import _code, _ended, _here, _host, _table, _third

__all__ = ["_code", "_ended", "_here", "_host", "_table", "_third"]
