import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateApiKey, insertKey } from '../keys/key-repository.js';
import { SCOPES } from '@quarry/contracts';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { exerciseApi, exerciseWorkers } from '../testing/exercise-gateway.js';
import { explainStatements, type ExplainedStatement } from '../testing/explain-statements.js';
import { BUSY_ORGANIZATION, fillDatabase } from '../testing/fill-database.js';
import { listFullScans } from '../testing/list-full-scans.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { openDatabase, type OpenDatabase } from './database.js';

/**
 * Maximum number of rows of a table that a statement may read. It equals the number of rows that bulk work, such as the
 * removal of expired rows, processes at a time.
 */
const MAX_ROWS = 1_000;
const SIZES = { organizations: 20, datasources: 10_000, runs: 15_000, documents: 20_000, conversations: 5_000 };

let copy: TestDatabase;
let database: OpenDatabase;
let test: TestGateway;
let statements: ReadonlyMap<string, ExplainedStatement>;

beforeAll(async () => {
  copy = await createTestDatabase();
  await fillDatabase(copy.url, SIZES);
  database = openDatabase({ url: copy.url, connections: 10, onConnectionLost: () => undefined });
  statements = explainStatements(database.pool);
  test = await startTestGateway({ database });
}, 120_000);
afterAll(async () => {
  await test.close();
  await database.close();
  await copy.drop();
});

it('no statement of the API, the scheduler or the watchdog scans all rows of a growing table', async () => {
  const key = generateApiKey();
  await insertKey(test.gateway.db, BUSY_ORGANIZATION, key, { name: 'test', scopes: SCOPES });
  const filled = { gateway: test.gateway, api: test.createApi(key) };
  await exerciseApi(filled);
  await exerciseWorkers(filled);
  expect(statements.size).toBeGreaterThan(80);
  expect(listFullScans(statements.values(), MAX_ROWS)).toEqual([]);
}, 120_000);

it('each foreign key has an index that begins with its id column, so that a cascading deletion reads only the rows that it deletes', async () => {
  // The id is the last column of each foreign key. The id of the organization may precede it, also in the index.
  const { rows } = await database.pool.query<{ readonly name: string }>(`
    select con.conrelid::regclass || '.' || con.conname as name from pg_constraint con
    where con.contype = 'f' and con.connamespace = 'quarry'::regnamespace and not exists (
      select 1 from pg_index idx, generate_series(0, cardinality(con.conkey) - 1) last
      where idx.indrelid = con.conrelid and idx.indpred is null
        and (idx.indkey::int2[])[0:last] <@ con.conkey
        and con.conkey[cardinality(con.conkey)] = any((idx.indkey::int2[])[0:last]))`);
  expect(rows).toEqual([]);
});
