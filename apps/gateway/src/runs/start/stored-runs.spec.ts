import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../database/database.js';
import { createTestDatabase } from '../../testing/create-test-database.js';
import { explainStatements } from '../../testing/explain-statements.js';
import { insertIndexedListing, startListingSync } from '../../testing/insert-indexed-listing.js';
import { MAX_STORED_RUNS } from './delete-old-runs.js';

it('starting a sync reads fewer than ten rows of the table `runs` per stored run of the datasource, and deletes the oldest run', async () => {
  const copy = await createTestDatabase();
  const database = openDatabase({ url: copy.url, connections: 1, onConnectionLost: () => undefined });
  onTestFinished(async () => {
    await database.close();
    await copy.drop();
  });
  const statements = explainStatements(database.pool);
  const listing = await insertIndexedListing(database.pool, 10);
  await database.pool.query(
    `insert into quarry.runs (id, organization_id, datasource_id, status, sequence, mode, counters, failure_reasons, timeline, ended_at)
     select gen_random_uuid(), $1, $2, 'synched', 2, 'incremental', '{}', '[]', '[]', now() from generate_series(1, $3::int)`,
    [listing.organizationId, listing.datasourceId, MAX_STORED_RUNS],
  );
  await database.pool.query('vacuum (analyze)');
  await startListingSync({ db: database.db, clock: () => new Date() }, listing);
  const scans = [...statements.values()].flatMap((statement) => statement.scans);
  const rowsRead = scans.filter(({ table }) => table === 'runs').reduce((sum, { rows }) => sum + rows, 0);
  expect(rowsRead).toBeGreaterThan(MAX_STORED_RUNS);
  expect(rowsRead).toBeLessThan(10 * MAX_STORED_RUNS);
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from quarry.runs where datasource_id = $1',
    [listing.datasourceId],
  );
  expect(rows).toEqual([{ count: MAX_STORED_RUNS }]);
});
