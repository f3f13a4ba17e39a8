"""Tests of the transport against a server that refuses the first request."""

import gzip
import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO, cast

import httpx
import pytest

from quarry import Quarry, QuarryError
from quarry.transport import QuarryTransport

REFUSAL = b'{"code": "busy", "title": "Busy", "detail": "Later."}'


@contextmanager
def refuse_once(status: int, retry_after: str) -> Iterator[tuple[str, list[str | None]]]:
    """Starts the server. Yields its address, and the idempotency keys of all its requests."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.read_body()
            keys.append(self.headers["idempotency-key"])
            is_first = len(keys) == 1
            self.send_response(status if is_first else 200)
            self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(REFUSAL if is_first else b'{"ids": ["1"]}')

        def read_body(self) -> None:
            length = self.headers["content-length"]
            if length is not None:
                self.rfile.read(int(length))
                return
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + len(b"\r\n"))
            self.rfile.readline()

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


def test_waits_for_a_whole_minute_of_the_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("quarry.transport.time.sleep", waits.append)
    with refuse_once(429, "60") as (address, _), Quarry("k", address) as quarry:
        assert quarry.upsert("d", [{"text": "x"}]) == ["1"]
    assert waits == [60]


def test_sends_a_key_from_a_file_without_its_newline() -> None:
    with Quarry("qk_1\n", " http://127.0.0.1:9/api/\n") as quarry:
        assert quarry.api.get_httpx_client().headers["authorization"] == "Bearer qk_1"
        assert str(quarry.api.get_httpx_client().base_url) == "http://127.0.0.1:9/api/"


@pytest.mark.parametrize("key", ["", " \n", "qk_secret\nqk_second", "qk_secret 1", "qk_sécret"])
def test_refuses_a_key_that_no_header_can_contain_without_showing_it(key: str) -> None:
    with pytest.raises(ValueError, match="Expected an API key") as caught:
        Quarry(key)
    assert "qk_" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "127.0.0.1:3000/api", "localhost:3000", "http:///api", "ftp://127.0.0.1/api"])
def test_refuses_a_url_without_http(url: str) -> None:
    with pytest.raises(ValueError, match=r"Expected a base URL such as http://127\.0\.0\.1:3000/api, found"):
        Quarry("k", url)


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


def send_form(file: BinaryIO) -> tuple[str | None, bytes]:
    """Uploads a file. Returns the Content-Length and the body of the request."""
    sent: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(400, content=REFUSAL)

    address = "http://127.0.0.1:9/api"
    with Quarry("k", address) as quarry:
        transport = QuarryTransport(httpx.MockTransport(refuse), address, retries=0, max_wait=0)
        quarry.api.set_httpx_client(httpx.Client(base_url=address, transport=transport))
        with pytest.raises(QuarryError, match="Busy"):
            quarry.upload("d", file, name="a.txt")
    return sent[0].headers.get("content-length"), sent[0].content


def test_uploads_a_pipe_without_a_length() -> None:
    output, pipe = os.pipe()
    with os.fdopen(pipe, "wb") as writer:
        writer.write(b"The door opens at nine.")
    with os.fdopen(output, "rb") as reader:
        length, body = send_form(reader)
    assert length is None
    assert b"\r\n\r\nThe door opens at nine.\r\n" in body


def test_uploads_the_content_of_a_gzip_file_with_its_length(tmp_path: Path) -> None:
    path = tmp_path / "door.txt.gz"
    path.write_bytes(gzip.compress(b"Nine. " * 1_000))
    with gzip.open(path) as file:
        length, body = send_form(cast(BinaryIO, file))
    assert length == str(len(body))
    assert b"Nine. " * 1_000 in body


def test_uploads_no_file_in_text_mode(tmp_path: Path) -> None:
    path = tmp_path / "door.txt"
    path.write_text("The door opens at nine.")
    with path.open() as file, pytest.raises(TypeError, match="binary mode"):
        send_form(cast(Any, file))
