import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

/** Sends a query, and disconnects its client while the gateway waits for a lock on `table`. */
async function disconnectDuringLookup(path: string, table: 'agents' | 'datastores'): Promise<void> {
  const { test, tenant } = used;
  const connection = new AbortController();
  await test.gateway.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`lock table quarry.${table} in access exclusive mode`));
    const response = fetch(new URL(path, test.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'Why?' }),
      signal: connection.signal,
    });
    const isWaiting = sql`select count(*)::int as waiting from pg_locks where not granted and relation = ${`quarry.${table}`}::regclass`;
    await expectEventually(async () => (await tx.execute(isWaiting)).rows[0]?.['waiting']).toBe(1);
    connection.abort();
    await expect(response).rejects.toThrow('aborted');
    // The gateway notices the end of the first connection before it receives this request.
    await test.createApi().get('/api/openapi.json');
  });
  await test.gateway.answers.waitUntilDone();
}

describe('a client that disconnects before the gateway has loaded the agent or datastore', () => {
  it('if a client disconnects before the gateway has loaded the agent, the gateway calls no model and does not count the query', async () => {
    const asked = used.test.query.questions.length;
    await disconnectDuringLookup(`/api/agents/${used.agent}/query`, 'agents');
    expect(used.test.query.questions).toHaveLength(asked);
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 0 } });
  });

  it('if a client disconnects before the gateway has loaded the datastore, the gateway runs no search', async () => {
    const searched = used.test.query.searches.length;
    await disconnectDuringLookup(`/api/datastores/${used.datastore}/query`, 'datastores');
    // If the gateway had searched for the first client, its search would precede the search of this request.
    await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'Who?' });
    expect(used.test.query.searches.slice(searched)).toMatchObject([{ query: 'Who?' }]);
  });
});
