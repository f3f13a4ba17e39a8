import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { generateApiKey, migrateDatabase, openDatabase } from '@quarry/gateway';
import {
  BUSY_ORGANIZATION,
  exerciseApi,
  exerciseWorkers,
  type ExplainedStatement,
  explainStatements,
  fillDatabase,
  type FullScan,
  insertKey,
  listFullScans,
  startTestGateway,
} from '@quarry/gateway/testing';
import { SCOPES } from '@quarry/contracts';
import { type CountingFigures, measureQueryCounting, measureRemoval, type RemovalFigures } from './measure-removal.js';
import { measureDuration } from '../quarry/measure-duration.js';

/** Measurements of the gateway's SQL statements on a database that contains many datasources. */
export interface DatabaseFigures {
  readonly datasources: number;
  readonly fillSeconds: number;
  readonly statements: number;
  /** The slowest statements, slowest first. */
  readonly slowest: readonly Pick<ExplainedStatement, 'text' | 'milliseconds'>[];
  readonly fullScans: readonly FullScan[];
  readonly counting: CountingFigures;
  readonly removal: RemovalFigures;
}

/**
 * Maximum number of rows that a table scan may read without being reported. A batch of the gateway's watchdog reads
 * 1,000 rows, and a list operation of the API reads fewer.
 */
const MAX_ROWS = 1_000;
const SLOWEST = 10;
const MAX_ORGANIZATIONS = 1_000;

/**
 * Fills a database with `datasources` datasources, as many runs, and twice as many documents. Then measures the plan
 * and the time of each SQL statement of the gateway.
 */
export async function fillAndMeasureDatabase(datasources: number): Promise<DatabaseFigures> {
  const postgres = await startTestPostgres({ shared_buffers: '512MB', max_wal_size: '8GB' });
  try {
    const url = await postgres.createDatabase();
    await migrateDatabase(url);
    const sizes = {
      ...{ datasources, runs: datasources, documents: 2 * datasources, conversations: datasources / 10 },
      organizations: Math.min(MAX_ORGANIZATIONS, datasources / 100),
    };
    const filled = await measureDuration(async () => fillDatabase(url, sizes));
    const database = openDatabase({ url, connections: 10, onConnectionLost: () => undefined });
    const statements = explainStatements(database.pool);
    const test = await startTestGateway({ database });
    const key = generateApiKey();
    await insertKey(test.gateway.db, BUSY_ORGANIZATION, key, { name: 'bench', scopes: SCOPES });
    const gateway = { gateway: test.gateway, api: test.createApi(key) };
    await exerciseApi(gateway);
    await exerciseWorkers(gateway);
    await test.close();
    await database.close();
    const slowest = [...statements.values()].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
    const fullScans = listFullScans(statements.values(), MAX_ROWS);
    const counting = await measureQueryCounting(url);
    const removal = await measureRemoval(url);
    return {
      counting,
      removal,
      datasources,
      fillSeconds: filled.ms / 1_000,
      statements: statements.size,
      slowest,
      fullScans,
    };
  } finally {
    await postgres.stop();
  }
}
