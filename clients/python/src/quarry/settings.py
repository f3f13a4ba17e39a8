"""Checks the settings of a client, so that a mistake is reported before the first request."""

import re
from urllib.parse import urlsplit

_API_KEY = re.compile(r"[\x21-\x7e]+")


def parse_api_key(api_key: str) -> str:
    """Returns the key without surrounding white space, such as the newline at the end of a file."""
    key = api_key.strip()
    if not _API_KEY.fullmatch(key):
        found = "an empty text" if key == "" else "a text with spaces, line breaks or other characters"
        raise ValueError(f"Expected an API key of printable ASCII characters, found {found}.")
    return key


def parse_base_url(base_url: str) -> str:
    """Returns the URL without surrounding white space and without slashes at its end."""
    url = base_url.strip().rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"Expected a base URL such as http://127.0.0.1:3000/api, found {base_url!r}.")
    return url
