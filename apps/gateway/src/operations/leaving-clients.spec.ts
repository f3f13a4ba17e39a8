import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.js';
import { useTenant } from '../testing/use-tenant.js';

const used = useTenant();

/** Sends a query whose client leaves while the gateway waits for the table of what is asked. */
async function leaveDuringLookUp(path: string, table: 'agents' | 'datastores'): Promise<void> {
  const { test, tenant } = used;
  const leaving = new AbortController();
  await test.gateway.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`lock table quarry.${table} in access exclusive mode`));
    const response = fetch(new URL(path, test.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'Why?' }),
      signal: leaving.signal,
    });
    const isWaiting = sql`select count(*)::int as waiting from pg_locks where not granted and relation = ${`quarry.${table}`}::regclass`;
    await eventually(async () => (await tx.execute(isWaiting)).rows[0]?.['waiting']).toBe(1);
    leaving.abort();
    await expect(response).rejects.toThrow('aborted');
    // The connection's end reaches the gateway before what is sent after it.
    await test.api().get('/api/openapi.json');
  });
  await test.gateway.answers.settled();
}

describe('a client that leaves before the look-ups of its query end', () => {
  it('has no agent asked, and pays for none', async () => {
    const asked = used.test.query.questions.length;
    await leaveDuringLookUp(`/api/agents/${used.agent}/query`, 'agents');
    expect(used.test.query.questions).toHaveLength(asked);
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 0 } });
  });

  it('has nothing searched', async () => {
    const searched = used.test.query.searches.length;
    await leaveDuringLookUp(`/api/datastores/${used.datastore}/query`, 'datastores');
    // Its search would come before that of this one.
    await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'Who?' });
    expect(used.test.query.searches.slice(searched)).toMatchObject([{ query: 'Who?' }]);
  });
});
