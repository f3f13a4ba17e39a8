import { rm } from 'node:fs/promises';
import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from './quarry/data-folder.js';
import { hostileRequests, type HostileDocument, type HostileRequest } from './quarry/hostile-requests.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';

const AT_ONCE = 16;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Sends bytes as they are: clients would refuse some of these types and bodies. */
async function ask(origin: string, { method, path, type, body }: HostileRequest, key = ROOT_KEY): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const bytes = Buffer.from(body);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type, 'Content-Length': bytes.length };
  const asking = send(`${origin}${path}`, { method: method.toUpperCase(), headers }, (response) => {
    text(response).then((answered) => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, type: given['content-type'] ?? '', body: answered });
    }, reject);
  });
  asking.once('error', reject).end(bytes);
  return promise;
}

/** @returns what is wrong with how a request was answered */
async function fault(origin: string, request: HostileRequest): Promise<string | undefined> {
  try {
    const { status, type, body } = await ask(origin, request);
    const isRefused = status >= 400;
    if (status < 500 && (!isRefused || type.startsWith('application/problem+json'))) return undefined;
    return `${request.title}: ${status} ${type} ${body.slice(0, 200)}`;
  } catch (error) {
    return `${request.title}: ${String(error)}`;
  }
}

describe('hostile bodies on the real process', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  let origin: string;
  let requests: readonly HostileRequest[];

  beforeAll(async () => {
    dataDirectory = await makeDataFolder();
    quarry = await startQuarry(dataDirectory, { QUARRY_RATE_LIMIT: '0' });
    origin = new URL(quarry.baseUrl).origin;
    const ids = await makeOneOfEach(quarry.baseUrl);
    const document = (await (await fetch(`${origin}/openapi.json`)).json()) as HostileDocument; // its own document
    requests = hostileRequests(document, (path) =>
      path.replace(/^\/api\/(?:external\/)?([\w-]+)(.*)\{\w+\}/, (_, kind: string, rest: string) => {
        return `/api/${path.startsWith('/api/external') ? 'external/' : ''}${kind}${rest}${ids.get(kind) ?? ids.get('datastores') ?? ''}`;
      }),
    );
  });

  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('end no process, are no fault of the service, and are refused with a problem, on every route', async () => {
    const queue = [...requests];
    expect(queue.length).toBeGreaterThan(3_000);
    const faults: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && faults.length < 20; next = queue.shift()) {
        const found = await fault(origin, next);
        if (found !== undefined) faults.push(found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults).toEqual([]);
    expect(quarry.hasEnded(), quarry.output()).toBe(false);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  });

  it('are read no further without a key', async () => {
    const [deep] = requests;
    if (deep === undefined) throw new Error('there are no requests');
    expect(await ask(origin, deep, 'qk_unknown')).toMatchObject({ status: 401 });
  });
});

/** @returns an id for each kind of resource, by its first segment in the path */
async function makeOneOfEach(baseUrl: string): Promise<ReadonlyMap<string, string>> {
  const quarry = createClient({ baseUrl, apiKey: ROOT_KEY });
  const datastore = await quarry.createDatastore({ name: 'hostile' });
  const agent = await quarry.createAgent({ name: 'hostile', datastoreIds: [datastore.id] });
  const { ids } = await quarry.upsertDocuments(datastore.id, [{ text: 'A document.', name: 'one' }]);
  const { conversationId } = await quarry.queryAgent(agent.id, { query: 'What?' });
  const key = await quarry.createApiKey({ name: 'hostile', scopes: ['query'] });
  const organization = await quarry.createOrganization({ name: 'hostile' });
  const webhook = await quarry.createWebhook({ url: 'https://example.com/hook' });
  return new Map([
    ['datastores', datastore.id],
    ['agents', agent.id],
    ['datasources', ids[0] ?? ''],
    ['conversations', conversationId],
    ['api-keys', key.id],
    ['organizations', organization.id],
    ['webhooks', webhook.id],
  ]);
}
