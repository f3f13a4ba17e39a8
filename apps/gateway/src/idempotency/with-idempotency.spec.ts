import { randomUUID } from 'node:crypto';
import { like, sql } from 'drizzle-orm';
import type { Response, Test } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { listBlobs } from '../testing/blobs.js';
import { eventually } from '../testing/eventually.js';
import { makeDatastore, textOf } from '../testing/make.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import type { Claim } from './claim.js';
import { sha256 } from './fingerprint.js';
import { takeClaim } from './keep-response.js';

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
  tenant = await test.tenant();
  datastore = await makeDatastore(tenant.api);
});

interface Making {
  /** @param variant another one asks for something else */
  readonly ask: (api: Api, variant?: string) => Test;
  /** How many there are, of those that are made. */
  readonly count: () => Promise<number>;
}

const upload = (request: Test, text: string): Test => request.attach('file', Buffer.from(text), 'a.txt');
const blobs = (): number => listBlobs(test, tenant.organizationId).length;
const listed = (path: string) => async (): Promise<number> => {
  const { items } = (await tenant.api.get(`/api/${path}`)).body as { items: unknown[] }; // as documented
  return items.length;
};
const MAKINGS: Readonly<Record<string, Making>> = {
  'POST /datastores': {
    ask: (api, name = 'a') => api.post('/api/datastores').send({ name }),
    count: async () => (await listed('datastores')()) - 1,
  },
  'POST /agents': {
    ask: (api, name = 'a') => api.post('/api/agents').send({ name, datastoreIds: [datastore] }),
    count: listed('agents'),
  },
  'POST /api-keys': {
    ask: (api, name = 'a') => api.post('/api/api-keys').send({ name, scopes: ['query'] }),
    count: async () => (await listed('api-keys')()) - 1,
  },
  'POST /webhooks': {
    ask: (api, name = 'a') => api.post('/api/webhooks').send({ url: `https://example.org/${name}` }),
    count: listed('webhooks'),
  },
  'POST /organizations': {
    ask: (api, name = 'a') => api.post('/api/organizations').send({ name: `${name} of ${tenant.organizationId}` }),
    count: async () => test.gateway.db.$count(organizations, like(organizations.name, `%of ${tenant.organizationId}`)),
  },
  'POST /datasources with JSON': {
    ask: (api, name = 'a') =>
      api.post('/api/datasources').send({
        type: 'web_site',
        datastoreId: datastore,
        name,
        config: { source_url: 'https://example.org' },
      }),
    count: listed('datasources'),
  },
  'POST /datasources with a file': {
    ask: (api, text = 'a') =>
      upload(api.post('/api/datasources').field('type', 'file').field('datastoreId', datastore), text),
    count: async () => runsOf(),
  },
  'POST /external/datastores/file-upload/{datastoreId}': {
    ask: (api, text = 'a') => upload(api.post(`/api/external/datastores/file-upload/${datastore}`), text),
    count: async () => runsOf(),
  },
  'POST /datastores/upsert/{datastoreId}': {
    ask: (api, text = 'a') =>
      api.post(`/api/datastores/upsert/${datastore}`).send({ documents: [{ text, name: 'one' }] }),
    count: async () => runsOf(),
  },
};

/** The same document again is the same datasource: what tells is its runs. */
async function runsOf(): Promise<number> {
  const { rows } = await test.gateway.db.execute<{ count: number }>(
    sql`select count(*)::int as count from quarry.runs where organization_id = ${tenant.organizationId}`,
  );
  return rows[0]?.count ?? 0;
}

const shown = ({ status, text, headers }: Response): unknown => [
  status,
  text,
  headers['content-type'],
  headers['location'],
];

describe.each(Object.entries(MAKINGS))('%s', (_name, { ask, count }) => {
  it('answers the same request with the same key as the first time, and makes nothing more', async () => {
    const key = randomUUID();
    const first = await ask(tenant.api).set('Idempotency-Key', key);
    expect([200, 201]).toContain(first.status);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const kept = blobs();
    const again = await ask(tenant.api).set('Idempotency-Key', key);
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await count()).toBe(1);
    await eventually(blobs).toBe(kept);
  });

  it('refuses the key for another request, and keeps nothing of it', async () => {
    const key = randomUUID();
    await ask(tenant.api).set('Idempotency-Key', key);
    const kept = blobs();
    const other = await ask(tenant.api, 'b').set('Idempotency-Key', key);
    expect([other.status, other.body]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
    expect([await count(), blobs()]).toEqual([1, kept]);
  });

  it('makes one, and answers alike, when equal requests come at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => ask(tenant.api).set('Idempotency-Key', key)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(shown(answer)))).size).toBe(1);
    expect([200, 201]).toContain(answers[0]?.status);
    expect(await count()).toBe(1);
  });

  it('makes another one for another key, and for none', async () => {
    await ask(tenant.api).set('Idempotency-Key', randomUUID());
    await ask(tenant.api).set('Idempotency-Key', randomUUID());
    await ask(tenant.api);
    expect(await count()).toBe(3);
  });

  it('makes nothing without its answer: what fails in between is made by the next request', async () => {
    const { db } = test.gateway;
    await db.execute(sql`create function quarry.fail() returns trigger language plpgsql as
      $$ begin raise exception 'the gateway dies here'; end $$`);
    await db.execute(sql`create trigger dies before update on quarry.idempotency_keys execute function quarry.fail()`);
    const key = randomUUID();
    const failed = await ask(tenant.api).set('Idempotency-Key', key);
    await db.execute(sql`drop function quarry.fail cascade`);
    expect(failed.status).toBe(500);
    expect([await count(), blobs()]).toEqual([0, 0]);
    expect([200, 201]).toContain((await ask(tenant.api).set('Idempotency-Key', key)).status);
    expect(await count()).toBe(1);
  });
});

describe('an Idempotency-Key', () => {
  const make = (api: Api, key: string, name = 'a') =>
    api.post('/api/datastores').set('Idempotency-Key', key).send({ name });

  it('belongs to one API key: others may use the same', async () => {
    const key = randomUUID();
    const mine = textOf(await make(tenant.api, key), 'id');
    const colleague = test.api((await tenant.addKey({})).key);
    expect(textOf(await make(colleague, key), 'id')).not.toBe(mine);
    expect(textOf(await make((await test.tenant()).api, key, 'b'), 'id')).not.toBe(mine);
  });

  it('belongs to one route', async () => {
    const key = randomUUID();
    await make(tenant.api, key);
    const agent = await tenant.api
      .post('/api/agents')
      .set('Idempotency-Key', key)
      .send({ name: 'a', datastoreIds: [] });
    expect(agent.status).toBe(201);
  });

  it('belongs to one place: the same documents into another datastore are another request', async () => {
    const upsert = (id: string) =>
      tenant.api
        .post(`/api/datastores/upsert/${id}`)
        .set('Idempotency-Key', 'k')
        .send({ documents: [{ text: 'a', name: 'n' }] });
    await upsert(datastore);
    expect((await upsert(await makeDatastore(tenant.api))).status).toBe(409);
  });

  it('takes a body whose fields come in another order for the same', async () => {
    const send = (body: string) =>
      tenant.api.post('/api/datastores').set('Idempotency-Key', 'k').type('application/json').send(body);
    const first = await send('{"name":"a","description":"b"}');
    expect((await send('{ "description": "b", "name": "a" }')).text).toBe(first.text);
  });

  it('is free again after a refusal: nothing was made', async () => {
    const key = randomUUID();
    expect((await tenant.api.post('/api/datastores').set('Idempotency-Key', key).send({})).status).toBe(400);
    expect((await make(tenant.api, key)).status).toBe(201);
  });

  it('is kept for 24 hours, and then forgotten', async () => {
    const key = randomUUID();
    const first = textOf(await make(tenant.api, key), 'id');
    now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    await runWatchdog(test.gateway);
    expect(textOf(await make(tenant.api, key), 'id')).toBe(first);
    now = new Date(now.getTime() + 1);
    expect(textOf(await make(tenant.api, key, 'b'), 'id')).not.toBe(first);
    now = new Date(now.getTime() + 24 * HOUR_MS);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(idempotencyKeys)).toBe(0);
  });

  it('is free after 24 hours also where the answer is looked up before the work begins', async () => {
    const upsert = (text: string) =>
      tenant.api
        .post(`/api/datastores/upsert/${datastore}`)
        .set('Idempotency-Key', 'k')
        .send({ documents: [{ text, name: 'one' }] });
    await upsert('a');
    now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    expect((await upsert('b')).status).toBe(409);
    now = new Date(now.getTime() + 1);
    const fresh = await upsert('b');
    expect([fresh.status, fresh.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('keeps nothing that can be read without the API key', async () => {
    const key = randomUUID();
    await make(tenant.api, key, 'a telling name');
    const kept = JSON.stringify(await test.gateway.db.select().from(idempotencyKeys));
    expect(kept).not.toContain('telling');
    expect(kept).not.toContain(key);
  });

  it.each([
    ['x'.repeat(256), '256 characters'],
    ['with a blank', '12 characters'],
    ['', '0 characters'],
  ])('cannot be %j', async (key, found) => {
    const response = await make(tenant.api, key);
    expect([response.status, response.body]).toMatchObject([
      400,
      { code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] },
    ]);
    expect(response.text).toContain(found);
  });

  it('may have 255 characters', async () => {
    expect((await make(tenant.api, '~'.repeat(255))).status).toBe(201);
  });
});

describe('while another gateway carries the request out', () => {
  async function claimOf(key: string): Promise<Claim> {
    const { id } = await tenant.addKey({});
    const secretCipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };
    const fingerprint = sha256('what is asked');
    return {
      organizationId: tenant.organizationId,
      apiKeyId: id,
      route: 'POST /x',
      keyHash: sha256(key),
      fingerprint,
      secretCipher,
    };
  }

  it('is patient, but not for ever', async () => {
    const claim = await claimOf('k');
    const { db } = test.gateway;
    await db.transaction(async (holder) => {
      expect(await takeClaim(holder, claim, now)).toBeUndefined();
      const impatient = db.transaction(async (tx) => takeClaim(tx, claim, now, 20));
      await expect(impatient).rejects.toMatchObject({
        code: 'idempotency_key_in_use',
        headers: { 'Retry-After': '5' },
      });
    });
  });

  it('takes over at once when that gateway dies', async () => {
    const claim = await claimOf('k');
    const lost: Error[] = [];
    const dying = openDatabase({
      url: test.databaseUrl,
      connections: 1,
      onConnectionLost: (error) => lost.push(error),
    });
    const { db } = test.gateway;
    const taken = Promise.withResolvers<number>();
    const end = Promise.withResolvers<undefined>();
    const holder = dying.db.transaction(async (tx) => {
      await takeClaim(tx, claim, now);
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      taken.resolve(rows[0]?.pid ?? 0);
      await end.promise;
    });
    const pid = await taken.promise;
    const waiting = db.transaction(async (tx) => takeClaim(tx, claim, now));
    await eventually(async () => {
      const { rows } = await db.execute(sql`select 1 from pg_stat_activity where wait_event = 'transactionid'`);
      return rows.length;
    }).toBe(1);
    await db.execute(sql`select pg_terminate_backend(${pid})`);
    expect(await waiting).toBeUndefined();
    end.resolve(undefined);
    await expect(holder).rejects.toThrow();
    expect(lost[0]?.message).toContain('terminating connection');
    await dying.close();
  });
});
