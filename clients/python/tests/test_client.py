"""Tests of the client against a running Quarry."""

import io
from importlib.resources import files
from pathlib import Path

import pytest

from quarry import Quarry, QuarryError, Text
from quarry.generated.api.webhooks import list_webhooks
from quarry.generated.models import WebhookList

TEXT = "Le café glacé coûte 3 € en été.\u2028Œuvre nº 7\u0085: 日本語, 😀."


def test_lists_all_pages(quarry: Quarry, datastore_id: str) -> None:
    ids = quarry.upsert(datastore_id, [{"text": f"Text {number}."} for number in range(205)])
    assert {datasource.id for datasource in quarry.datasources(datastore_id)} == set(ids)
    assert datastore_id in [datastore.id for datastore in quarry.datastores()]


def test_uploads_a_file_by_path_and_an_open_one(quarry: Quarry, datastore_id: str, tmp_path: Path) -> None:
    # The generated code would separate the parts of a form with the same line.
    content = b"Notes\r\n--+++\r\nThe door opens at nine."
    path = tmp_path / "door.txt"
    path.write_bytes(content)
    uploaded = quarry.upload(datastore_id, path, custom_id="tenant")
    opened = quarry.upload(datastore_id, io.BytesIO(b"The gate is closed."), name="gate.txt")
    with path.open("rb") as file:
        assert quarry.upload(datastore_id, file, custom_id="tenant").id == uploaded.id
    assert [quarry.wait(each.id).status for each in (uploaded, opened)] == ["synched", "synched"]
    assert quarry.original(uploaded.id) == content
    assert {each.name for each in quarry.datasources(datastore_id)} == {"door.txt", "gate.txt"}
    [found] = quarry.query(datastore_id, "When does the door open?", filters={"custom_ids": ["tenant"]})
    assert "opens at nine" in found.text


def test_finds_and_deletes_a_text_by_its_id(quarry: Quarry, datastore_id: str) -> None:
    texts: list[Text] = [{"id": "7", "text": "A blue boot.", "metadata": {"color": "blue"}}, {"text": "A red boot."}]
    for datasource_id in quarry.upsert(datastore_id, texts):
        quarry.wait(datasource_id, timeout=60)
    blue = {"metadata": {"type": "eq", "key": "color", "value": "blue"}}
    [result] = quarry.query(datastore_id, "boot", top_k=2, filters=blue)
    assert (result.document_id, result.text) == ("7", "A blue boot.")
    [datasource] = quarry.datasources(datastore_id, document_id="7")
    quarry.delete_datasource(datasource.id)
    assert [found.text for found in quarry.query(datastore_id, "boot")] == ["A red boot."]


def test_asks_and_streams_every_character(quarry: Quarry, datastore_id: str) -> None:
    for datasource_id in quarry.upsert(datastore_id, [{"name": "carte", "text": TEXT}]):
        quarry.wait(datasource_id)
    agent = quarry.create_agent("Serveur", [datastore_id])
    question = "Combien coûte le café glacé ?"
    answer = quarry.ask(agent.id, question, visitor_id="pytest")
    assert "café glacé coûte 3 €" in answer.answer
    assert (answer.visitor_id, answer.sources[0].datasource_name) == ("pytest", "carte")
    stream = quarry.ask_stream(agent.id, question, visitor_id="other")
    assert stream.response is None
    pieces = "".join(stream)
    assert stream.response is not None
    assert (stream.response.answer, stream.response.visitor_id) == (pieces, "other")
    assert pieces == answer.answer


def test_errors_contain_the_code_the_title_and_what_to_do(quarry: Quarry, datastore_id: str, base_url: str) -> None:
    with pytest.raises(QuarryError) as invalid:
        quarry.query(datastore_id, " ")
    error = invalid.value
    assert (error.code, error.status, error.errors[0].path) == ("validation_failed", 400, "query")
    with pytest.raises(QuarryError, match="color"):
        quarry.query(datastore_id, "boot", filters={"color": "blue"})
    with Quarry("qk_wrong", base_url) as stranger, pytest.raises(QuarryError) as refused:
        next(stranger.datastores())
    assert str(refused.value).startswith("The API key is missing or invalid (unauthorized): ")
    assert str(refused.value).endswith("Check the API key.")
    assert refused.value.request_id
    with pytest.raises(QuarryError) as missing:
        "".join(quarry.ask_stream("00000000-0000-7000-8000-00000000dead", "Who?"))
    assert missing.value.code == "not_found"


def test_errors_name_a_wrong_address(base_url: str) -> None:
    address = base_url.removesuffix("/api") + "/nothing"
    with Quarry("k", address) as lost, pytest.raises(QuarryError, match="does not end with /api"):
        next(lost.datastores())
    with (
        Quarry("k", "http://127.0.0.1:9/api") as nobody,
        pytest.raises(ConnectionError, match=r"Expected Quarry at http://127\.0\.0\.1:9/api"),
    ):
        next(nobody.datastores())


def test_sends_the_operations_of_the_generated_code(quarry: Quarry) -> None:
    assert isinstance(list_webhooks.sync(client=quarry.api), WebhookList)
    assert files("quarry").joinpath("py.typed").is_file()
