// Generates text and embeddings with LangChain's classes for OpenAI. Prints the results as JSON. Arguments: the address
// of the API, the key, the model, the embedding model, the question.
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';

const [baseURL, apiKey, model, embeddingModel, question] = process.argv.slice(2);
const configuration = { baseURL };
const messages = [
  ['system', 'Be kind.'],
  ['human', question],
];

const found = {};
for (const useResponsesApi of [false, true]) {
  const chat = new ChatOpenAI({ model, apiKey, configuration, useResponsesApi, temperature: 0.5, maxRetries: 0 });
  const { text, usage_metadata: usage } = await chat.invoke(messages);
  let streamed = '';
  for await (const chunk of await chat.stream(messages)) streamed += chunk.text;
  found[useResponsesApi ? 'responses' : 'chat'] = { text, tokens: usage.total_tokens, streamed };
}

const embeddings = new OpenAIEmbeddings({ model: embeddingModel, apiKey, configuration, maxRetries: 0 });
found.embedding = await embeddings.embedQuery(question);
found.embeddings = await embeddings.embedDocuments([question, 'deux']);
console.log(JSON.stringify(found));
