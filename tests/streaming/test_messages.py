"""The stream's grammar: whatever people are called, a message says exactly what was put in."""

from dataclasses import dataclass

import pytest
from hypothesis import example, given, strategies as st

from tracker.streaming.stream import message

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@dataclass(frozen=True)
class Parsed:
    event: str
    data: str
    id: str


def parse(stream: bytes) -> list[Parsed]:
    """Read a stream the way the HTML standard tells browsers to (section 9.2.6)."""
    text = stream.decode().removeprefix("\ufeff")
    messages: list[Parsed] = []
    data, event, last_id = "", "", ""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line:
            if data:
                messages.append(Parsed(event or "message", data.removesuffix("\n"), last_id))
            data, event = "", ""
            continue
        name, colon, value = line.partition(":")
        value = value.removeprefix(" ") if colon else ""
        if name == "data":
            data += value + "\n"
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            last_id = value
    return messages


def with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(TEXT, st.integers(0, 10**6))
@example("Ann\n\nevent: host\ndata: all yours", 3)
@example("Ann\r\rid: 9\rdata: x", 3)
@example("\r\n\n\r", 3)
@example("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", 3)
@example("\ufeff", 3)
@example("", 0)
def test_any_text_comes_out_as_one_message_and_forges_no_field(text: str, head: int) -> None:
    assert parse(message(text, head=head)) == [Parsed("message", with_plain_line_ends(text), str(head))]


@given(st.lists(TEXT, max_size=5))
def test_messages_in_a_row_stay_apart(texts: list[str]) -> None:
    stream = b"retry: 500\n" + b"".join(message(text, head=number) for number, text in enumerate(texts))
    assert [parsed.data for parsed in parse(stream)] == [with_plain_line_ends(text) for text in texts]


@pytest.mark.parametrize("event", ["beat", "closed"])
def test_a_named_message_keeps_the_number_of_the_last_page(event: str) -> None:
    stream = message("<p>12</p>", head=12) + message("13", event=event)
    assert parse(stream) == [Parsed("message", "<p>12</p>", "12"), Parsed(event, "13", "12")]
