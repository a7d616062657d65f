"""The routes of the app, an address for each, and the roles that may ask for it."""

from collections.abc import Iterator

from flask import Flask
from support.client_phones import ClientPhone
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

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


def asked(phone: ClientPhone, rule: Rule, code: str) -> Iterator[tuple[str, TestResponse]]:
    """Ask for an address by each method that it has; yield what was asked, and the answer."""
    for method in sorted({"GET", "POST"} & (rule.methods or set())):
        path = path_of(rule, code)
        yield f"{method} {path}", phone.get(path) if method == "GET" else phone.post(path)
