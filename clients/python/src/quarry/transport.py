"""Sends the requests of every operation: with keys, retries and errors."""

import re
import time
import uuid

import httpx

from quarry.errors import parse_error

_RETRYABLE_STATUSES = (429, 503)
_QUESTION = re.compile(r"/agents/[^/]+/query$")


class QuarryTransport(httpx.BaseTransport):
    """
    Repeats requests that Quarry refused with 429 or 503 and `Retry-After`. Raises `QuarryError` for other refusals.

    The extension `repeatable` is false for a request with a stream that cannot be read again.

    Each POST has an `Idempotency-Key`, so that a repeated request has one effect. Questions to an agent have none and
    are not repeated: with a key, the model would continue after the client left.
    """

    def __init__(self, inner: httpx.BaseTransport, base_url: str, *, retries: int, max_wait: float) -> None:
        self._inner = inner
        self._base_url = base_url
        self._retries = retries
        self._max_wait = max_wait

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request. Raises ConnectionError if the server does not respond."""
        is_question = _QUESTION.search(request.url.path) is not None
        if request.method == "POST" and not is_question:
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        is_repeatable = not is_question and request.extensions.get("repeatable", True)
        retries = self._retries if is_repeatable else 0
        for repetition in range(retries + 1):
            response = self._send(request)
            if response.is_success and "text/html" not in response.headers.get("content-type", ""):
                return response
            response.read()
            response.close()
            wait = _parse_retry_after(response)
            if wait is None or wait > self._max_wait or repetition == retries:
                break
            time.sleep(wait)
        raise parse_error(response, self._base_url)

    def _send(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._inner.handle_request(request)
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            message = (
                f"Expected Quarry at {self._base_url}, but the request failed: {reason}. Check that Quarry runs there."
            )
            raise ConnectionError(message) from error

    def close(self) -> None:
        """Closes the connections."""
        self._inner.close()


def _parse_retry_after(response: httpx.Response) -> float | None:
    """Returns the delay before a retry, in seconds. None if the request must not be repeated."""
    value = response.headers.get("retry-after", "")
    return float(value) if response.status_code in _RETRYABLE_STATUSES and value.isdigit() else None
