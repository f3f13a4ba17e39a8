import { createClient } from '@quarry/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { copyDatabase, type TestDatabase } from '../testing/copy-database.js';
import { makeDatastore, makeSite } from '../testing/make.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const STREAMS = 20;

let copy: TestDatabase;
let databases: readonly [OpenDatabase, OpenDatabase];
let changing: TestGateway;
let watching: TestGateway;
let tenant: Tenant;
/** Records the statements of the gateway with the streams, not of the one that changes datasources. */
let recorder: StatementRecorder;

beforeAll(async () => {
  copy = await copyDatabase();
  const open = (): OpenDatabase => openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  databases = [open(), open()];
  recorder = recordStatements(databases[1].pool);
  changing = await startTestGateway({ database: databases[0] });
  watching = await startTestGateway({ database: databases[1] });
  tenant = await changing.tenant();
});
afterAll(async () => {
  await watching.close();
  await changing.close();
  for (const database of databases) await database.close();
  await copy.drop();
});

/** Opens streams of a datasource and renames it. @returns the statements until the last stream has the new name */
async function listStatements(streams: number): Promise<readonly string[]> {
  const id = await makeSite(tenant.api, await makeDatastore(tenant.api));
  const client = createClient({ baseUrl: `${watching.url}/api`, apiKey: tenant.key });
  const leaving = new AbortController();
  const names = Array.from({ length: streams }, () => [] as string[]);
  const watched = names.map(async (seen) => {
    for await (const event of client.watchDatasource(id, { signal: leaving.signal })) {
      if (event.type !== 'removed') seen.push(event.datasource.name);
    }
  });
  await expect.poll(() => names.every((seen) => seen.length === 1)).toBe(true);
  recorder.take();
  await tenant.api.patch(`/api/datasources/${id}`).send({ name: 'renamed' });
  await expect.poll(() => names.every((seen) => seen.at(-1) === 'renamed')).toBe(true);
  const statements = recorder.take();
  leaving.abort();
  await Promise.allSettled(watched);
  return statements;
}

it('a change costs as many statements for 20 streams as for one', async () => {
  const statements = await listStatements(1);
  expect(statements).not.toEqual([]);
  expect(await listStatements(STREAMS)).toEqual(statements);
});
