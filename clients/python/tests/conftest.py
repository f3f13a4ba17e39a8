"""Fixtures. The system tests start Quarry and set its address and key."""

import os
from collections.abc import Iterator

import pytest

from quarry import Quarry


@pytest.fixture(scope="session")
def base_url() -> str:
    """Returns the address of the API."""
    return os.environ["QUARRY_BASE_URL"]


@pytest.fixture(scope="session")
def quarry(base_url: str) -> Iterator[Quarry]:
    """Returns a client of the running Quarry."""
    with Quarry(os.environ["QUARRY_API_KEY"], base_url) as client:
        yield client


@pytest.fixture
def datastore_id(quarry: Quarry) -> Iterator[str]:
    """Returns the id of an empty datastore, which is deleted after the test."""
    datastore = quarry.create_datastore("pytest")
    yield datastore.id
    quarry.delete_datastore(datastore.id)
