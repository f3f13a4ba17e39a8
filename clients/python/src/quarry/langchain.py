"""LangChain's retriever and vector store. They need the extra `quarry-client[langchain]`."""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any, Self

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore

from quarry.client import PAGE_SIZE, SETTLED, Quarry
from quarry.errors import QuarryError
from quarry.generated.models import DatasourceResponse, DatastoreQueryResult
from quarry.polling import poll
from quarry.requests import Filters, Text

_DEFAULT_K = 4
_MAX_TEXTS_PER_REQUEST = 100
_MAX_BYTES_PER_REQUEST = 8 * 1024 * 1024
_MAX_NAME_CHARACTERS = 80
_NOT_INDEXED = "The text was not indexed"


class QuarryRetriever(BaseRetriever):
    """
    Retrieves the passages of a datastore with any content: files, web pages, catalogues and texts.

    The metadata of a document are those of an upserted text, with the fields of the search result, such as `score`,
    `source` and `page`. `invoke` accepts another `k` and other `filters` too.
    """

    quarry: Quarry
    datastore_id: str
    k: int = _DEFAULT_K
    filters: Filters | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filters: Filters | None = None,
    ) -> list[Document]:
        found = self.quarry.query(self.datastore_id, query, top_k=k or self.k, filters=filters or self.filters)
        return [_build_document(result, _describe(result)) for result in found]


class QuarryVectorStore(VectorStore):
    """
    Stores documents as texts of a datastore, whose embedding model embeds them: LangChain's embeddings are not used.

    A text longer than the fragments of the datastore is found in parts, which have its id and its metadata. `filters`
    are those of the API, such as `{"metadata": {"type": "eq", "key": "lang", "value": "en"}}`.
    """

    def __init__(self, quarry: Quarry, datastore_id: str) -> None:
        self._quarry = quarry
        self._datastore_id = datastore_id

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Adds texts to the datastore `datastore_id` of `quarry`. `embedding` is not used."""
        store = cls(**kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Adds texts, or replaces those with the same ids. Returns their ids when searches find them."""
        _refuse(kwargs)
        given = list(texts)
        chosen = [chosen or str(uuid.uuid4()) for chosen in (ids or [None] * len(given))]
        rows = zip(chosen, given, metadatas or repeat({}, len(given)), strict=True)
        for batch in _split_into_batches(_build_text(*row) for row in rows):
            self._wait(self._quarry.upsert(self._datastore_id, batch))
        return chosen

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        """Deletes documents by their ids. Ignores ids that do not exist."""
        _refuse(kwargs)
        if ids is None:
            raise ValueError("Expected ids, found None. To delete all documents, delete the datastore.")
        _require_ids(ids)
        for document_id in ids:
            for datasource in self._quarry.datasources(self._datastore_id, document_id=document_id):
                self._quarry.delete_datasource(datasource.id)
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Returns the whole documents with these ids. Omits ids that do not exist."""
        _require_ids(ids)
        return [
            Document(
                id=document_id,
                page_content=self._quarry.original(datasource.id).decode(),
                metadata=datasource.config.to_dict().get("metadata", {}),
            )
            for document_id in ids
            for datasource in self._quarry.datasources(self._datastore_id, document_id=document_id)
        ]

    def similarity_search(
        self, query: str, k: int = _DEFAULT_K, filters: Filters | None = None, **kwargs: Any
    ) -> list[Document]:
        """Returns the most similar passages, best first."""
        return [document for document, _ in self.similarity_search_with_score(query, k, filters, **kwargs)]

    def similarity_search_with_score(
        self, query: str, k: int = _DEFAULT_K, filters: Filters | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Returns the most similar passages with scores from 0 to 1, which are comparable within one search only."""
        _refuse(kwargs)
        found = self._quarry.query(self._datastore_id, query, top_k=k, filters=filters)
        return [(_build_document(result, {}), result.score) for result in found]

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return float

    def _wait(self, datasource_ids: Sequence[str]) -> None:
        """
        Waits until searches find texts that were just upserted.

        Requests the newest datasources, because one request for each text would reach the rate limit. Requests the
        other texts, which have replaced older ones, by their ids.
        """
        for newest in poll(lambda: list(islice(self._quarry.datasources(self._datastore_id), PAGE_SIZE))):
            found = {datasource.id: datasource for datasource in newest if datasource.id in datasource_ids}
            if all(datasource.status in SETTLED for datasource in found.values()):
                break
        for datasource_id in datasource_ids:
            _require_indexed(found.get(datasource_id) or self._quarry.wait(datasource_id))


def _split_into_batches(texts: Iterable[Text]) -> Iterator[list[Text]]:
    """Splits texts into the batches of requests. A text that exceeds the size of a request has its own batch."""
    batch: list[Text] = []
    size = 0
    for text in texts:
        text_size = len(json.dumps(text))
        if batch and (len(batch) == _MAX_TEXTS_PER_REQUEST or size + text_size > _MAX_BYTES_PER_REQUEST):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += text_size
    if batch:
        yield batch


def _require_ids(ids: Sequence[str]) -> None:
    """Refuses an id that is absent. A request without an id would select all documents."""
    for position, document_id in enumerate(ids):
        if not isinstance(document_id, str) or not document_id:
            raise ValueError(f"Expected ids that are non-empty texts, found {document_id!r} at position {position}.")


def _require_indexed(datasource: DatasourceResponse) -> None:
    if datasource.status == "synched":
        return
    error = datasource.error
    if error is None:
        detail = f"Expected a searchable text, found the status {datasource.status}."
        raise QuarryError(detail, code=datasource.status, title=_NOT_INDEXED)
    raise QuarryError(error.message, code=error.code, title=_NOT_INDEXED)


def _build_text(document_id: str, text: str, metadata: dict[str, Any]) -> Text:
    """Builds a text that has its title or its first line as name, which citations show."""
    title = metadata.get("title")
    name = title if isinstance(title, str) and title else text.strip().partition("\n")[0]
    return {"id": document_id, "text": text, "name": name[:_MAX_NAME_CHARACTERS], "metadata": metadata}


def _build_document(result: DatastoreQueryResult, more: dict[str, Any]) -> Document:
    metadata = {} if result.metadata is None else result.metadata.to_dict()
    return Document(
        id=result.document_id or result.datasource_id, page_content=result.text, metadata={**metadata, **more}
    )


def _describe(result: DatastoreQueryResult) -> dict[str, Any]:
    fields = ("score", "source", "datasource_id", "datasource_name", "document_key", "custom_id", "page")
    return {field: getattr(result, field) for field in fields}


def _refuse(arguments: dict[str, Any]) -> None:
    """Refuses unknown arguments. A misspelt filter would return other content."""
    if arguments:
        raise TypeError(f"Expected no other arguments, found {', '.join(arguments)}.")
