"""Tests of the transport against a server that refuses the first request."""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from quarry import Quarry, QuarryError

REFUSAL = b'{"code": "busy", "title": "Busy", "detail": "Later."}'


@contextmanager
def refuse_once(status: int, retry_after: str) -> Iterator[tuple[str, list[str | None]]]:
    """Starts the server. Yields its address, and the idempotency keys of all its requests."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            keys.append(self.headers["idempotency-key"])
            is_first = len(keys) == 1
            self.send_response(status if is_first else 200)
            self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(REFUSAL if is_first else b'{"ids": ["1"]}')

        def log_message(self, *_arguments: object) -> None:
            """Prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api", keys
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status", [429, 503])
def test_repeats_a_refused_request_with_the_same_key(status: int) -> None:
    with refuse_once(status, "0") as (address, keys), Quarry("k", address) as quarry:
        assert quarry.upsert("d", [{"text": "x"}]) == ["1"]
    assert len(keys) == 2
    assert keys[0] is not None
    assert keys[0] == keys[1]


def test_repeats_no_question() -> None:
    expected = pytest.raises(QuarryError, match="Busy")
    with refuse_once(503, "0") as (address, keys), Quarry("k", address) as quarry, expected:
        quarry.ask("a", "Who?")
    assert keys == [None]


def test_waits_no_longer_than_allowed() -> None:
    expected = pytest.raises(QuarryError, match=r"Busy \(busy\): Later\. Send requests more slowly\.")
    with refuse_once(429, "31") as (address, keys), Quarry("k", address, max_wait=30) as quarry, expected:
        quarry.upsert("d", [{"text": "x"}])
    assert len(keys) == 1


class ForwardOnly(io.BytesIO):
    """Holds bytes that can be read once, as the body of a response."""

    def seekable(self) -> bool:
        return False


def test_repeats_no_upload_of_a_stream_that_cannot_be_read_again() -> None:
    expected = pytest.raises(QuarryError, match="Busy")
    with refuse_once(503, "0") as (address, keys), Quarry("k", address) as quarry, expected:
        quarry.upload("d", ForwardOnly(b"text"), name="a.txt")
    assert len(keys) == 1


def test_uploads_no_file_without_a_name() -> None:
    with Quarry("k", "http://127.0.0.1:9") as quarry, pytest.raises(ValueError, match="name"):
        quarry.upload("d", io.BytesIO(b"text"))
