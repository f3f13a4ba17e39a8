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
import { expectEventually } from '../testing/expect-eventually.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { getStringField, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { runWatchdog } from '../watchdog/watchdog.js';

const used = setUpTenant();

/** Describes the deletion of a resource and of the rows that depend on it. */
interface Removal {
  /** Creates a resource. @returns its path below `/api` */
  readonly createResource: () => Promise<string>;
  /** The table whose locked rows block the deletion halfway. */
  readonly blockedAt: PgTable;
  /** All tables from which the deletion removes rows. */
  readonly emptied: readonly PgTable[];
}

const startConversation = async (): Promise<string> =>
  getStringField(await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q' }), 'conversationId');

async function createContent(): Promise<string> {
  const { test, tenant, datastore } = used;
  const datasourceId = await uploadText(tenant.api, datastore);
  const claim = { organizationId: tenant.organizationId, datasourceId, documentKey: 'notes.txt', tokens: 5 };
  expect(await claimTokens(test.gateway.db, claim)).toEqual({ granted: true });
  return datasourceId;
}

const REMOVALS: Readonly<Record<string, Removal>> = {
  'an agent': {
    createResource: async () => {
      await startConversation();
      return `agents/${used.agent}`;
    },
    blockedAt: messages,
    emptied: [agents, agentDatastores, conversations, messages],
  },
  'a conversation': {
    createResource: async () => `conversations/${await startConversation()}`,
    blockedAt: messages,
    emptied: [conversations, messages],
  },
  'a datastore': {
    createResource: async () => {
      await createContent();
      return `datastores/${used.datastore}`;
    },
    blockedAt: datastores,
    emptied: [datastores, agentDatastores, datasources, documents, runs, tokenReservations],
  },
  'a datasource': {
    createResource: async () => `datasources/${await createContent()}`,
    blockedAt: runs,
    emptied: [datasources, documents, runs, tokenReservations],
  },
};

const buildTenantCondition = (table: PgTable): SQL => sql`${table}.organization_id = ${used.tenant.organizationId}`;
const countRows = async (tables: readonly PgTable[]): Promise<readonly number[]> =>
  Promise.all(tables.map(async (table) => used.test.gateway.db.$count(table, buildTenantCondition(table))));

/**
 * Calls `remove` while the rows of a table are locked, so that the deletion blocks. Then terminates the database
 * connection of the deletion.
 *
 * @returns the HTTP status of the deletion
 */
async function crashAtTable(table: PgTable, remove: () => Promise<number>): Promise<number> {
  const { db } = used.test.gateway;
  const crashed = await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${table} where ${buildTenantCondition(table)} for update`);
    const status = remove();
    await expectEventually(async () => (await tx.execute(TERMINATE_WAITING_CONNECTIONS)).rows.length).toBeGreaterThan(
      0,
    );
    return { status: await status };
  });
  return crashed.status;
}

/** SQL statement that terminates exactly the database connections that wait for a lock of the current transaction. */
const TERMINATE_WAITING_CONNECTIONS = sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))`;

describe.each(Object.entries(REMOVALS))('removing %s', (_name, { createResource, blockedAt, emptied }) => {
  it('if the database connection breaks during a deletion, the deletion changes nothing, and a repeated deletion succeeds', async () => {
    const path = `/api/${await createResource()}`;
    const before = await countRows(emptied);
    const removeResource = async (): Promise<number> => (await used.tenant.api.delete(path)).status;
    expect(await crashAtTable(blockedAt, removeResource)).toBe(503);
    expect(await countRows(emptied)).toEqual(before);
    expect((await used.tenant.api.get(path)).status).toBe(200);
    expect(await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining('remove') as string }),
    );
    expect(await removeResource()).toBe(204);
    expect((await used.tenant.api.get(path)).status).toBe(404);
    expect(await countRows(emptied)).toEqual(emptied.map(() => 0));
  });
});

describe('removing a datastore', () => {
  it('if the database connection breaks while a datastore is deleted, the deletion succeeds, and the watchdog removes the remaining rows', async () => {
    await createContent();
    const path = `/api/datastores/${used.datastore}`;
    expect(await crashAtTable(runs, async () => (await used.tenant.api.delete(path)).status)).toBe(204);
    expect((await used.tenant.api.get(path)).status).toBe(404);
    expect(await countRows([datasources, runs])).toEqual([1, 1]);
    await runWatchdog(used.test.gateway);
    expect(await countRows([datastores, datasources, runs, tokenReservations])).toEqual([0, 0, 0, 0]);
  });

  it('deleting a datastore writes its removal job to the outbox, and the job is published exactly once', async () => {
    const { test, tenant, datastore } = used;
    await createContent();
    expect((await tenant.api.delete(`/api/datastores/${datastore}`)).status).toBe(204);
    const countRemovalJobs = async (): Promise<number> =>
      (await publishAndListIngestionJobs(test, tenant.organizationId)).filter(({ name }) => name === 'remove-datastore')
        .length;
    const published = test.queues
      .listAddedJobs(ingestionQueue)
      .filter(({ payload }) => payload.organizationId === tenant.organizationId);
    expect(published).toEqual([]);
    expect([await countRemovalJobs(), await countRemovalJobs()]).toEqual([1, 1]);
  });
});

describe('revoking an API key', () => {
  it('a revoked API key is refused immediately, and the responses that are stored for its Idempotency-Keys stay encrypted', async () => {
    const { test, tenant } = used;
    const { id, key } = await tenant.addKey({});
    await test.createApi(key).post('/api/datastores').set('Idempotency-Key', 'once').send({ name: 'a' });
    expect((await tenant.api.delete(`/api/api-keys/${id}`)).status).toBe(204);
    expect((await test.createApi(key).get('/api/me')).status).toBe(401);
    const { db } = test.gateway;
    expect((await db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0]?.revokedAt).toBeInstanceOf(Date);
    const [stored] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.apiKeyId, id));
    expect(stored?.answer).not.toContain('"name"');
  });
});
