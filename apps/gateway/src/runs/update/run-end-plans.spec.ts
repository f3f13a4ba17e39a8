import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../database/database.js';
import { createTestDatabase, type TestDatabase } from '../../testing/create-test-database.js';
import { explainStatements } from '../../testing/explain-statements.js';
import {
  endListingSync,
  type FilledListing,
  insertIndexedListing,
  type StartedSync,
  startListingSync,
} from '../../testing/insert-indexed-listing.js';
import { listFullScans } from '../../testing/list-full-scans.js';
import { startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';
import { openRunGateway } from '../record/open-run-gateway.js';

const DOCUMENTS = 3_000;
/** Maximum number of rows that a statement may read from a table that grows with the content of customers. */
const MAX_ROWS = 20;

let copy: TestDatabase;
let database: OpenDatabase;
let test: TestGateway;
let listing: FilledListing;
let smallListing: FilledListing;

beforeAll(async () => {
  copy = await createTestDatabase();
  database = openTestDatabase();
  test = await startTestGateway({ database });
  // Adds a larger listing, so that PostgreSQL uses an index instead of reading the whole table.
  await insertIndexedListing(database.pool, 2 * DOCUMENTS);
  listing = await insertIndexedListing(database.pool, DOCUMENTS);
  smallListing = await insertIndexedListing(database.pool, 10);
  await database.pool.query('vacuum (analyze)');
});
afterAll(async () => {
  await test.close();
  await database.close();
  await copy.drop();
});

function openTestDatabase(): OpenDatabase {
  return openDatabase({ url: copy.url, connections: 2, onConnectionLost: () => undefined });
}

/**
 * Runs `work` with a connection pool of its own, and explains the SQL statements of `work`.
 *
 * @returns the scans that read more than 20 rows of a table, the number of statements, and the number of blocks that
 *   all statements read
 */
async function explainWork(work: (gateway: Pick<TestGateway['gateway'], 'db' | 'clock'>) => Promise<unknown>) {
  const explained = openTestDatabase();
  const statements = explainStatements(explained.pool);
  await work({ db: explained.db, clock: () => new Date() });
  await explained.close();
  const blocks = [...statements.values()].reduce((sum, statement) => sum + statement.blocks, 0);
  return { statements: statements.size, scans: listFullScans(statements.values(), MAX_ROWS), blocks };
}

async function recordUnchanged(run: StartedSync, from: number, to: number): Promise<void> {
  const settled = Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ documentKey: `item:${from + at}`, outcome: 'unchanged' as const },
  }));
  await openRunGateway(test.gateway).recordDocuments({ ...run, at: new Date().toISOString(), toIndex: [], settled });
}

async function loadRun({ runId }: StartedSync): Promise<{ readonly known: number; readonly removed: number }> {
  const { rows } = await database.pool.query<{ known: number; removed: number }>(
    `select documents_known as known, (counters ->> 'removed')::int as removed from quarry.runs where id = $1`,
    [runId],
  );
  return rows[0] ?? { known: NaN, removed: NaN };
}

it('starting and ending an incremental sync reads no document rows if no document changed', async () => {
  let run: StartedSync | undefined;
  const start = await explainWork(async (gateway) => (run = await startListingSync(gateway, listing)));
  const end = await explainWork(async (gateway) => run && endListingSync(gateway, run));
  expect([start.scans, end.scans]).toEqual([[], []]);
  expect(end.statements).toBeGreaterThan(5);
  expect(run && (await loadRun(run))).toEqual({ known: DOCUMENTS, removed: 0 });
});

it('an incremental sync without changed documents reads at most 20 % more database blocks for a large listing than for a small one', async () => {
  const countBlocks = async (of: FilledListing): Promise<readonly number[]> => {
    let run: StartedSync | undefined;
    const start = await explainWork(async (gateway) => (run = await startListingSync(gateway, of)));
    const opened = await explainWork(
      async (gateway) => run && openRunGateway({ ...test.gateway, ...gateway }).openRun(run),
    );
    const end = await explainWork(async (gateway) => run && endListingSync(gateway, run));
    return [start.blocks, opened.blocks, end.blocks];
  };
  const small = await countBlocks(smallListing);
  const large = await countBlocks(listing);
  expect(Math.min(...small)).toBeGreaterThan(0);
  for (const [part, blocks] of large.entries()) expect(blocks).toBeLessThanOrEqual(1.2 * (small[part] ?? NaN));
});

it('ending an incremental sync reads only the rows of the documents that the run has settled', async () => {
  const run = await startListingSync(test.gateway, listing);
  await recordUnchanged(run, 1, 3);
  expect((await explainWork(async (gateway) => endListingSync(gateway, run))).scans).toEqual([]);
});

it('ending a full sync that found all documents reads no document rows', async () => {
  const run = await startListingSync(test.gateway, listing, 'full');
  for (let from = 1; from < DOCUMENTS; from += 1_000) await recordUnchanged(run, from, from + 999);
  expect((await explainWork(async (gateway) => endListingSync(gateway, run, true))).scans).toEqual([]);
});

it('ending a full sync reads only the rows of missing documents, and subtracts their tokens from the stored tokens of the datasource', async () => {
  const run = await startListingSync(test.gateway, listing, 'full');
  for (let from = 1; from < DOCUMENTS; from += 1_000) await recordUnchanged(run, from, from + 989);
  await database.pool.query('vacuum (analyze)');
  const { scans } = await explainWork(async (gateway) => endListingSync(gateway, run, true));
  // The outbox has few rows besides the 30 removals. PostgreSQL reads such a small table without an index.
  expect(scans.filter(({ table, rows }) => table !== 'outbox' && rows > 30)).toEqual([]);
  expect(await loadRun(run)).toEqual({ known: DOCUMENTS, removed: 30 });
  const { rows } = await database.pool.query(
    `select documents, stored_documents, fragments, stored_tokens, reserved_tokens from quarry.document_totals where datasource_id = $1`,
    [listing.datasourceId],
  );
  const totals = { documents: '2970', stored_documents: '2970', fragments: '5940' };
  expect(rows).toEqual([{ ...totals, stored_tokens: '891000', reserved_tokens: '891000' }]);
});
