"""LangChain's standard tests. All of them apply."""

import json
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import FakeEmbeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from quarry import Quarry, QuarryError, Text
from quarry.generated.models import DatasourceResponse
from quarry.langchain import QuarryRetriever, QuarryVectorStore

ENGLISH = {"metadata": {"type": "eq", "key": "lang", "value": "en"}}
MAX_BYTES = 8 * 1024 * 1024


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, quarry: Quarry, datastore_id: str) -> VectorStore:
        return QuarryVectorStore(quarry, datastore_id)


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def filled(self, quarry: Quarry, datastore_id: str) -> None:
        texts = ["A blue boot.", "A red boot.", "A green boot.", "An old boot."]
        QuarryVectorStore(quarry, datastore_id).add_texts(texts, ids=["1", "2", "3", "4"])
        self.parameters = {"quarry": quarry, "datastore_id": datastore_id}

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return QuarryRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return self.parameters

    @property
    def retriever_query_example(self) -> str:
        return "boot"


@pytest.fixture
def store(quarry: Quarry, datastore_id: str) -> QuarryVectorStore:
    documents = [
        Document("The door opens at nine.", id="en", metadata={"lang": "en", "source": "https://example.org/hours"}),
        Document("La porte ouvre à neuf heures.", metadata={"lang": "fr"}),
    ]
    return QuarryVectorStore.from_documents(documents, FakeEmbeddings(size=2), quarry=quarry, datastore_id=datastore_id)


def test_filters_and_scores(store: QuarryVectorStore) -> None:
    [(document, score)] = store.similarity_search_with_score("door porte", k=2, filters=ENGLISH)
    assert (document.id, document.metadata["lang"]) == ("en", "en")
    assert store.similarity_search_with_relevance_scores("door porte", k=2, filters=ENGLISH) == [(document, score)]
    retriever = store.as_retriever(search_kwargs={"k": 1, "filters": ENGLISH})
    assert retriever.invoke("porte") == [document]


def test_a_retriever_returns_the_fields_of_the_result(
    store: QuarryVectorStore, quarry: Quarry, datastore_id: str
) -> None:
    retriever = QuarryRetriever(quarry=quarry, datastore_id=datastore_id, filters=ENGLISH)
    [document] = retriever.invoke("door")
    assert document.metadata["lang"] == "en"
    assert document.metadata["source"] == "https://example.org/hours"
    assert document.metadata["datasource_name"] == "The door opens at nine."
    assert 0 < document.metadata["score"] <= 1


def test_refuses_what_it_would_have_to_ignore(store: QuarryVectorStore) -> None:
    with pytest.raises(TypeError, match="filter"):
        store.similarity_search("door", filter={"lang": "en"})
    with pytest.raises(QuarryError, match="lang"):
        store.similarity_search("door", filters={"lang": "en"})
    with pytest.raises(ValueError, match="delete the datastore"):
        store.delete()


@pytest.mark.parametrize("wrong", [None, "", 7])
def test_sends_no_request_for_an_id_that_is_no_text(wrong: Any) -> None:
    # Nothing listens at this address. A request without an id would select all documents.
    with Quarry("k", "http://127.0.0.1:9/api") as unreachable:
        store = QuarryVectorStore(unreachable, "d")
        for use in (store.delete, store.get_by_ids):
            with pytest.raises(ValueError, match=r"Expected ids that are non-empty texts, found .+ at position 0"):
                use([wrong, "a"])


class RecordingQuarry(Quarry):
    """Stores texts at once, and records the requests."""

    def __init__(self, *, listed: bool) -> None:
        super().__init__("k", "http://127.0.0.1:9/api")
        self.listed = listed
        self.batches: list[list[Text]] = []
        self.read: list[str] = []

    def upsert(self, datastore_id: str, texts: Iterable[Text]) -> list[str]:
        self.batches.append(list(texts))
        return [text["id"] for text in self.batches[-1]]

    def datasources(self, datastore_id: str, *, document_id: str | None = None) -> Iterator[DatasourceResponse]:
        return (create_datasource(text["id"]) for text in self.batches[-1] if self.listed)

    def datasource(self, datasource_id: str) -> DatasourceResponse:
        self.read.append(datasource_id)
        return create_datasource(datasource_id)


def create_datasource(datasource_id: str) -> DatasourceResponse:
    return cast(DatasourceResponse, SimpleNamespace(id=datasource_id, status="synched", error=None))


def test_waits_for_many_texts_by_the_list_of_the_newest() -> None:
    quarry = RecordingQuarry(listed=True)
    assert len(QuarryVectorStore(quarry, "d").add_texts(["A boot."] * 250)) == 250
    assert [len(batch) for batch in quarry.batches] == [100, 100, 50]
    assert quarry.read == []


def test_waits_for_each_text_that_is_not_among_the_newest() -> None:
    quarry = RecordingQuarry(listed=False)
    assert QuarryVectorStore(quarry, "d").add_texts(["A boot."] * 2, ids=["1", "2"]) == quarry.read == ["1", "2"]


def test_limits_the_size_of_a_request() -> None:
    quarry = RecordingQuarry(listed=True)
    texts = ["x" * 150_000] * 100 + ["x" * (MAX_BYTES + 1), "y"]
    QuarryVectorStore(quarry, "d").add_texts(texts)
    sent = [[text["text"] for text in batch] for batch in quarry.batches]
    assert [text for batch in sent for text in batch] == texts
    assert [batch for batch in sent if len(json.dumps(batch)) > MAX_BYTES] == [[texts[100]]]
