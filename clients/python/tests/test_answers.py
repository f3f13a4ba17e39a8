"""Tests of streamed answers, without a server."""

from collections.abc import Iterator
from contextlib import nullcontext

import httpx
import pytest

from quarry import AnswerStream, QuarryError
from quarry.answers import parse_events

# Python's own splitlines() also splits at two of these characters.
TEXT = "Le café\u2028glacé nº 7\u0085: 日本語, 😀."
PIECE = b"event: answer\ndata: One\n\n"


def test_splits_a_stream_at_line_feeds_only() -> None:
    stream = (
        f"event: answer\r\ndata: {TEXT}\r\n\r\nevent: answer\ndata: a\ndata:  b\n\n: ping\n\ndata: [DONE]\n\n".encode()
    )
    one_by_one = (bytes([byte]) for byte in stream)
    assert list(parse_events(one_by_one)) == [("answer", TEXT), ("answer", "a\n b"), ("", "[DONE]")]


def open_stream(content: bytes | Iterator[bytes]) -> AnswerStream:
    """Returns the stream of a response with this content."""
    return AnswerStream(nullcontext(httpx.Response(200, content=content)))


@pytest.mark.parametrize(
    ("end", "code", "detail"),
    [
        (b"", "stream_interrupted", "found neither"),
        (b"data: [ERROR] model_timeout: Too slow.\n\n", "model_timeout", "Too slow."),
        (b"data: [ERROR] Something failed.\n\n", "answer_failed", "Something failed."),
    ],
)
def test_raises_the_error_of_a_stream_after_its_pieces(end: bytes, code: str, detail: str) -> None:
    pieces = iter(open_stream(PIECE + end))
    assert next(pieces) == "One"
    with pytest.raises(QuarryError, match=detail) as raised:
        next(pieces)
    assert raised.value.code == code


def test_reports_a_broken_connection() -> None:
    def break_after_a_piece() -> Iterator[bytes]:
        yield PIECE
        raise httpx.ReadError("Connection reset by peer")

    with pytest.raises(QuarryError, match="Connection reset by peer"):
        list(open_stream(break_after_a_piece()))
