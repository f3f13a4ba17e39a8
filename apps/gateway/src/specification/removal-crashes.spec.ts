import { ingestionQueue } from '@quarry/contracts';
import { eq, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { agentDatastores, agents } from '../database/tables/agents.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { conversations, messages } from '../database/tables/conversations.js';
import { datasources } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { documents } from '../database/tables/documents.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { runs } from '../database/tables/runs.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { eventually } from '../testing/eventually.js';
import { jobsOf } from '../testing/jobs.js';
import { textOf, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { claimTokens } from '../usage/claim-tokens.js';

const used = useTenant();

/** Something that is removed with everything that hangs on it. */
interface Removal {
  /** @returns the path of what is to be removed */
  readonly make: () => Promise<string>;
  /** Where the removal is held up, half done. */
  readonly heldAt: PgTable;
  /** All tables with rows that go. */
  readonly gone: readonly PgTable[];
}

const talk = async (): Promise<string> =>
  textOf(await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q' }), 'conversationId');

async function fill(): Promise<string> {
  const { test, tenant, datastore } = used;
  const datasourceId = await uploadText(tenant.api, datastore);
  const claim = { organizationId: tenant.organizationId, datasourceId, documentKey: 'notes.txt', tokens: 5 };
  expect(await claimTokens(test.gateway.db, claim)).toEqual({ granted: true });
  return datasourceId;
}

const REMOVALS: Readonly<Record<string, Removal>> = {
  'an agent': {
    make: async () => {
      await talk();
      return `agents/${used.agent}`;
    },
    heldAt: messages,
    gone: [agents, agentDatastores, conversations, messages],
  },
  'a conversation': {
    make: async () => `conversations/${await talk()}`,
    heldAt: messages,
    gone: [conversations, messages],
  },
  'a datastore': {
    make: async () => {
      await fill();
      return `datastores/${used.datastore}`;
    },
    heldAt: runs,
    gone: [datastores, agentDatastores, datasources, documents, runs, tokenReservations],
  },
  'a datasource': {
    make: async () => `datasources/${await fill()}`,
    heldAt: runs,
    gone: [datasources, documents, runs, tokenReservations],
  },
};

const ofTenant = (table: PgTable): SQL => sql`${table}.organization_id = ${used.tenant.organizationId}`;
const rowsIn = async (tables: readonly PgTable[]): Promise<readonly number[]> =>
  Promise.all(tables.map(async (table) => used.test.gateway.db.$count(table, ofTenant(table))));

/** Holds up what wants to remove rows of a table, ends its connection as a crash does, and lets go. */
async function crashAt(table: PgTable, remove: () => Promise<number>): Promise<number> {
  const { db } = used.test.gateway;
  const crashed = await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${table} where ${ofTenant(table)} for update`);
    const status = remove();
    await eventually(async () => (await tx.execute(END_WHO_WAITS)).rows.length).toBeGreaterThan(0);
    return { status: await status };
  });
  return crashed.status;
}

/** Ends whoever waits for this transaction, and nobody who waits for a moment for something else. */
const END_WHO_WAITS = sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))`;

describe.each(Object.entries(REMOVALS))('removing %s', (_name, { make, heldAt, gone }) => {
  it('leaves everything when the gateway or its database dies in between, and nothing when it is done again', async () => {
    const path = `/api/${await make()}`;
    const before = await rowsIn(gone);
    const remove = async (): Promise<number> => (await used.tenant.api.delete(path)).status;
    expect(await crashAt(heldAt, remove)).toBe(503);
    expect(await rowsIn(gone)).toEqual(before);
    expect((await used.tenant.api.get(path)).status).toBe(200);
    expect(await jobsOf(used.test, used.tenant.organizationId)).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining('remove') as string }),
    );
    expect(await remove()).toBe(204);
    expect((await used.tenant.api.get(path)).status).toBe(404);
    expect(await rowsIn(gone)).toEqual(gone.map(() => 0));
  });
});

describe('removing a datastore', () => {
  it('has its job written down with it: whoever looks next hands it on, once, however often a gateway dies', async () => {
    const { test, tenant, datastore } = used;
    await fill();
    expect((await tenant.api.delete(`/api/datastores/${datastore}`)).status).toBe(204);
    const removals = async (): Promise<number> =>
      (await jobsOf(test, tenant.organizationId)).filter(({ name }) => name === 'remove-datastore').length;
    const published = test.queues
      .added(ingestionQueue)
      .filter(({ payload }) => payload.organizationId === tenant.organizationId);
    expect(published).toEqual([]);
    expect([await removals(), await removals()]).toEqual([1, 1]);
  });
});

describe('revoking a key', () => {
  it('is one step, and what was answered to it stays encrypted until it expires', async () => {
    const { test, tenant } = used;
    const { id, key } = await tenant.addKey({});
    await test.api(key).post('/api/datastores').set('Idempotency-Key', 'once').send({ name: 'a' });
    expect((await tenant.api.delete(`/api/api-keys/${id}`)).status).toBe(204);
    expect((await test.api(key).get('/api/me')).status).toBe(401);
    const { db } = test.gateway;
    expect((await db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0]?.revokedAt).toBeInstanceOf(Date);
    const [kept] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.apiKeyId, id));
    expect(kept?.answer).not.toContain('"name"');
  });
});
