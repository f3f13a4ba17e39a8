import { rm } from 'node:fs/promises';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from './quarry/data-folder.js';
import { buildHostileRequests, type HostileDocument, type HostileRequest } from './quarry/hostile-requests.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { findFaults, sendHostile } from './quarry/send-hostile.js';

describe('hostile bodies on the real process', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  let origin: string;
  let requests: readonly HostileRequest[];

  beforeAll(async () => {
    dataDirectory = await makeDataFolder();
    quarry = await startQuarry(dataDirectory, { QUARRY_RATE_LIMIT: '0' });
    origin = new URL(quarry.baseUrl).origin;
    const ids = await createOneOfEach(quarry.baseUrl);
    const document = (await (await fetch(`${origin}/openapi.json`)).json()) as HostileDocument; // the server's OpenAPI document
    requests = buildHostileRequests(document, (path) =>
      path.replace(/^\/api\/(?:external\/)?([\w-]+)(.*)\{\w+\}/, (_, kind: string, rest: string) => {
        return `/api/${path.startsWith('/api/external') ? 'external/' : ''}${kind}${rest}${ids.get(kind) ?? ids.get('datastores') ?? ''}`;
      }),
    );
  });

  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('every route refuses hostile bodies with a problem, without a crash or an internal error', async () => {
    expect(requests.length).toBeGreaterThan(3_000);
    expect(await findFaults({ origin, token: ROOT_KEY }, requests)).toEqual([]);
    expect(quarry.hasEnded(), quarry.output()).toBe(false);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  });

  it('requests without a key are refused before their bodies are read', async () => {
    const [deep] = requests;
    if (deep === undefined) throw new Error('expected hostile requests, found none');
    expect(await sendHostile({ origin, token: 'qk_unknown' }, deep)).toMatchObject({ status: 401 });
  });
});

/** Creates one resource of each kind. @returns their ids by the first segment of their path */
async function createOneOfEach(baseUrl: string): Promise<ReadonlyMap<string, string>> {
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
