"""The routes of the app, an address for each, and the roles that may ask for it."""

from collections.abc import Iterator
from pathlib import Path

from flask import Flask
from support.client_phones import ClientPhone
from support.paths import ROOT
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tracker import extras
from tracker.web.access.roles import ANYONE, OPEN_TO_NOBODY, PageRules, rules_of

ROLES = (None, "knock", "watcher", "seat", "host")


VALUES = {"code": "", "seat": "ben", "device": "9999", "number": "1", "hand": "1", "preset": "michigan-rummy"}


def app_rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]


def page_rules(app: Flask, endpoint: str) -> PageRules:
    """Return what a page says of itself: its roles, and what else is true of it."""
    return rules_of(app.view_functions[endpoint])


def may_use(app: Flask, endpoint: str, role: str | None) -> bool:
    return not page_rules(app, endpoint).roles.isdisjoint({None, role})


def page_table(app: Flask, package: str) -> str:
    """Return a line for each page whose view is in a package: its methods and address, who may use it, what else is
    true of it."""
    lines = []
    for rule in app.url_map.iter_rules():
        if _is_in(package, app, rule.endpoint):
            rules = page_rules(app, rule.endpoint)
            roles = "anyone" if rules.roles == ANYONE else " ".join(sorted(map(str, rules.roles))) or "nobody"
            facts = [
                name if value is True else f"{name}={value}"
                for name, value in vars(rules).items()
                if name != "roles" and value != getattr(OPEN_TO_NOBODY, name)
            ]
            methods = " ".join(sorted({"GET", "POST"} & (rule.methods or set())))
            lines.append(f"{rule.rule:<44} {methods:<9}{'; '.join([roles, *facts])}")
    return "".join(f"{line}\n" for line in sorted(lines))


def _is_in(package: str, app: Flask, endpoint: str) -> bool:
    module = app.view_functions[endpoint].__module__
    is_of_extra = module.startswith("tracker.extras.")
    return f"{module}.".startswith(f"{package}.") if package else not is_of_extra


def page_tables() -> dict[str, Path]:
    """Return the files with the tables of pages: the table's own by an empty name, an extra's by its package."""
    own = {f"tracker.extras.{name}": ROOT / "tests/extras" / name / "page_roles.txt" for name in extras.names()}
    return {"": ROOT / "tests/web/access/page_roles.txt", **own}


def path_of(rule: Rule, code: str, token: str = "x" * 32) -> str:
    """An address that the rule matches, in the night `code`."""
    values = {**VALUES, "code": code, "token": token}
    built = rule.rule
    for argument in rule.arguments:
        built = built.replace(f"<int:{argument}>", values.get(argument, "8"))
        for converter in ("", "path:"):
            built = built.replace(f"<{converter}{argument}>", values.get(argument, "x"))
    assert "<" not in built, rule.rule
    return built


def asked(phone: ClientPhone, rule: Rule, code: str) -> Iterator[tuple[str, TestResponse]]:
    """Ask for an address by each method that it has; yield what was asked, and the answer."""
    for method in sorted({"GET", "POST"} & (rule.methods or set())):
        path = path_of(rule, code)
        yield f"{method} {path}", phone.get(path) if method == "GET" else phone.post(path)


if __name__ == "__main__":  # writes the tables of pages anew, for a reviewer to read what has changed
    from tracker.web.app import app_without_nights

    for package, file in page_tables().items():
        if table := page_table(app_without_nights(has_others=True), package):
            file.write_text(table, "utf-8")
