"""Streamed answers."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager

import httpx

from quarry.errors import QuarryError
from quarry.generated.models import AgentQueryResponse

_FAILURE = re.compile(r"\[ERROR\] *(?:([a-z][a-z0-9_]*): )?(.*)", re.DOTALL)


class AnswerStream:
    """
    Yields the pieces of an answer while the model generates it. Leaving the loop early stops the model.

    `response` contains the whole answer with its sources after the last piece, and None before.
    """

    def __init__(self, opened: AbstractContextManager[httpx.Response]) -> None:
        self._opened = opened
        self.response: AgentQueryResponse | None = None

    def __iter__(self) -> Iterator[str]:
        """Yields the pieces. Raises QuarryError if the answer fails or is interrupted."""
        parts: list[str] = []
        with self._opened as opened:
            for name, data in parse_events(_read(opened)):
                if name == "answer":
                    yield data
                elif name == "endpoint_response":
                    parts.append(data)
                elif data == "[DONE]":
                    self.response = AgentQueryResponse.from_dict(json.loads("".join(parts)))
                    return
                elif failure := _FAILURE.fullmatch(data):
                    code, detail = failure.groups()
                    raise QuarryError(detail, code=code or "answer_failed", title="The answer failed")
        raise _create_interruption("Expected [DONE] or [ERROR] at the end of the stream, found neither.")


def _read(opened: httpx.Response) -> Iterator[bytes]:
    try:
        yield from opened.iter_bytes()
    except httpx.TransportError as error:
        raise _create_interruption(f"Expected the rest of the stream, but the connection failed: {error}.") from error


def _create_interruption(detail: str) -> QuarryError:
    return QuarryError(detail, code="stream_interrupted", title="The answer was interrupted")


def parse_events(chunks: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """
    Yields the name and the data of each server-sent event. The name is empty if the event has none.

    Lines are split before they are decoded: texts may contain other characters at which Python splits lines.
    """
    name, data = "", list[str]()
    for line in _split_lines(chunks):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                yield name, "\n".join(data)
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)


def _split_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8")
