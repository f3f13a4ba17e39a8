"""The client. Quarry names the usual operations; `quarry.generated.api` contains all others."""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Protocol, Self, TypeVar, Unpack
from urllib.parse import quote

import httpx

from quarry.answers import AnswerStream
from quarry.errors import QuarryError
from quarry.generated.api.agents import create_agent
from quarry.generated.api.content import create_datasource, upsert_documents
from quarry.generated.api.datasources import delete_datasource, get_datasource, list_datasources
from quarry.generated.api.datastores import create_datastore, delete_datastore, list_datastores
from quarry.generated.api.queries import query_agent, query_datastore
from quarry.generated.client import AuthenticatedClient
from quarry.generated.models import (
    AgentQueryRequest,
    AgentQueryResponse,
    AgentResponse,
    CreateAgentRequest,
    CreateDatastoreRequest,
    CreateWebPageRequest,
    CreateWebSiteRequest,
    DatasourceResponse,
    DatastoreQueryRequest,
    DatastoreQueryResult,
    DatastoreResponse,
    Problem,
    UpsertDocument,
    UpsertRequest,
    UpsertResponse,
)
from quarry.generated.types import UNSET, Unset
from quarry.polling import poll
from quarry.requests import AskOptions, Filters, Text
from quarry.settings import parse_api_key, parse_base_url
from quarry.transport import QuarryTransport
from quarry.uploads import build_form_file

T = TypeVar("T")

SETTLED = ("synched", "error", "usage_limit_reached")
PAGE_SIZE = 200


class Quarry:
    """
    A client of one Quarry. Close it, or use it in a `with` statement. Threads can share it.

    All methods raise `QuarryError` for an error response, and `ConnectionError` if the server does not respond.

    `api` sends the operations of `quarry.generated.api`, with the same retries and errors, such as
    `list_webhooks.sync(client=quarry.api)`.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str = "http://127.0.0.1:3000/api",
        *,
        timeout: float = 120,
        retries: int = 2,
        max_wait: float = 65,
    ) -> None:
        """
        Connects lazily. `timeout` and `max_wait`, which limits the delay before a retry, are in seconds.

        The default of `max_wait` exceeds the minute of the rate limit. Raises ValueError for a key or a URL that no
        request can contain.
        """
        token = parse_api_key(api_key)
        url = parse_base_url(base_url)
        transport = QuarryTransport(httpx.HTTPTransport(), url, retries=retries, max_wait=max_wait)
        self.api = AuthenticatedClient(
            base_url=url,
            token=token,
            timeout=httpx.Timeout(timeout, connect=10),
            headers={"User-Agent": f"quarry-client-python/{version('quarry-client')}"},
            httpx_args={"transport": transport},
        )

    def create_datastore(self, name: str) -> DatastoreResponse:
        """Creates a datastore."""
        body = CreateDatastoreRequest(name=name)
        return _expect(DatastoreResponse, create_datastore.sync(client=self.api, body=body))

    def datastores(self) -> Iterator[DatastoreResponse]:
        """Yields all datastores, newest first."""
        return _iterate(lambda cursor: list_datastores.sync(client=self.api, cursor=cursor))

    def delete_datastore(self, datastore_id: str) -> None:
        """Deletes a datastore with its content."""
        delete_datastore.sync(datastore_id, client=self.api)

    def upload(
        self,
        datastore_id: str,
        file: str | PathLike[str] | BinaryIO,
        *,
        name: str | None = None,
        custom_id: str | None = None,
    ) -> DatasourceResponse:
        """
        Uploads a file, by its path or open in binary mode. It replaces the file with the same name and custom id.

        `name` is required for an open file that has no name of its own.
        """
        if isinstance(file, str | PathLike):
            with Path(file).open("rb") as opened:
                return self.upload(datastore_id, opened, name=name or Path(file).name, custom_id=custom_id)
        own_name = getattr(file, "name", None)
        name = name or (Path(own_name).name if isinstance(own_name, str) else None)
        if not name:
            raise ValueError("Expected the argument name for a file without a name, found none.")
        fields = {"fileName": name, "custom_id": custom_id}
        path = f"/external/datastores/file-upload/{quote(datastore_id, safe='')}"
        data = {field: value for field, value in fields.items() if value is not None}
        response = self.api.get_httpx_client().post(
            path, data=data, files={"file": (name, build_form_file(file))}, extensions={"repeatable": file.seekable()}
        )
        return DatasourceResponse.from_dict(response.json())

    def upsert(self, datastore_id: str, texts: Iterable[Text]) -> list[str]:
        """Stores texts, at most 500. Returns the ids of their datasources."""
        body = UpsertRequest(documents=[UpsertDocument.from_dict(text) for text in texts])
        return _expect(UpsertResponse, upsert_documents.sync(datastore_id, client=self.api, body=body)).ids

    def add_page(self, datastore_id: str, address: str, *, name: str | None = None) -> DatasourceResponse:
        """Adds a web page."""
        return self._add_address(CreateWebPageRequest, "web_page", datastore_id, address, name)

    def add_site(self, datastore_id: str, address: str, *, name: str | None = None) -> DatasourceResponse:
        """Crawls a web site from an address."""
        return self._add_address(CreateWebSiteRequest, "web_site", datastore_id, address, name)

    def datasources(self, datastore_id: str, *, document_id: str | None = None) -> Iterator[DatasourceResponse]:
        """Yields the datasources of a datastore, newest first. `document_id` selects the text with this id."""
        document = UNSET if document_id is None else document_id
        return _iterate(
            lambda cursor: list_datasources.sync(
                client=self.api, datastore_id=datastore_id, document_id=document, limit=PAGE_SIZE, cursor=cursor
            )
        )

    def datasource(self, datasource_id: str) -> DatasourceResponse:
        """Returns a datasource with its status."""
        return _expect(DatasourceResponse, get_datasource.sync(datasource_id, client=self.api))

    def original(self, datasource_id: str) -> bytes:
        """Returns the bytes of an uploaded file, or an upserted text in UTF-8."""
        return self.api.get_httpx_client().get(f"/datasources/{quote(datasource_id, safe='')}/original").content

    def delete_datasource(self, datasource_id: str) -> None:
        """Deletes a datasource. Searches do not find it from this moment."""
        delete_datasource.sync(datasource_id, client=self.api)

    def wait(self, datasource_id: str, *, timeout: float | None = None) -> DatasourceResponse:
        """Waits until a run has ended: `synched`, `error` or `usage_limit_reached`. `timeout` is in seconds."""
        for found in poll(lambda: self.datasource(datasource_id), timeout):
            if found.status in SETTLED:
                return found
        raise TimeoutError(f"Expected {datasource_id} to be settled after {timeout} s, found {found.status}.")

    def query(
        self, datastore_id: str, query: str, *, top_k: int | None = None, filters: Filters | None = None
    ) -> list[DatastoreQueryResult]:
        """Returns the fragments that are most similar to the query, best first."""
        body = DatastoreQueryRequest(query=query)
        body.additional_properties = {"topK": top_k, "filters": filters}
        found = query_datastore.sync(datastore_id, client=self.api, body=body)
        return [_expect(DatastoreQueryResult, result) for result in _expect(list, found)]

    def create_agent(self, name: str, datastore_ids: Iterable[str]) -> AgentResponse:
        """Creates an agent that answers from these datastores."""
        body = CreateAgentRequest(name=name, datastore_ids=list(datastore_ids))
        return _expect(AgentResponse, create_agent.sync(client=self.api, body=body))

    def ask(
        self, agent_id: str, query: str, *, filters: Filters | None = None, **options: Unpack[AskOptions]
    ) -> AgentQueryResponse:
        """Returns the answer of an agent with its sources."""
        body = _build_question(query, filters, options)
        return _expect(AgentQueryResponse, query_agent.sync(agent_id, client=self.api, body=body))

    def ask_stream(
        self, agent_id: str, query: str, *, filters: Filters | None = None, **options: Unpack[AskOptions]
    ) -> AnswerStream:
        """Asks an agent when the loop begins: `for piece in quarry.ask_stream(…)`."""
        body = _build_question(query, filters, options).to_dict() | {"streaming": True}
        path = f"/agents/{quote(agent_id, safe='')}/query"
        return AnswerStream(self.api.get_httpx_client().stream("POST", path, json=body))

    def close(self) -> None:
        """Closes the connections."""
        self.api.get_httpx_client().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _add_address(
        self,
        request: type[CreateWebPageRequest] | type[CreateWebSiteRequest],
        kind: str,
        datastore_id: str,
        address: str,
        name: str | None,
    ) -> DatasourceResponse:
        fields = {"type": kind, "datastoreId": datastore_id, "name": name, "config": {"source_url": address}}
        return _expect(DatasourceResponse, create_datasource.sync(client=self.api, body=request.from_dict(fields)))


class _Page(Protocol[T]):
    items: list[T]
    next_cursor: str | None


def _iterate(load: Callable[[str | Unset], _Page[T] | Problem | None]) -> Iterator[T]:
    """Yields the items of all pages, which it requests as they are needed."""
    cursor: str | Unset | None = UNSET
    while cursor is not None:
        page = load(cursor)
        if page is None or isinstance(page, Problem):
            raise _create_unexpected_answer(page)
        yield from page.items
        cursor = page.next_cursor


def _expect(kind: type[T], answer: object) -> T:
    """Narrows the answer of an operation. The transport has raised every error response before."""
    if isinstance(answer, kind):
        return answer
    raise _create_unexpected_answer(answer)


def _create_unexpected_answer(answer: object) -> QuarryError:
    return QuarryError(f"Expected a documented response, found {answer!r}.", code="unexpected_answer")


def _build_question(query: str, filters: Filters | None, options: AskOptions) -> AgentQueryRequest:
    """Builds the body of a question. It contains unknown filters too, so that Quarry refuses them."""
    body = AgentQueryRequest(query=query, **options)
    body.additional_properties = {"filters": filters}
    return body
