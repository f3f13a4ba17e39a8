# Calls every method of OpenAI's SDK for Python that Quarry supports. Prints the outcomes as JSON.
# Arguments: the address of the API, the key, the model, the embedding model, the question.
# Standard input: a text to upload.
import io
import json
import sys

import openai

base_url, api_key, model, embedding_model, question = sys.argv[1:]
text = sys.stdin.buffer.read()
client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)
messages = [{"role": "user", "content": question}]
poll = {"poll_interval_ms": 100}
found = {}


def catch_api_error(call):
    """Returns the class and the code of the API error that a call raises, or None."""
    try:
        call()
    except openai.APIError as error:
        return [type(error).__name__, error.code]


def exercise_models():
    return {
        "ids": [listed.id for listed in client.models.list()],
        "retrieved": client.models.retrieve(model).id,
        "deleted": catch_api_error(lambda: client.models.delete("default")),
    }


def exercise_chat():
    whole = client.chat.completions.create(model=model, messages=messages, temperature=0.5)
    parsed = client.chat.completions.parse(model=model, messages=messages)
    with client.chat.completions.stream(
        model=model, messages=messages, stream_options={"include_usage": True}
    ) as stream:
        streamed = "".join(event.delta for event in stream if event.type == "content.delta")
        usage = stream.get_final_completion().usage
    message = whole.choices[0].message
    return {
        "text": message.content,
        "titles": [annotation.url_citation.title for annotation in message.annotations],
        "parsed": parsed.choices[0].message.content,
        "streamed": streamed,
        "tokens": [whole.usage.total_tokens, usage.total_tokens],
        "refused": catch_api_error(lambda: client.chat.completions.create(model=model, messages=messages, seed=1)),
        "unknown": catch_api_error(lambda: client.chat.completions.create(model="gpt-4o", messages=messages)),
    }


def exercise_responses(store):
    first = client.responses.create(model=model, input=question)
    tools = [{"type": "file_search", "vector_store_ids": [store], "max_num_results": 2}]
    with client.responses.stream(model=model, input=question, previous_response_id=first.id) as stream:
        streamed = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        second = stream.get_final_response()
    searched = client.responses.create(
        model="default", input=question, tools=tools, include=["file_search_call.results"]
    )
    used = {
        "text": first.output_text,
        "streamed": streamed,
        "continues": second.conversation == first.conversation,
        "parsed": client.responses.parse(model=model, input=question).output_text,
        "results": [result.text for result in searched.output[0].results],
        "retrieved": client.responses.retrieve(first.id).output_text,
        "items": [item.content[0].text for item in client.responses.input_items.list(first.id)],
        "tokens": client.responses.input_tokens.count(model=model, input=question).input_tokens > 0,
        "compacted": catch_api_error(lambda: client.responses.compact(model="gpt-5", input=question)),
        "cancelled": catch_api_error(lambda: client.responses.cancel(first.id)),
    }
    client.responses.delete(first.id)
    return {**used, "deleted": catch_api_error(lambda: client.responses.retrieve(first.id))}


def exercise_embeddings():
    embedded = client.embeddings.create(model=embedding_model, input=[question, "deux"])
    return [vector.embedding for vector in embedded.data]


def exercise_files():
    file = client.files.create(file=("a.txt", text), purpose="assistants")
    uploaded = client.uploads.create(filename="b.txt", purpose="assistants", bytes=len(text), mime_type="text/plain")
    part = client.uploads.parts.create(uploaded.id, data=io.BytesIO(text))
    completed = client.uploads.complete(uploaded.id, part_ids=[part.id])
    other = client.uploads.create(filename="c.txt", purpose="assistants", bytes=1, mime_type="text/plain")
    chunked = client.uploads.upload_file_chunked(
        file=text, filename="d.txt", bytes=len(text), purpose="assistants", mime_type="text/plain", part_size=10
    )
    used = {
        "content": client.files.content(file.id).read().decode(),
        "name": client.files.retrieve(file.id).filename,
        "processed": client.files.wait_for_processing(file.id, poll_interval=0.1).id == file.id,
        "uploaded": client.files.content(completed.file.id).read().decode(),
        "chunked": client.files.content(chunked.file.id).read().decode(),
        "listed": {file.id, completed.file.id, chunked.file.id} <= {listed.id for listed in client.files.list(limit=1)},
        "cancelled": client.uploads.cancel(other.id).status,
        "deleted": client.files.delete(chunked.file.id).deleted,
    }
    return used, [file.id, completed.file.id]


def exercise_vector_stores(file_id, other_id):
    stores = client.vector_stores
    store = stores.create(name="Tales", metadata={"team": "a"})
    attributes = {"year": 1812}
    added = stores.files.create_and_poll(file_id, vector_store_id=store.id, attributes=attributes, **poll)
    uploaded = stores.files.upload_and_poll(vector_store_id=store.id, file=("e.txt", b"More."), **poll)
    again = stores.files.upload(vector_store_id=store.id, file=("f.txt", b"Even more."))
    batch = stores.file_batches.create_and_poll(store.id, file_ids=[other_id], **poll)
    files = [("g.txt", io.BytesIO(b"The end."))]
    uploads = stores.file_batches.upload_and_poll(store.id, files=files, **poll)
    polled = stores.file_batches.poll(batch.id, vector_store_id=store.id, **poll)
    ended = stores.file_batches.create(store.id, file_ids=[other_id])
    cancelled = stores.file_batches.cancel(ended.id, vector_store_id=store.id)
    year = {"type": "eq", "key": "year", "value": 1812}
    results = stores.search(store.id, query=question, filters=year, ranking_options={"score_threshold": 0})
    used = {
        "statuses": [added.status, uploaded.status, batch.status, uploads.status],
        "polled": stores.files.poll(again.id, vector_store_id=store.id, **poll).status,
        "polledBatch": polled.id == batch.id,
        "batchTotal": stores.file_batches.retrieve(uploads.id, vector_store_id=store.id).file_counts.total,
        "batchFiles": len(list(stores.file_batches.list_files(uploads.id, vector_store_id=store.id))),
        "cancelled": cancelled.file_counts.in_progress,
        "results": [[result.file_id == file_id, result.content[0].text] for result in results],
        "content": [part.text for part in stores.files.content(file_id, vector_store_id=store.id)],
        "attributes": stores.files.update(file_id, vector_store_id=store.id, attributes={"year": 1857}).attributes,
        "retrieved": stores.files.retrieve(file_id, vector_store_id=store.id).id == file_id,
        "files": len(list(stores.files.list(store.id, limit=1))),
        "removed": stores.files.delete(file_id, vector_store_id=store.id).deleted,
        "name": stores.update(store.id, name="Märchen").name,
        "team": stores.retrieve(store.id).metadata["team"],
        "listed": store.id in [listed.id for listed in stores.list(limit=1)],
        "deleted": stores.delete(store.id).deleted,
    }
    return {**used, "missing": catch_api_error(lambda: stores.retrieve(store.id))}


found["models"] = exercise_models()
found["chat"] = exercise_chat()
found["embeddings"] = exercise_embeddings()
found["files"], ids = exercise_files()
found["vectorStores"] = exercise_vector_stores(*ids)
searched = client.vector_stores.create(file_ids=ids[:1])
client.vector_stores.files.poll(ids[0], vector_store_id=searched.id, **poll)
found["responses"] = exercise_responses(searched.id)
print(json.dumps(found))
