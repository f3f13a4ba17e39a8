import { rm } from 'node:fs/promises';
import { createClient } from '@quarry/client';
import { buildUnpublishedDocuments } from '@quarry/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { buildHostileRequests, type HostileDocument, type HostileRequest } from './quarry/hostile-requests.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { sendRequestsAndFindFaults, sendHostileRequest } from './quarry/send-hostile-request.js';

describe('hostile bodies on the real process', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  let origin: string;
  let requests: readonly HostileRequest[];

  beforeAll(async () => {
    dataDirectory = await createDataFolder();
    quarry = await startQuarry(dataDirectory, { QUARRY_RATE_LIMIT: '0' });
    origin = new URL(quarry.baseUrl).origin;
    const ids = await createResources(quarry.baseUrl);
    const published = (await (await fetch(`${origin}/openapi.json`)).json()) as HostileDocument; // the server's OpenAPI document
    // The type assertions are safe, because the same function builds all OpenAPI documents.
    const documents = [published, ...(buildUnpublishedDocuments() as unknown as readonly HostileDocument[])];
    // The requests of the published document are last, because its DELETE requests remove the datastore that the other
    // requests use.
    requests = documents
      .toReversed()
      .flatMap((document) => buildHostileRequests(document, (path) => fillPath(path, ids)));
  });

  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('every route refuses hostile request bodies with a problem response, without a crash or an internal error', async () => {
    for (const path of ['/api/agents', '/v1/chat/completions', '/query/'])
      expect(requests.some((one) => one.path.startsWith(path))).toBe(true);
    expect(requests.length).toBeGreaterThan(5_000);
    expect(await sendRequestsAndFindFaults({ origin, token: ROOT_KEY }, requests)).toEqual([]);
    expect(quarry.hasEnded(), quarry.output()).toBe(false);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  });

  it('a request with an unknown API key is refused before its hostile body is parsed', async () => {
    const [deep] = requests;
    if (deep === undefined) throw new Error('expected hostile requests, found none');
    expect(await sendHostileRequest({ origin, token: 'qk_unknown' }, deep)).toMatchObject({ status: 401 });
  });
});

/**
 * Replaces each parameter of a path by the id of an existing resource. The path segment before the parameter determines
 * the kind of the resource.
 */
function fillPath(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, segment: string) => {
    const kind = KINDS[segment] ?? segment;
    const id = ids.get(kind);
    if (id === undefined) throw new Error(`expected a resource of the kind ${kind} for the path ${path}, found none`);
    return `${segment}/${id}`;
  });
}

/** Maps the path segments that are verbs, such as `upsert`, to the kind of the resource whose id follows them. */
const KINDS: Readonly<Record<string, string>> = {
  upsert: 'datastores',
  update: 'datastores',
  'file-upload': 'datastores',
  query: 'datastores',
};

/** Creates one resource of each kind. @returns their ids, keyed by the path segment that precedes the id */
async function createResources(baseUrl: string): Promise<ReadonlyMap<string, string>> {
  const quarry = createClient({ baseUrl, apiKey: ROOT_KEY });
  const datastore = await quarry.createDatastore({ name: 'hostile' });
  const agent = await quarry.createAgent({ name: 'hostile', datastoreIds: [datastore.id] });
  const model = await quarry.createAgent({ name: 'hostile model', datastoreIds: [datastore.id] });
  const { ids } = await quarry.upsertDocuments(datastore.id, [{ text: 'A document.', name: 'one' }]);
  const { conversationId, messageId } = await quarry.queryAgent(agent.id, { query: 'What?' });
  const key = await quarry.createApiKey({ name: 'hostile', scopes: ['query'] });
  const organization = await quarry.createOrganization({ name: 'hostile' });
  const webhook = await quarry.createWebhook({ url: 'https://example.com/hook' });
  const evaluation = await quarry.createEvaluation({
    datastoreId: datastore.id,
    dataset: { questions: [{ question: 'q' }] },
  });
  return new Map([
    ...(await createOpenAiResources(baseUrl, model.id)),
    ['messages', messageId],
    ['evaluations', evaluation.id],
    ['deliveries', UNKNOWN_ID],
    ['pages', '1'],
    ['model-connections', 'openai'],
    ['datastores', datastore.id],
    ['agents', agent.id],
    ['datasources', ids[0] ?? ''],
    ['conversations', conversationId],
    ['api-keys', key.id],
    ['organizations', organization.id],
    ['webhooks', webhook.id],
  ]);
}

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

/** Creates one resource of each kind in the API `/v1`. @returns pairs of the path segment before the id, and the id */
async function createOpenAiResources(
  baseUrl: string,
  agentId: string,
): Promise<readonly (readonly [string, string])[]> {
  const createTestResource = async (path: string, body: object): Promise<string> => {
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(`/v1/${path}`, baseUrl), {
      method: 'POST',
      headers: { Authorization: `Bearer ${ROOT_KEY}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as { id: string }).id; // as OpenAI documents it
  };
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', new Blob(['A text.']), 'a.txt');
  const model = `agent:${agentId}`;
  const file = await createTestResource('files', form);
  const store = await createTestResource('vector_stores', { name: 'hostile' });
  const upload = { filename: 'a.txt', purpose: 'assistants', bytes: 1, mime_type: 'text/plain' };
  return [
    ['models', model],
    ['responses', await createTestResource('responses', { model, input: 'q' })],
    ['files', file],
    ['vector_stores', store],
    ['file_batches', await createTestResource(`vector_stores/${store}/file_batches`, { file_ids: [file] })],
    ['uploads', await createTestResource('uploads', upload)],
  ];
}
