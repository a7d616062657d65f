"""Style sheets: colours, sizes and spaces stand in tokens.css and dark.css, and what is sent has no layers.

Without `:has` and the like a browser loses only the selectors that need it.
"""

import re
from pathlib import Path

import pytest
from support.paths import ROOT

from hatch_build import ACCENTED, FIRST, FONTS
from tracker.web.flat_styles import COMMENT, _split, without_layers

STATIC = ROOT / "static"
ALL = sorted(STATIC.rglob("*.css"))
TOKENS, DARK = STATIC / "shared/tokens.css", STATIC / "shared/dark.css"
WITH_ROOT = [path for path in ALL if ":root {" in path.read_text(encoding="utf-8")]
"""Beside the tokens only a page that comes before there is a server, and says its own."""
SHEETS = [path for path in ALL if path not in WITH_ROOT]
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(")
LENGTH = re.compile(r"(?<![\w.])[\d.]+(?:rem|px|pt)\b")
"""Of a screen or a sheet of paper; `em` and hundredths of a board follow what is around."""
SIZE = re.compile(r"\bfont-size:([^;}]*)|\bfont:\s*(?:\d+\s+)?([\d.]+(?:rem|pt))")
SPACE = re.compile(r"(?<![\w-])(?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z]+)*):([^;}]*)")
CORNER = re.compile(r"\bborder-radius:([^;}]*)")
ROUND = re.compile(r"50%|999px|0|[\d.]+em|\d+%")
"""Corners that follow from the size of what has them."""


def text_of(sheet: Path) -> str:
    return COMMENT.sub("", sheet.read_text(encoding="utf-8"))


def literal_sizes(text: str) -> list[str]:
    """Return the sizes of text that are lengths; the size of a whole page is that of its html."""
    rules = re.findall(r"([^{};]*)\{([^{}]*)\}", text)
    said = [size for head, body in rules if "html" not in head for found in SIZE.findall(body) for size in found]
    return [size.strip() for size in said if LENGTH.search(size)]


def literal_spaces(text: str) -> list[str]:
    """Return the spaces that are lengths of a screen; one below nothing takes another's place back."""
    return [length for value in SPACE.findall(text) for length in re.findall(r"(?<![\w.-])[\d.]+rem\b", value)]


def literal_corners(text: str) -> list[str]:
    values = [value for found in CORNER.findall(text) for value in found.split()]
    return [value for value in values if not value.startswith("var(") and not ROUND.fullmatch(value)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}-{sheet.stem}")
def test_a_sheet_says_its_colours_sizes_of_text_spaces_and_corners_by_name(sheet: Path) -> None:
    text = text_of(sheet)
    assert COLOUR.findall(text) == []
    assert literal_sizes(text) == []
    assert literal_spaces(text) == []
    assert literal_corners(text) == []


def test_the_tables_sheets_have_no_other_tokens() -> None:
    assert [path for path in WITH_ROOT if path.parent == TOKENS.parent] == [DARK, TOKENS]


def test_seven_sizes_of_text_five_spaces_and_three_corners_are_all() -> None:
    names = set(re.findall(r"--(fs-[a-z]+|[rs]\d)\s*:", text_of(TOKENS)))
    assert len({name for name in names if name.startswith("fs-")} - {"fs-fig", "fs-own", "fs-page"}) == 7
    assert {name for name in names if name[0] in "rs"} == {"r1", "r2", "r3", "s1", "s2", "s3", "s4", "s5"}


def in_range(said: str) -> set[str]:
    """Return the characters of a `unicode-range`."""
    runs = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", said)
    return {chr(code) for first, last in runs for code in range(int(first, 16), int(last or first, 16) + 1)}


def test_each_cut_of_a_font_is_loaded_for_the_characters_that_are_in_it_and_the_rest_for_all_others_of_latin_1() -> (
    None
):
    faces = re.findall(r"vendor/([a-z-]+)\.woff2.*?unicode-range: ([^;]+)", text_of(TOKENS), re.DOTALL)
    assert {name for name, _ in faces} == {f"{font}{end}" for font in FONTS for end in ("", "-accented", "-more")}
    for name, said in faces:
        if name in FONTS:
            assert in_range(said) == set(FIRST)
        elif name.endswith("-accented"):
            assert in_range(said) >= set(ACCENTED) - {*FIRST}
        else:
            assert in_range(said) >= {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100))} - {
                *FIRST,
                *ACCENTED,
            }
    assert [name for name, _ in faces][2::3] == [*FONTS], "of two that have a character the later one is loaded"


def test_the_dark_theme_has_other_values_of_the_same_colours_only() -> None:
    names = set(re.findall(r"--[\w-]+(?=:)", text_of(TOKENS)))
    assert set(re.findall(r"--[\w-]+(?=:)", text_of(DARK))) < names


# What is sent


def lists_that_mix(text: str) -> list[str]:
    """Return the heads of rules in which a selector with `:has` takes others with it."""
    heads = [head.strip() for head in re.findall(r"([^{}]+)\{", text)]
    return [head for head in heads if not head.startswith("@") and len({":has(" in one for one in _split(head)}) > 1]


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


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.stem)
def test_no_sheet_is_sent_with_a_layer_or_with_a_list_that_mixes_has(sheet: Path) -> None:
    text = COMMENT.sub("", without_layers(sheet.read_text(encoding="utf-8")))
    assert "@layer" not in text
    assert "&" not in text
    assert lists_that_mix(text) == []
    assert text.count("{") == text.count("}") > 0


def test_each_look_finds_what_it_looks_for() -> None:
    text = """a { color: #FFF; font-size: 1.2rem; border-radius: 7px 50%; padding: .5rem var(--s1) }
        b { font: 650 12pt/1 x; fill: rgba(0, 0, 0, 1); margin: 0 -1rem 1rem }"""
    assert COLOUR.findall(text) == ["#FFF", "rgba("]
    assert literal_sizes(text) == ["1.2rem", "12pt"]
    assert literal_spaces(text) == [".5rem", "1rem"]
    assert literal_corners(text) == ["7px"]
    assert lists_that_mix(".a, .b:has(c) { x: y }") == [".a, .b:has(c)"]
