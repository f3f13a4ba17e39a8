"""A client of Quarry. `Quarry` is its entry; `quarry.generated` contains every operation and model."""

from quarry.answers import AnswerStream
from quarry.client import Quarry
from quarry.errors import FieldProblem, QuarryError
from quarry.requests import AskOptions, Filters, Text

__all__ = ["AnswerStream", "AskOptions", "FieldProblem", "Filters", "Quarry", "QuarryError", "Text"]
