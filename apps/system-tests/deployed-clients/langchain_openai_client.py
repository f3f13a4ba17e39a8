# Asks and embeds with LangChain's classes for OpenAI. Prints the outcomes as JSON.
# Arguments: the address of the API, the key, the model, the embedding model, the question.
import json
import sys

from langchain_openai import ChatOpenAI, OpenAIEmbeddings

base_url, api_key, model, embedding_model, question = sys.argv[1:]
connection = {"base_url": base_url, "api_key": api_key, "max_retries": 0}
messages = [("system", "Be kind."), ("human", question)]

found = {}
for name, uses_responses in {"chat": False, "responses": True}.items():
    chat = ChatOpenAI(
        model=model, use_responses_api=uses_responses, temperature=0.5, stream_usage=True, **connection
    )
    answer = chat.invoke(messages)
    streamed = "".join(chunk.text for chunk in chat.stream(messages))
    found[name] = {"text": answer.text, "tokens": answer.usage_metadata["total_tokens"], "streamed": streamed}

# With `check_embedding_ctx_length`, LangChain would send token ids, and need the vocabulary of a model of OpenAI.
embeddings = OpenAIEmbeddings(model=embedding_model, check_embedding_ctx_length=False, **connection)
found["embedding"] = embeddings.embed_query(question)
found["embeddings"] = embeddings.embed_documents([question, "deux"])
print(json.dumps(found))
