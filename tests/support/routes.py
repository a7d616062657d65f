"""The routes of the app, an address for each, and the roles that may ask for it."""

from flask import Flask
from werkzeug.routing import Rule

ROLES = (None, "knock", "watcher", "seat", "host")


VALUES = {"code": "", "seat": "ben", "device": "9999", "number": "1", "hand": "1", "preset": "michigan-rummy"}


def app_rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]


def path_of(rule: Rule, code: str, token: str = "x" * 32) -> str:
    """An address that the rule matches, in the night `code`."""
    values = {**VALUES, "code": code, "token": token}
    built = rule.rule
    for argument in rule.arguments:
        for converter in ("", "int:", "path:"):
            built = built.replace(f"<{converter}{argument}>", values.get(argument, "x"))
    assert "<" not in built, rule.rule
    return built
