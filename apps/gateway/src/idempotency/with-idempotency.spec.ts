import { randomUUID } from 'node:crypto';
import { like, sql } from 'drizzle-orm';
import type { Response, Test } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { listBlobs } from '../testing/blobs.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { createDatastore, getStringField } from '../testing/create-resources.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { type Claim, computeSha256 } from './claim.js';
import { acquireIdempotencyClaim } from './store-response.js';

const HOUR_MS = 3_600_000;

let now: Date;
let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  now = new Date();
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});

interface Creation {
  /** Sends a request that creates a resource. @param variant the part of the content in which two requests differ */
  readonly sendCreateRequest: (api: Api, variant?: string) => Test;
  /** Returns the number of resources that the requests of a test have created. */
  readonly countResources: () => Promise<number>;
}

const attachFile = (request: Test, text: string): Test => request.attach('file', Buffer.from(text), 'a.txt');
const countBlobs = (): number => listBlobs(test, tenant.organizationId).length;
const countListItems = (path: string) => async (): Promise<number> => {
  const { items } = (await tenant.api.get(`/api/${path}`)).body as { items: unknown[] }; // as documented
  return items.length;
};
const CREATIONS: Readonly<Record<string, Creation>> = {
  'POST /datastores': {
    sendCreateRequest: (api, name = 'a') => api.post('/api/datastores').send({ name }),
    countResources: async () => (await countListItems('datastores')()) - 1,
  },
  'POST /agents': {
    sendCreateRequest: (api, name = 'a') => api.post('/api/agents').send({ name, datastoreIds: [datastore] }),
    countResources: countListItems('agents'),
  },
  'POST /api-keys': {
    sendCreateRequest: (api, name = 'a') => api.post('/api/api-keys').send({ name, scopes: ['query'] }),
    countResources: async () => (await countListItems('api-keys')()) - 1,
  },
  'POST /webhooks': {
    sendCreateRequest: (api, name = 'a') => api.post('/api/webhooks').send({ url: `https://example.org/${name}` }),
    countResources: countListItems('webhooks'),
  },
  'POST /organizations': {
    sendCreateRequest: (api, name = 'a') =>
      api.post('/api/organizations').send({ name: `${name} of ${tenant.organizationId}` }),
    countResources: async () =>
      test.gateway.db.$count(organizations, like(organizations.name, `%of ${tenant.organizationId}`)),
  },
  'POST /datasources with JSON': {
    sendCreateRequest: (api, name = 'a') =>
      api.post('/api/datasources').send({
        type: 'web_site',
        datastoreId: datastore,
        name,
        config: { source_url: 'https://example.org' },
      }),
    countResources: countListItems('datasources'),
  },
  'POST /datasources with a file': {
    sendCreateRequest: (api, text = 'a') =>
      attachFile(api.post('/api/datasources').field('type', 'file').field('datastoreId', datastore), text),
    countResources: async () => countRuns(),
  },
  'POST /external/datastores/file-upload/{datastoreId}': {
    sendCreateRequest: (api, text = 'a') =>
      attachFile(api.post(`/api/external/datastores/file-upload/${datastore}`), text),
    countResources: async () => countRuns(),
  },
  'POST /datastores/upsert/{datastoreId}': {
    sendCreateRequest: (api, text = 'a') =>
      api.post(`/api/datastores/upsert/${datastore}`).send({ documents: [{ text, name: 'one' }] }),
    countResources: async () => countRuns(),
  },
};

/**
 * Counts the runs of the tenant instead of its datasources, because a second upsert of an equal document creates only a
 * run.
 */
async function countRuns(): Promise<number> {
  const { rows } = await test.gateway.db.execute<{ count: number }>(
    sql`select count(*)::int as count from quarry.runs where organization_id = ${tenant.organizationId}`,
  );
  return rows[0]?.count ?? 0;
}

const pickVisibleParts = ({ status, text, headers }: Response): unknown => [
  status,
  text,
  headers['content-type'],
  headers['location'],
];

describe.each(Object.entries(CREATIONS))('%s', (_name, { sendCreateRequest, countResources }) => {
  it('a repeated request with the same Idempotency-Key gets the same response and creates nothing', async () => {
    const key = randomUUID();
    const first = await sendCreateRequest(tenant.api).set('Idempotency-Key', key);
    expect([200, 201]).toContain(first.status);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const blobsBefore = countBlobs();
    const again = await sendCreateRequest(tenant.api).set('Idempotency-Key', key);
    expect(pickVisibleParts(again)).toEqual(pickVisibleParts(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await countResources()).toBe(1);
    await expectEventually(countBlobs).toBe(blobsBefore);
  });

  it('a request with the Idempotency-Key of a different request is refused, and leaves no blobs in the blob store', async () => {
    const key = randomUUID();
    await sendCreateRequest(tenant.api).set('Idempotency-Key', key);
    const blobsBefore = countBlobs();
    const other = await sendCreateRequest(tenant.api, 'b').set('Idempotency-Key', key);
    expect([other.status, other.body]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
    expect([await countResources(), countBlobs()]).toEqual([1, blobsBefore]);
  });

  it('concurrent requests with the same Idempotency-Key create one resource and get equal responses', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => sendCreateRequest(tenant.api).set('Idempotency-Key', key)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(pickVisibleParts(answer)))).size).toBe(1);
    expect([200, 201]).toContain(answers[0]?.status);
    expect(await countResources()).toBe(1);
  });

  it('each request with a new Idempotency-Key, and each request without Idempotency-Key, creates a resource', async () => {
    await sendCreateRequest(tenant.api).set('Idempotency-Key', randomUUID());
    await sendCreateRequest(tenant.api).set('Idempotency-Key', randomUUID());
    await sendCreateRequest(tenant.api);
    expect(await countResources()).toBe(3);
  });

  it('a request whose response cannot be stored creates nothing, and can be repeated', async () => {
    const { db } = test.gateway;
    await db.execute(sql`create function quarry.fail() returns trigger language plpgsql as
      $$ begin raise exception 'the gateway crashes here'; end $$`);
    await db.execute(sql`create trigger crash before insert or update on quarry.idempotency_keys
      for each row when (new.answer is not null) execute function quarry.fail()`);
    const key = randomUUID();
    const failed = await sendCreateRequest(tenant.api).set('Idempotency-Key', key);
    await db.execute(sql`drop function quarry.fail cascade`);
    expect(failed.status).toBe(500);
    expect([await countResources(), countBlobs()]).toEqual([0, 0]);
    expect([200, 201]).toContain((await sendCreateRequest(tenant.api).set('Idempotency-Key', key)).status);
    expect(await countResources()).toBe(1);
  });
});

describe('an Idempotency-Key', () => {
  const postDatastore = (api: Api, key: string, name = 'a') =>
    api.post('/api/datastores').set('Idempotency-Key', key).send({ name });

  it('two API keys can use the same Idempotency-Key independently', async () => {
    const key = randomUUID();
    const mine = getStringField(await postDatastore(tenant.api, key), 'id');
    const otherKey = test.createApi((await tenant.addKey({})).key);
    expect(getStringField(await postDatastore(otherKey, key), 'id')).not.toBe(mine);
    expect(getStringField(await postDatastore((await test.createTenant()).api, key, 'b'), 'id')).not.toBe(mine);
  });

  it('two operations can use the same Idempotency-Key independently', async () => {
    const key = randomUUID();
    await postDatastore(tenant.api, key);
    const agent = await tenant.api
      .post('/api/agents')
      .set('Idempotency-Key', key)
      .send({ name: 'a', datastoreIds: [] });
    expect(agent.status).toBe(201);
  });

  it('an upsert is refused if its Idempotency-Key was used for an upsert of the same documents into another datastore', async () => {
    const sendUpsert = (id: string) =>
      tenant.api
        .post(`/api/datastores/upsert/${id}`)
        .set('Idempotency-Key', 'k')
        .send({ documents: [{ text: 'a', name: 'n' }] });
    await sendUpsert(datastore);
    expect((await sendUpsert(await createDatastore(tenant.api))).status).toBe(409);
  });

  it('a repeated request whose fields are in another order gets the same response', async () => {
    const sendDatastore = (body: string) =>
      tenant.api.post('/api/datastores').set('Idempotency-Key', 'k').type('application/json').send(body);
    const first = await sendDatastore('{"name":"a","description":"b"}');
    expect((await sendDatastore('{ "description": "b", "name": "a" }')).text).toBe(first.text);
  });

  it('an Idempotency-Key can be used again after its first request was refused, because that request created nothing', async () => {
    const key = randomUUID();
    expect((await tenant.api.post('/api/datastores').set('Idempotency-Key', key).send({})).status).toBe(400);
    expect((await postDatastore(tenant.api, key)).status).toBe(201);
  });

  it('a repeated request gets the stored response for 24 hours, and the watchdog deletes the stored response afterwards', async () => {
    const key = randomUUID();
    const first = getStringField(await postDatastore(tenant.api, key), 'id');
    now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    await runWatchdog(test.gateway);
    expect(getStringField(await postDatastore(tenant.api, key), 'id')).toBe(first);
    now = new Date(now.getTime() + 1);
    expect(getStringField(await postDatastore(tenant.api, key, 'b'), 'id')).not.toBe(first);
    now = new Date(now.getTime() + 24 * HOUR_MS);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(idempotencyKeys)).toBe(0);
  });

  it('an Idempotency-Key can be used for another upsert 24 hours after its first use', async () => {
    const sendUpsert = (text: string) =>
      tenant.api
        .post(`/api/datastores/upsert/${datastore}`)
        .set('Idempotency-Key', 'k')
        .send({ documents: [{ text, name: 'one' }] });
    await sendUpsert('a');
    now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    expect((await sendUpsert('b')).status).toBe(409);
    now = new Date(now.getTime() + 1);
    const fresh = await sendUpsert('b');
    expect([fresh.status, fresh.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('the database contains neither an Idempotency-Key nor its response in plain text', async () => {
    const key = randomUUID();
    await postDatastore(tenant.api, key, 'a secret name');
    const stored = JSON.stringify(await test.gateway.db.select().from(idempotencyKeys));
    expect(stored).not.toContain('secret name');
    expect(stored).not.toContain(key);
  });

  it.each([
    ['x'.repeat(256), '256 characters'],
    ['with a blank', '12 characters'],
    ['', '0 characters'],
  ])('the Idempotency-Key %j is refused with 400', async (key, found) => {
    const response = await postDatastore(tenant.api, key);
    expect([response.status, response.body]).toMatchObject([
      400,
      { code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] },
    ]);
    expect(response.text).toContain(found);
  });

  it('an Idempotency-Key of 255 characters is accepted', async () => {
    expect((await postDatastore(tenant.api, '~'.repeat(255))).status).toBe(201);
  });
});

describe('a request whose Idempotency-Key another gateway is processing', () => {
  async function createTestClaim(key: string): Promise<Claim> {
    const { id } = await tenant.addKey({});
    const secretCipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };
    const fingerprint = computeSha256('the content of the request');
    return {
      organizationId: tenant.organizationId,
      apiKeyId: id,
      route: 'POST /x',
      keyHash: computeSha256(key),
      fingerprint,
      secretCipher,
    };
  }

  it('a request waits while another gateway processes an equal request with the same Idempotency-Key, and is refused after a timeout', async () => {
    const claim = await createTestClaim('k');
    const { db } = test.gateway;
    await db.transaction(async (holder) => {
      expect(await acquireIdempotencyClaim(holder, claim, now)).toBeUndefined();
      const waiting = db.transaction(async (tx) => acquireIdempotencyClaim(tx, claim, now, 20));
      await expect(waiting).rejects.toMatchObject({
        code: 'idempotency_key_in_use',
        headers: { 'Retry-After': '5' },
      });
    });
  });

  it('if a gateway crashes while it processes a request, an equal request that waits for this request is processed', async () => {
    const claim = await createTestClaim('k');
    const lost: Error[] = [];
    const crashing = openDatabase({
      url: test.databaseUrl,
      connections: 1,
      onConnectionLost: (error) => lost.push(error),
    });
    const { db } = test.gateway;
    const backendPid = Promise.withResolvers<number>();
    const end = Promise.withResolvers<undefined>();
    const holder = crashing.db.transaction(async (tx) => {
      await acquireIdempotencyClaim(tx, claim, now);
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      backendPid.resolve(rows[0]?.pid ?? 0);
      await end.promise;
    });
    const pid = await backendPid.promise;
    const waiting = db.transaction(async (tx) => acquireIdempotencyClaim(tx, claim, now));
    await expectEventually(async () => {
      const { rows } = await db.execute(sql`select 1 from pg_stat_activity where wait_event = 'transactionid'`);
      return rows.length;
    }).toBe(1);
    await db.execute(sql`select pg_terminate_backend(${pid})`);
    expect(await waiting).toBeUndefined();
    end.resolve(undefined);
    await expect(holder).rejects.toThrow();
    expect(lost[0]?.message).toContain('terminating connection');
    await crashing.close();
  });
});
