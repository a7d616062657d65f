"""The SQL of the program is that of the oldest SQLite it starts with (CONTRIBUTING.md says how to build it)."""

import ast
import re

from support.paths import ROOT

from tracker.__main__ import OLDEST_SQLITE

NEWER = {
    r"->>?": (3, 38),
    r"\bunixepoch\(": (3, 38),
    r"\bformat\(": (3, 38),
    r"\b(RIGHT|FULL) (OUTER )?JOIN\b": (3, 39),
    r"\bIS (NOT )?DISTINCT FROM\b": (3, 39),
    r"\bRETURNING\b": (3, 41),
    r"\bunhex\(": (3, 41),
    r"\boctet_length\(|\btimediff\(": (3, 43),
    r"\bconcat(_ws)?\(|\bstring_agg\(": (3, 44),
    r"\bjsonb": (3, 45),
    r"\bunistr\(": (3, 50),
}
"""By pattern, since which SQLite something is there, and right: before 3.41 an expression of RETURNING was compared by
the wrong type."""
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WHERE|VACUUM|BEGIN)\b")


def statements() -> list[str]:
    """Return every text of the storage, but PostgreSQL's, that is SQL or a part of it."""
    folders = ("tracker/storage", "tracker/extras/_data_files", "tracker/extras/_night_summaries")
    paths = [path for folder in folders for path in (ROOT / folder).glob("*.py") if "postgres" not in path.name]
    nodes = (node for path in sorted(paths) for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [text for text in texts if SQL.search(text)]


def test_no_statement_needs_a_newer_sqlite_than_the_oldest() -> None:
    assert len(statements()) > 40
    newer = {
        (statement, pattern)
        for statement in statements()
        for pattern, since in NEWER.items()
        if since > OLDEST_SQLITE and re.search(pattern, statement, re.IGNORECASE)
    }
    assert not newer


def test_a_newer_statement_would_be_found() -> None:
    for statement in ("DELETE FROM link RETURNING until > ?", "SELECT value ->> 'a' FROM x", "SELECT unixepoch(at)"):
        assert any(re.search(pattern, statement, re.IGNORECASE) for pattern in NEWER), statement
