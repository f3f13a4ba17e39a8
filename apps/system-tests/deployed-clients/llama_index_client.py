# Asks and embeds with LlamaIndex's classes for servers with OpenAI's API. Prints the outcomes as JSON.
# Arguments: the address of the API, the key, the model, the embedding model, the question.
import json
import sys

from llama_index.core.llms import ChatMessage
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike

base_url, api_key, model, embedding_model, question = sys.argv[1:]
llm = OpenAILike(
    model=model, api_base=base_url, api_key=api_key, is_chat_model=True, context_window=8_000, max_retries=0
)
messages = [ChatMessage(role="system", content="Be kind."), ChatMessage(role="user", content=question)]
embedder = OpenAILikeEmbedding(model_name=embedding_model, api_base=base_url, api_key=api_key, max_retries=0)
found = {
    "text": llm.chat(messages).message.content,
    "streamed": "".join(part.delta for part in llm.stream_chat(messages)),
    "completed": llm.complete(question).text,
    "embedding": embedder.get_query_embedding(question),
    "embeddings": embedder.get_text_embedding_batch([question, "deux"]),
}
print(json.dumps(found))
