"""Style sheets are sent without layers; without `:has` and the like a browser loses only the selectors that need it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.client_phones import Site
from support.paths import ROOT

from tracker.web.flat_styles import COMMENT, without_layers

SHEETS = sorted((ROOT / "static").rglob("*.css"))
HEAD = re.compile(r"([^{}]+)\{")


def sent(sheet: Path) -> str:
    return COMMENT.sub("", without_layers(sheet.read_text(encoding="utf-8")))


def lists_that_mix(text: str) -> Iterator[str]:
    """Yield the heads of rules in which a selector with `:has` takes others with it."""
    for found in HEAD.finditer(text):
        head, depth, parts = found[1], 0, [""]
        for char in head:
            depth += (char in "([") - (char in ")]")
            if char == "," and not depth:
                parts.append("")
            else:
                parts[-1] += char
        if not head.strip().startswith("@") and len({":has(" in one for one in parts}) > 1:
            yield head.strip()


CASES = {
    "a rule of a later layer is heavier": (
        "@layer base, parts;\n@layer parts { .a, b::before { x: y } }\n@layer base { #c .d { x: z } }\ni { x: u }",
        ".a:not(#_),b:not(#_)::before { x: y }",
        "#c .d { x: z }",
        "i:not(#_):not(#_):not(#_):not(#_):not(#_) { x: u }",
    ),
    "groups keep their rules and keyframes their steps": (
        "@layer parts { @media print { a { x: y } @keyframes k { 33% { x: y } } } }",
        "@media print{",
        "a:not(#_) { x: y }",
        "@keyframes k { 33% { x: y } }",
        "}",
    ),
    "a rule within a rule is sent with its whole selector": (
        "@layer base { a, b { x: y; &.c, > d { x: z; e { x: u } } f { x: v } } g { h { x: w } } }",
        "a,b { x: y;}",
        "a.c,a > d,b.c,b > d { x: z;}",
        "a.c e,a > d e,b.c e,b > d e { x: u }",
        "a f,b f { x: v }",
        "g h { x: w }",
    ),
    "a screen is said by its name, also with another condition": (
        "@layer base { @media (--low) and (orientation: portrait), print { a { x: y } } }",
        "@media (max-height: 790px) and (max-width: 599px) and (orientation: portrait), print{",
        "a { x: y }",
        "}",
    ),
    "a rule for each of some words is sent for all of them": (
        "@layer base { i, .at-:each(1 2) ~ b:nth-child(:it) { x: y; c { x: z } } }",
        "i,.at-1 ~ b:nth-child(1),.at-2 ~ b:nth-child(2) { x: y;}",
        "i c,.at-1 ~ b:nth-child(1) c,.at-2 ~ b:nth-child(2) c { x: z }",
    ),
    "commas within brackets part no selector": (
        "@layer base { b [t='x,y'], c { x: y } }",
        "b [t='x,y'],c { x: y }",
    ),
    "what many browsers cannot read stands apart": (
        "@layer base { a, d:focus-visible, e:has(f), g:not(.h, .i), j:not(.k) { x: y } }",
        "a,j:not(.k) { x: y }",
        "d:focus-visible { x: y }",
        "e:has(f) { x: y }",
        "g:not(.h, .i) { x: y }",
    ),
    "what an old browser knows by longer words is sent in these": (
        "@layer base { :is(a, .b:not(.c)) :is(d, e) { gap: 1px 2px; row-gap: 3px } }",
        "a d,a e,.b:not(.c) d,.b:not(.c) e { grid-gap: 1px 2px; grid-row-gap: 3px }",
    ),
    "sides by the direction of writing are sent by name": (
        "@layer base { a { padding-inline: 1px calc(2px + var(--x)); margin-block: auto; inset: 0 1px auto } }",
        (
            "a { padding-left: 1px; padding-right: calc(2px + var(--x)); margin-top: auto; margin-bottom: auto; "
            "top: 0; right: 1px; bottom: auto; left: 1px}"
        ),
    ),
}


@pytest.mark.parametrize("fact", CASES)
def test_a_sheet_is_sent_so_that(fact: str) -> None:
    text, *lines = CASES[fact]
    assert without_layers(text).split("\n") == [*lines, ""]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_no_sheet_is_sent_with_a_layer_or_with_a_list_that_mixes_has(sheet: Path) -> None:
    text = sent(sheet)
    assert "@layer" not in text
    assert "&" not in text
    assert list(lists_that_mix(text)) == []
    assert text.count("{") == text.count("}") > 0


def test_a_boards_sheet_has_no_layer(site: Site) -> None:
    text = site.host().get("/static/board/8.css").text
    assert "@layer" not in text
    assert ".b8:not(#_)" in text


def test_the_look_for_lists_that_mix_finds_one() -> None:
    assert list(lists_that_mix(".a, .b:has(c) { x: y }")) == [".a, .b:has(c)"]
