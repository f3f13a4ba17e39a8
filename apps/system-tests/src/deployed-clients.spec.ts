import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromiumPath } from './console/find-chromium-path.js';
import { streamAnswerInBrowser } from './quarry/stream-answer-in-browser.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import type { RunningStack } from './quarry/stack.js';

const FOLDER = fileURLToPath(new URL('../deployed-clients/', import.meta.url));
const QUESTION = 'Combien coûte le café glacé ?';
const TEXT = 'Le café glacé coûte 3 € à l’été, soit 100 % du prix. Œuvre nº 7 : 日本語, 😀.';

const run = promisify(execFile);
const chromium = findChromiumPath();
const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const areInstalled = existsSync(`${FOLDER}node_modules/@langchain/community`);
const NOT_INSTALLED = areInstalled ? '' : ' (skipped: the clients are not installed)';
const NO_REQUESTS = hasRequests ? '' : ' (skipped: Python’s requests is not installed)';
const NO_BROWSER =
  chromium === undefined || !areInstalled ? ' (skipped: needs Chromium and the installed clients)' : '';

interface Known {
  readonly address: string;
  readonly datastoreId: string;
  readonly agentId: string;
  readonly keys: { readonly plain: string; readonly chaindesk: string };
  /**
   * Answer to `QUESTION` that Quarry's own client received without streaming. The tests compare the answers of the
   * deployed clients with it.
   */
  readonly answer: string;
}

let stack: RunningStack | undefined;
let known: Known;

beforeAll(async () => {
  stack = await oneMachineStack.start({}, []);
  const { baseUrl } = stack;
  const quarry = createClient({ baseUrl, apiKey: ROOT_KEY });
  const { id: datastoreId } = await quarry.createDatastore({ name: 'Carte' });
  const menu = [
    { name: 'carte', text: TEXT },
    { name: 'thé', text: 'Le thé glacé coûte 2 €.' },
  ];
  const { ids } = await quarry.upsertDocuments(datastoreId, menu);
  for (const id of ids) expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
  const { id: agentId } = await quarry.createAgent({ name: 'Serveur', datastoreIds: [datastoreId] });
  const { key: chaindesk } = await quarry.createApiKey({
    name: 'deployed client',
    scopes: ['query', 'ingest', 'manage'],
    compatibility: 'chaindesk',
  });
  const { answer } = await quarry.queryAgent(agentId, { query: QUESTION });
  expect(answer).toContain('café glacé coûte 3 €');
  known = { address: new URL('/', baseUrl).origin, datastoreId, agentId, keys: { plain: ROOT_KEY, chaindesk }, answer };
}, 120_000);
afterAll(async () => stack?.stop());

async function runClient(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { cwd: FOLDER })).stdout;
}

describe('Python’s requests', () => {
  it.skipIf(!hasRequests)(`Python’s requests decodes every character of a streamed answer${NO_REQUESTS}`, async () => {
    const { address, agentId, keys, answer } = known;
    expect(await runClient('python3', ['stream.py', `${address}/api`, keys.plain, agentId, QUESTION])).toBe(answer);
    // Programs that are already deployed send requests to paths without the prefix `/api`.
    expect(await runClient('python3', ['stream.py', address, keys.plain, agentId, QUESTION])).toBe(answer);
  });
});

describe.skipIf(!areInstalled)(`an installed client${NOT_INSTALLED}`, () => {
  it('LangChain’s retrievers for Chaindesk and Databerry return documents', async () => {
    const { address, datastoreId, keys } = known;
    const printed = await runClient(process.execPath, [
      'retrieve.mjs',
      address,
      keys.chaindesk,
      datastoreId,
      'café glacé',
    ]);
    const found = JSON.parse(printed) as Readonly<Record<string, readonly object[]>>;
    const first = { pageContent: TEXT, metadata: { datasource_name: 'carte', score: expect.any(Number) as unknown } };
    expect(found['chaindesk']?.[0]).toMatchObject(first);
    expect(found['chaindesk']?.length).toBeGreaterThan(1);
    expect(found['databerry']).toEqual(found['chaindesk']);
    expect(found['chaindeskOne']).toEqual(found['chaindesk']?.slice(0, 1));
  });

  it('the package eventsource-parser parses an answer that Quarry streams', async () => {
    const { address, agentId, keys, answer } = known;
    const printed = await runClient(process.execPath, ['parse-events.mjs', address, keys.plain, agentId, QUESTION]);
    expect(printed).toBe(`${answer}\n`);
  });
});

describe.skipIf(NO_BROWSER !== '')(`@microsoft/fetch-event-source in a page of another origin${NO_BROWSER}`, () => {
  it('@microsoft/fetch-event-source reads answers that are streamed in Quarry’s format and in Chaindesk’s format', async () => {
    const { address, agentId, keys, answer } = known;
    const url = `${address}/api/agents/${agentId}/query`;
    const streamAnswer = async (apiKey: string) =>
      streamAnswerInBrowser(chromium ?? '', { packages: `${FOLDER}node_modules/`, url, apiKey, query: QUESTION });
    const plain = await streamAnswer(keys.plain);
    expect(plain).toMatchObject({ contentType: 'text/event-stream', answer, end: '[DONE]' });
    const encoded = await streamAnswer(keys.chaindesk);
    expect(decodeURIComponent(encoded.answer)).toBe(answer);
    expect(JSON.parse(decodeURIComponent(encoded.response))).toMatchObject({ answer });
  });
});

/**
 * Sends a request with the API key for which Quarry responds in Chaindesk's format. Returns the parsed JSON response.
 */
async function sendRequest(
  method: string,
  path: string,
  body?: object | FormData,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${known.address}${path}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${known.keys.chaindesk}` },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return JSON.parse(text);
}

describe('requests of the shapes of Zapier’s app', () => {
  const JSON_ONLY = { Accept: 'application/json' };

  it('the API responds to the connection test, the lists and the two queries of Zapier’s app with the fields that the app reads', async () => {
    const { agentId, datastoreId, answer } = known;
    for (const path of ['/api/me', '/api/external/me']) {
      expect(await sendRequest('GET', path)).toMatchObject({ name: expect.any(String) as unknown });
    }
    expect(await sendRequest('GET', '/api/agents', undefined, JSON_ONLY)).toMatchObject([
      { id: agentId, name: 'Serveur' },
    ]);
    const datastores = await sendRequest('GET', '/api/datastores', undefined, JSON_ONLY);
    expect(datastores).toMatchObject([{ id: datastoreId, name: 'Carte' }]);

    const headers = { ...JSON_ONLY, 'Content-Type': 'application/json' };
    const question = { query: QUESTION, truncateQuery: '' };
    expect(await sendRequest('POST', `/api/agents/${agentId}/query`, question, headers)).toMatchObject({ answer });
    const results = await sendRequest('POST', `/datastores/query/${datastoreId}`, { query: 'café glacé' }, headers);
    expect(results).toMatchObject([{ text: TEXT }, {}]);
  });

  it('an upload from Zapier’s app returns the id of the datasource', async () => {
    const form = new FormData();
    form.append('file', new Blob(['Le pain coûte 1 €.']), 'pain.txt');
    form.append('fileName', 'pain.txt');
    const uploaded = await sendRequest('POST', `/api/external/datastores/file-upload/${known.datastoreId}`, form);
    expect(uploaded).toMatchObject({ id: expect.stringMatching(/^[\da-f-]{36}$/) as unknown });
  });
});

describe('requests of the shapes of Pipedream’s components', () => {
  const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/plain, */*' };

  it('a request of Pipedream’s agent picker receives an array of agents', async () => {
    const agents = (await sendRequest('GET', '/api/agents', undefined, HEADERS)) as readonly object[];
    expect(agents.map((agent) => agent)).toMatchObject([{ id: known.agentId, name: 'Serveur' }]);
  });

  it('a request of Pipedream’s trigger for new responses receives the messages of the agent, the newest first', async () => {
    const path = `/api/agents/${known.agentId}/query`;
    const first = (await sendRequest('POST', path, { query: QUESTION }, HEADERS)) as {
      readonly conversationId: string;
    };
    const { conversationId } = first;
    await sendRequest('POST', path, { query: 'Combien coûte le thé glacé ?', conversationId }, HEADERS);
    const shown = await sendRequest('GET', `/api/conversations/${conversationId}`, undefined, HEADERS);
    const { messages } = shown as {
      readonly messages: readonly { readonly from: string; readonly createdAt: string }[];
    };
    const emitted = messages.filter(({ from }) => from === 'agent');
    expect(emitted).toMatchObject([{ text: expect.stringContaining('2 €') as unknown }, { text: known.answer }]);
    const [newest = 0, oldest = 0] = emitted.map(({ createdAt }) => Date.parse(createdAt));
    expect(newest).toBeGreaterThanOrEqual(oldest);
  });
});
