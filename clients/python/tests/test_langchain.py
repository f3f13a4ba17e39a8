"""LangChain's standard tests. All of them apply."""

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import FakeEmbeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests

from quarry import Quarry, QuarryError
from quarry.langchain import QuarryRetriever, QuarryVectorStore

ENGLISH = {"metadata": {"type": "eq", "key": "lang", "value": "en"}}


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
