import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { createDatastore, createSite } from '../testing/create-resources.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const STREAMS = 20;

let copy: TestDatabase;
let databases: readonly OpenDatabase[];
let changing: TestGateway;
let watching: TestGateway;
let tenant: Tenant;
/** Two datasources that were created before the first stream opened, so that no stream receives their creation. */
let datasourceIds: readonly [string, string];
/** Records the SQL statements of the gateway that serves the event streams. Another gateway changes the datasources. */
let recorder: StatementRecorder;

beforeAll(async () => {
  copy = await createTestDatabase();
  const open = (): OpenDatabase => openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  const [first, second, third] = [open(), open(), open()];
  databases = [first, second, third];
  recorder = recordStatements(second.pool);
  const preparing = await startTestGateway({ database: third });
  tenant = await preparing.createTenant();
  const datastoreId = await createDatastore(tenant.api);
  datasourceIds = [await createSite(tenant.api, datastoreId), await createSite(tenant.api, datastoreId)];
  await preparing.close();
  changing = await startTestGateway({ database: first });
  watching = await startTestGateway({ database: second });
});
afterAll(async () => {
  await watching.close();
  await changing.close();
  for (const database of databases) await database.close();
  await copy.drop();
});

/**
 * Opens `streams` event streams of a datasource, and renames the datasource.
 *
 * @returns the SQL statements that read datasources until every stream has sent the new name
 */
async function listStatements(id: string, streams: number): Promise<readonly string[]> {
  const connectClient = ({ url }: TestGateway): QuarryClient =>
    createClient({ baseUrl: `${url}/api`, apiKey: tenant.key });
  const leaving = new AbortController();
  const names = Array.from({ length: streams }, () => [] as string[]);
  const watched = names.map(async (seen) => {
    for await (const event of connectClient(watching).watchDatasource(id, { signal: leaving.signal })) {
      if (event.type !== 'removed') seen.push(event.datasource.name);
    }
  });
  await expect.poll(() => names.every((seen) => seen.length === 1)).toBe(true);
  recorder.takeStatements();
  await connectClient(changing).updateDatasource(id, { name: 'renamed' });
  await expect.poll(() => names.every((seen) => seen.at(-1) === 'renamed')).toBe(true);
  const statements = recorder.takeStatements().filter((text) => text.includes('"datasources"'));
  leaving.abort();
  await Promise.allSettled(watched);
  return statements;
}

it('a gateway reads a change of a datasource with one SQL statement, whether one or 20 event streams of the datasource are open', async () => {
  const [one, other] = datasourceIds;
  const statements = await listStatements(one, 1);
  expect(statements).toHaveLength(1);
  expect(await listStatements(other, STREAMS)).toEqual(statements);
});
