import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDING, startEmbeddingProvider } from './quarry/embedding-provider.js';
import { startFakeModel } from './quarry/fake-model.js';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const FOLDER = fileURLToPath(new URL('../deployed-clients/', import.meta.url));
const ANSWER = 'Once upon a time [1]: déjà vu, 从前, 😀.';
const QUESTION = 'Combien coûte le café glacé ? 😀';
const TEXT = 'Le café glacé coûte 3 € à l’été.';

const PYTHON = `${FOLDER}.venv/${process.platform === 'win32' ? 'Scripts' : 'bin'}/python`;

const run = promisify(execFile);
const hasPython = existsSync(`${FOLDER}.venv/.quarry-installed`);
const NO_PYTHON = hasPython ? '' : ' (skipped: the clients for Python are not installed)';
const areInstalled = ['ai', '@langchain/openai'].every((name) => existsSync(`${FOLDER}node_modules/${name}`));
const NOT_INSTALLED = areInstalled ? '' : ' (skipped: the clients are not installed)';

const model = await startFakeModel(ANSWER.slice('Once'.length));
const provider = await startEmbeddingProvider();

interface Known {
  readonly address: string;
  readonly agent: string;
  readonly vectorStore: string;
}

let stack: RunningStack | undefined;
let known: Known;

beforeAll(async () => {
  model.behaviour = 'ends';
  const variables = {
    ...model.variables,
    QUARRY_EMBEDDING_MODEL: EMBEDDING.model,
    QUARRY_EMBEDDING_DIMENSIONS: String(EMBEDDING.dimensions),
    QUARRY_EMBEDDING_BASE_URL: provider.baseUrl,
  };
  stack = await oneMachineStack.start(variables, [model.url, provider.baseUrl]);
  const { baseUrl } = stack;
  const quarry = createClient({ baseUrl, apiKey: ROOT_KEY });
  const { id: datastoreId } = await quarry.createDatastore({ name: 'Carte' });
  const { ids } = await quarry.upsertDocuments(datastoreId, [{ name: 'carte', text: TEXT }]);
  for (const id of ids) expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
  const settings = { name: 'Serveur', datastoreIds: [datastoreId], citationMarks: true };
  const { id } = await quarry.createAgent(settings);
  known = { address: new URL('/v1', baseUrl).href, agent: `agent:${id}`, vectorStore: `vs_${datastoreId}` };
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  provider.stop();
  await model.stop();
});

async function runClient(program: string, args: readonly string[], input = ''): Promise<unknown> {
  const running = run(program.endsWith('.py') ? PYTHON : process.execPath, [program, ...args], { cwd: FOLDER });
  running.child.stdin?.end(input);
  return JSON.parse((await running).stdout);
}

const TOKENS = expect.any(Number) as unknown;
const VECTOR = [1, 0, 0, 0];

describe.skipIf(!areInstalled)(`an installed client of OpenAI’s API${NOT_INSTALLED}`, () => {
  it('Vercel’s AI SDK generates and streams text, searches files, continues a conversation and creates embeddings', async () => {
    const { address, agent, vectorStore } = known;
    const found = await runClient('ai-sdk.mjs', [address, ROOT_KEY, agent, EMBEDDING.model, vectorStore, QUESTION]);
    const generated = { text: ANSWER, tokens: TOKENS, finishReason: 'stop' };
    const asked = { generated, streamed: ANSWER, streamedTokens: TOKENS };

    expect(found).toMatchObject({
      responses: { ...asked, generated: { ...generated, files: ['carte'] } },
      chat: asked,
      compatible: asked,
      results: [[{ filename: 'carte', text: TEXT }]],
      continued: ANSWER,
      embedding: VECTOR,
      embeddings: [VECTOR, VECTOR],
    });
    expect(model.prompts.at(-1)).toContain('Et après ?');
  });

  it('LangChain.js generates and streams text with both APIs of OpenAI, and creates embeddings', async () => {
    const { address, agent } = known;
    const found = await runClient('langchain-openai.mjs', [address, ROOT_KEY, agent, EMBEDDING.model, QUESTION]);
    const asked = { text: ANSWER, tokens: TOKENS, streamed: ANSWER };
    expect(found).toEqual({ chat: asked, responses: asked, embedding: VECTOR, embeddings: [VECTOR, VECTOR] });
    expect(model.prompts.at(-1)).toContain('Be kind.');
  });
});

describe.skipIf(!hasPython)(`an installed client of OpenAI’s API for Python${NO_PYTHON}`, () => {
  const listArguments = (): readonly string[] => [known.address, ROOT_KEY, known.agent, EMBEDDING.model, QUESTION];

  it('OpenAI’s Python SDK calls every supported method', async () => {
    const found = await runClient('openai_sdk.py', listArguments(), TEXT);
    const tokens = [TOKENS, TOKENS];
    expect(found).toEqual({
      models: {
        ids: expect.arrayContaining([known.agent, 'default', EMBEDDING.model]) as unknown,
        retrieved: known.agent,
        deleted: ['BadRequestError', 'unsupported_value'],
      },
      chat: {
        ...{ text: ANSWER, parsed: ANSWER, streamed: ANSWER, titles: ['carte'], tokens },
        refused: ['BadRequestError', 'unsupported_parameter'],
        unknown: ['NotFoundError', 'model_not_found'],
      },
      embeddings: [VECTOR, VECTOR],
      files: {
        ...{ content: TEXT, uploaded: TEXT, chunked: TEXT, name: 'a.txt', processed: true, listed: true },
        ...{ cancelled: 'cancelled', deleted: true },
      },
      vectorStores: {
        statuses: ['completed', 'completed', 'completed', 'completed'],
        ...{ polled: 'completed', polledBatch: true, batchTotal: 1, batchFiles: 1, cancelled: 0 },
        ...{ results: [[true, TEXT]], content: [TEXT], attributes: { year: 1857 }, retrieved: true, files: 5 },
        ...{ removed: true, name: 'Märchen', team: 'a', listed: true, deleted: true },
        missing: ['NotFoundError', 'not_found'],
      },
      responses: {
        ...{ text: ANSWER, streamed: ANSWER, parsed: ANSWER, retrieved: ANSWER, continues: true },
        ...{ results: [TEXT], items: [QUESTION], tokens: true },
        compacted: ['NotFoundError', 'unsupported_operation'],
        cancelled: ['BadRequestError', 'response_not_cancellable'],
        deleted: ['NotFoundError', 'not_found'],
      },
    });
  }, 120_000);

  it('LangChain for Python generates and streams text with both APIs of OpenAI, and creates embeddings', async () => {
    const found = await runClient('langchain_openai_client.py', listArguments());
    const asked = { text: ANSWER, tokens: TOKENS, streamed: ANSWER };
    expect(found).toEqual({ chat: asked, responses: asked, embedding: VECTOR, embeddings: [VECTOR, VECTOR] });
    expect(model.prompts.at(-1)).toContain('Be kind.');
  }, 120_000);

  it('LlamaIndex chats, streams, completes a prompt and creates embeddings', async () => {
    const found = await runClient('llama_index_client.py', listArguments());
    const asked = { text: ANSWER, streamed: ANSWER, completed: ANSWER };
    expect(found).toEqual({ ...asked, embedding: VECTOR, embeddings: [VECTOR, VECTOR] });
  }, 120_000);
});

describe('the requests of Open WebUI', () => {
  const headers = { Authorization: `Bearer ${ROOT_KEY}`, 'Content-Type': 'application/json' };
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Bonjour' },
    { role: 'assistant', content: 'Bonjour !' },
    { role: 'user', content: [{ type: 'text', text: QUESTION }] },
  ];
  const sendRequest = async (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${known.address}/chat/completions`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ model: known.agent, ...body }) },
      ...(signal && { signal }),
    });

  it('Quarry answers the requests that Open WebUI sends for the list of models, a streamed answer and the title of a chat', async () => {
    const listed = await fetch(`${known.address}/models`, { headers });
    expect(await listed.json()).toMatchObject({ data: [{ id: known.agent, name: 'Serveur' }, {}, {}] });

    const parameters = { temperature: 0.7, top_p: 0.9, max_tokens: 200, frequency_penalty: 0, presence_penalty: 0 };
    const options = { stream: true, stream_options: { include_usage: true } };
    const answer = await sendRequest({ messages, ...options, ...parameters });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const data = (await answer.text()).matchAll(/^data: (\{.*)$/gm);
    const chunks = [...data].map(([, json = '']) => JSON.parse(json) as Chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(ANSWER);
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.annotations ?? [])).toMatchObject([
      { type: 'url_citation', url_citation: { title: 'carte' } },
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: TOKENS } });

    const title = { messages: [{ role: 'user', content: 'Create a title.' }], stream: false };
    for (const limit of [{ max_tokens: 1_000 }, { max_completion_tokens: 1_000 }])
      expect((await sendRequest({ ...title, ...limit })).status).toBe(200);
  });

  it('when Open WebUI disconnects from a streamed answer, Quarry cancels the request to the model', async () => {
    model.behaviour = 'hangs';
    const leaving = new AbortController();
    const left = model.waitForDisconnect();
    const answer = await sendRequest({ messages, stream: true }, leaving.signal);
    await answer.body?.getReader().read();
    leaving.abort();
    await left;
  });
});

/** Describes the fields that the client Open WebUI reads in a chunk of a streamed chat completion. */
interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string; readonly annotations?: object[] } }[];
}
