"""A line of JSON is read as ``json.loads`` reads it, whatever is in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.curator.records.formats.jsonl import MARK, _object_in

PARTS = (
    *'{}[],:"', '{"text": "late"', '"a": 1', "null", "NaN", "-Infinity", "1e999", "-", ".5", "9" * 5_000, "\\ud800",
    "\\", "\\u", " ", "\t", "\r", "\n", "\x0b", "\x85", "\u2028", "\xa0", "\x00", MARK, "é", "'",
)  # fmt: skip


def by_json(line):
    try:
        value = json.loads(line.decode().removeprefix(MARK))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
def test_any_line_is_read_as_json_reads_it(words):
    for line in (words.encode(), f'{{"a": {words}}}\n'.encode(), words.encode() + b"\xff"):
        assert repr(_object_in(line)) == repr(by_json(line))


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b' \t{"a": "\\ud83d\\ude00"}\r\n', {"a": "\U0001f600"}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"a": 1}', None),
        (b'\xc2\xa0{"a": 1}', None),
        (b'{"a": 1} {"b": 2}', None),
        (b'{"a": 1},', None),
        (b'{"a": ' + b"9" * 5_000 + b"}", None),
        (b"[1]", None),
        (b"", None),
    ],
)
def test_one_object_and_nothing_beside_it_is_a_record(line, value):
    assert _object_in(line) == value == by_json(line)
