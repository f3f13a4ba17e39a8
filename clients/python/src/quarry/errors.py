"""The errors of the client."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

_ADVICE: Mapping[int, str] = {
    401: "Check the API key.",
    402: "Ask the operator for a higher limit, or wait for the next month.",
    403: "Use an API key with the required scope.",
    404: "Check the id and the organization of the API key.",
    413: "Send less content in one request.",
    429: "Send requests more slowly.",
    503: "Try again later.",
}
_MAX_EXCERPT_CHARACTERS = 200


@dataclass(frozen=True)
class FieldProblem:
    """An invalid field. `path` contains its name with dots and list positions, such as `documents.3.text`."""

    path: str
    message: str


class QuarryError(Exception):
    """Reports an error response, or an answer that ended early. docs/errors.md lists the codes."""

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        title: str = "The response is not one of Quarry",
        status: int = 200,
        errors: tuple[FieldProblem, ...] = (),
        request_id: str | None = None,
    ) -> None:
        advice = _ADVICE.get(status, "")
        super().__init__(" ".join(filter(None, [f"{title} ({code}): {detail}", advice])))
        self.code = code
        """Stable code for programs. `unexpected_answer` and `stream_interrupted` are codes of the client."""
        self.title = title
        self.detail = detail
        """Explains what was expected and what was found."""
        self.advice = advice
        """Explains what to do. Empty if `detail` does."""
        self.status = status
        """HTTP status. 200 if an answer failed after its first words."""
        self.errors = errors
        self.request_id = request_id
        """Identifies the request in the logs of Quarry."""


def parse_error(response: httpx.Response, base_url: str) -> QuarryError:
    """Parses an error response, whose body was read."""
    request_id = response.headers.get("x-request-id")
    try:
        problem: Any = json.loads(response.content)
        errors = tuple(FieldProblem(each["path"], each["message"]) for each in problem.get("errors") or ())
        code, title, detail = problem["code"], problem["title"], problem["detail"]
    except (ValueError, TypeError, KeyError, AttributeError):
        return _create_unexpected_answer(response, base_url)
    hint = describe_missing_api(base_url) if detail.startswith("There is no ") and " /" in detail else ""
    return QuarryError(
        detail + hint, code=code, title=title, status=response.status_code, errors=errors, request_id=request_id
    )


def _create_unexpected_answer(response: httpx.Response, base_url: str) -> QuarryError:
    excerpt = response.text[:_MAX_EXCERPT_CHARACTERS]
    detail = f"Expected a response of Quarry, found status {response.status_code} {excerpt}"
    return QuarryError(detail + describe_missing_api(base_url), code="unexpected_answer", status=response.status_code)


def describe_missing_api(base_url: str) -> str:
    """Returns a hint if the base URL does not end with `/api`, where Quarry serves its API."""
    if base_url.rstrip("/").endswith("/api"):
        return ""
    return f" The base URL {base_url} does not end with /api; expected an address such as http://127.0.0.1:3000/api."
