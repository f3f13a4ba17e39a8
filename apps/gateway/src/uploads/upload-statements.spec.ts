import { silentLog } from '@quarry/queue/testing';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { insertDatastore } from '../datastores/datastore-repository.js';
import { handleStatusesChanged } from '../runs/update/run-events.js';
import { listDispatchedQueues } from '../outbox/dispatched-queues.js';
import { openDispatcher } from '../outbox/dispatcher.js';
import { openPostgresCounts } from '../rate-limit/request-counts.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { getStringField } from '../testing/create-resources.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { startTestGateway, type Tenant, TEST_SETTINGS, type TestGateway } from '../testing/start-test-gateway.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { enqueueDueDeliveries } from '../webhooks/deliverer.js';

/**
 * Maximum number of SQL statements of the gateway from the upload request to the status `synched`: see
 * docs/decisions/0078-statements-of-an-upload.md. The number includes the statements for the reports of a worker.
 */
const MAX_STATEMENTS = 17;
/** Maximum number of SQL statements of the gateway from the upload request to its response. */
const MAX_STATEMENTS_OF_REQUEST = 5;

let copy: TestDatabase;
let database: OpenDatabase;
let test: TestGateway;
let tenant: Tenant;
let datastore: string;
let recorder: StatementRecorder;

beforeAll(async () => {
  copy = await createTestDatabase();
  database = openDatabase({ url: copy.url, connections: 10, onConnectionLost: () => undefined });
  recorder = recordStatements(database.pool);
  const settings = { ...TEST_SETTINGS, requestsPerMinute: 600 };
  test = await startTestGateway({ database, settings, requestCounts: openPostgresCounts(database) });
  tenant = await test.createTenant();
  // The test writes the row of the datastore directly. A request could send further statements after its response,
  // which the test would count.
  datastore = (await insertDatastore(database.db, tenant.organizationId, { name: 'manuals' }, undefined)).id;
});
afterAll(async () => {
  await test.close();
  await database.close();
  await copy.drop();
});

/** Uploads a text file. @returns the id of its datasource */
async function uploadFile(name: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const upload = tenant.api.post(`/api/external/datastores/file-upload/${datastore}`).set(headers);
  return getStringField(await upload.attach('file', Buffer.from('text'), name), 'id');
}

/**
 * Uploads a file, and reports the start and the end of its run as a worker does.
 *
 * @returns the SQL statements of each step
 */
async function listStatements(
  ...[name, headers]: Parameters<typeof uploadFile>
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { gateway } = test;
  recorder.takeStatements();
  const datasourceId = await uploadFile(name, headers);
  await gateway.rateLimiter?.close();
  const request = recorder.takeStatements();

  await openDispatcher(gateway, listDispatchedQueues(test.queues)).dispatch();
  const dispatch = recorder.takeStatements();

  const { organizationId } = tenant;
  await claimTokens(gateway.db, { organizationId, datasourceId, documentKey: datasourceId, tokens: 10 });
  const claim = recorder.takeStatements();

  const [row] = await gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const ofRun = { datasourceId, runId: row?.runId ?? '', at: new Date().toISOString() };
  recorder.takeStatements();
  await handleStatusesChanged(gateway, [{ ...ofRun, sequence: 1, status: 'running' }], { log: silentLog });
  const start = recorder.takeStatements();

  const wakes: true[] = [];
  const deliveriesDue = { ...gateway.deliveriesDue, wake: () => wakes.push(true) };
  const indexed = { status: 'synched', outcome: 'indexed', fragments: 1, storedTokens: 10 } as const;
  await handleStatusesChanged({ ...gateway, deliveriesDue }, [{ ...ofRun, sequence: 2, ...indexed }], {
    log: silentLog,
  });
  const end = recorder.takeStatements();
  if (wakes.length > 0) await enqueueDueDeliveries(gateway);
  const deliveries = recorder.takeStatements();

  const [synched] = await gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
  expect(synched).toMatchObject({ status: 'synched', storedTokens: 10 });
  return { request, dispatch, claim, start, end, deliveries };
}

function formatStatements(steps: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(steps)
    .flatMap(([step, texts]) => [`${step}: ${texts.length}`, ...texts.map((text) => `    ${formatStatement(text)}`)])
    .join('\n');
}

const MAX_SHOWN = 160;

function formatStatement(text: string): string {
  const shown = text.replaceAll(/\s+/g, ' ').replaceAll('"', '').replaceAll('quarry.', '');
  return shown.replace(/^select .*? from (?!\()/, 'select … from ').slice(0, MAX_SHOWN);
}

it.each([
  ['without an Idempotency-Key', 'a.txt', {}],
  ['with an Idempotency-Key', 'b.txt', { 'Idempotency-Key': 'b' }],
])(
  'for an upload %s, the gateway sends at most 5 SQL statements before the response and at most 17 until the file is synched',
  async (_case, name, headers) => {
    const steps = await listStatements(name, headers);
    const list = formatStatements(steps);
    expect(steps['request']?.length, list).toBeLessThanOrEqual(MAX_STATEMENTS_OF_REQUEST);
    expect(Object.values(steps).flat().length, list).toBeLessThanOrEqual(MAX_STATEMENTS);
  },
);
