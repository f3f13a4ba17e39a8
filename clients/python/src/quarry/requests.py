"""The arguments of the client that have fields."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

Filters = Mapping[str, Any]
"""Filters in the form of the API, such as `{"metadata": {"type": "eq", "key": "lang", "value": "en"}}`."""


class Text(TypedDict):
    """A text to store. docs/guide.md#upsert-texts defines which earlier text it replaces."""

    text: str
    id: NotRequired[str]
    name: NotRequired[str]
    metadata: NotRequired[Mapping[str, Any]]


class AskOptions(TypedDict, total=False):
    """The options of a question. Those that are absent come from the agent."""

    conversation_id: str
    visitor_id: str
    system_prompt: str
    user_prompt: str
    temperature: float
    max_tokens: int
