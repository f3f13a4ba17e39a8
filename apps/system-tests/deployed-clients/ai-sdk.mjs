// Generates text and embeddings with Vercel's AI SDK, through its OpenAI provider and its OpenAI-compatible provider.
// Prints the results as JSON. Arguments: the address of the API, the key, the model, the embedding model, the id of the
// vector store, the question.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embed, embedMany, generateText, streamText } from 'ai';

const [baseURL, apiKey, name, embeddingName, vectorStoreId, question] = process.argv.slice(2);
const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'quarry', baseURL, apiKey, includeUsage: true });
const models = { responses: openai.responses(name), chat: openai.chat(name), compatible: compatible(name) };

const describe = ({ text, usage, finishReason, sources }) => ({
  text,
  tokens: usage.totalTokens,
  finishReason,
  files: sources.map(({ filename }) => filename),
});

const found = {};
for (const [kind, model] of Object.entries(models)) {
  const system = 'Be kind.';
  const generated = describe(await generateText({ model, system, prompt: question, temperature: 0.5, maxRetries: 0 }));
  const stream = streamText({ model, system, prompt: question, maxRetries: 0 });
  let streamed = '';
  for await (const piece of stream.textStream) streamed += piece;
  found[kind] = { generated, streamed, streamedTokens: (await stream.usage).totalTokens };
}

const tools = { file_search: openai.tools.fileSearch({ vectorStoreIds: [vectorStoreId], maxNumResults: 2 }) };
const include = ['file_search_call.results'];
const searched = await generateText({
  model: models.responses,
  tools,
  prompt: question,
  providerOptions: { openai: { include } },
});
const messages = [
  { role: 'user', content: question },
  ...((await searched.responseMessages) ?? searched.response.messages),
  { role: 'user', content: 'Et après ?' },
];
found.results = searched.toolResults.map(({ output }) => output.results);
found.continued = (await generateText({ model: models.responses, tools, messages })).text;

found.embedding = (await embed({ model: openai.embedding(embeddingName), value: question })).embedding;
const values = [question, 'deux'];
found.embeddings = (await embedMany({ model: compatible.embeddingModel(embeddingName), values })).embeddings;
console.log(JSON.stringify(found));
