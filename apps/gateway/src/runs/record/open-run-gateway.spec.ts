import {
  ingestionQueue,
  MAX_CHECKPOINT_BYTES,
  RUN_GATEWAY_PATHS,
  TryLater,
  type DatasourceResponse,
} from '@quarry/contracts';
import { createGatewayClient } from '@quarry/run-reporting';
import { describeRunGateway } from '@quarry/run-reporting/testing';
import { eq } from 'drizzle-orm';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../database/database.js';
import { documents } from '../../database/tables/documents.js';
import { runDocuments } from '../../database/tables/run-documents.js';
import { publishOutboxJobs } from '../../testing/jobs.js';
import { createSite } from '../../testing/create-resources.js';
import { startRunGatewayUnderTest } from '../../testing/run-gateway-under-test.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { recordDocumentOutcome, recordRunEnumeration } from '../update/record-outcomes.js';
import { openRunGateway } from './open-run-gateway.js';

describeRunGateway('the gateway in the same process', async () =>
  startRunGatewayUnderTest(({ gateway }) => openRunGateway(gateway)),
);

describeRunGateway('the gateway over HTTP', async () =>
  startRunGatewayUnderTest(({ url, context }) => createGatewayClient({ url, token: context.queryService.token }).runs),
);

const AT = '2026-06-01T12:00:00.000Z';
const used = setUpTenant();
let datasourceId: string;
let runId: string;

beforeEach(async () => {
  datasourceId = await createSite(used.tenant.api, used.datastore, {});
  runId = (await getDatasource()).run?.id ?? '';
});

const getDatabase = () => used.test.gateway.db;
const createRunGateway = () => openRunGateway(used.test.gateway);
const getDatasource = async () =>
  (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
const buildPageDocument = (documentKey: string, version?: string) => ({
  ...{ documentKey, name: `Page ${documentKey}`, blobKey: `pages/${documentKey}`, mimeType: 'text/html' },
  ...(version !== undefined && { version }),
});
const recordFoundDocuments = async (more: object) =>
  createRunGateway().recordDocuments({ datasourceId, runId, at: AT, toIndex: [], settled: [], ...more });
const settleDocument = async (documentKey: string, outcome: 'indexed' | 'failed' | 'skipped', more: object = {}) =>
  recordDocumentOutcome(getDatabase(), { datasourceId, runId, documentKey, outcome, at: AT, ...more }, new Date());
const reportEnumeration = async (more: object = {}) =>
  recordRunEnumeration(getDatabase(), { datasourceId, runId, at: AT, complete: true, ...more }, new Date());
const countDocumentsInProgress = async () => getDatabase().$count(runDocuments, eq(runDocuments.runId, runId));
const startSync = async () => {
  await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
  runId = (await getDatasource()).run?.id ?? '';
};

async function listOwnJobs() {
  await publishOutboxJobs(used.test);
  return used.test.queues
    .listAddedJobs(ingestionQueue)
    .flatMap((job) => (job.name === 'index-document' && job.payload.runId === runId ? [job.payload] : []));
}

describe('recording the documents of a run', () => {
  it('the job that indexes a recorded document contains the fields of the document, of its datasource and of its run', async () => {
    await recordFoundDocuments({
      toIndex: [
        {
          ...buildPageDocument('a', 'v1'),
          source: 'https://example.com/a',
          metadata: { x: 1 },
          blobPart: { start: 2, length: 5 },
        },
      ],
    });
    expect(await listOwnJobs()).toMatchObject([
      {
        ...{ organizationId: used.tenant.organizationId, datastoreId: used.datastore, datasourceId, runId },
        ...{ datasourceType: 'web_site', partOfRun: true, documentKey: 'a', name: 'Page a', blobKey: 'pages/a' },
        ...{ version: 'v1', source: 'https://example.com/a', metadata: { x: 1 }, blobPart: { start: 2, length: 5 } },
        generation: expect.any(Number) as unknown,
        splitting: expect.any(Object) as unknown,
      },
    ]);
  });

  it('a run ends when its enumeration has ended and none of its documents is in progress', async () => {
    await recordFoundDocuments({
      toIndex: [buildPageDocument('a'), buildPageDocument('b')],
      settled: [{ documentKey: 'c', outcome: 'failed', code: 'gone' }],
    });
    await settleDocument('a', 'indexed');
    await reportEnumeration({ discovered: 3, fetched: 3 });
    expect(await getDatasource()).toMatchObject({
      run: { progress: { done: 2, total: 3, unit: 'documents' }, counters: { indexed: 1, failed: 1 } },
    });
    await settleDocument('b', 'indexed');
    expect(await getDatasource()).toMatchObject({
      status: 'synched',
      failureReasons: [{ code: 'gone', count: 1 }],
      run: { counters: { discovered: 3, fetched: 3, indexed: 2, failed: 1 } },
    });
    expect(await countDocumentsInProgress()).toBe(0);
  });

  it('if a document is recorded after the enumeration has ended, the run does not end while this document is in progress', async () => {
    await recordFoundDocuments({ toIndex: [buildPageDocument('a')] });
    await reportEnumeration();
    await recordFoundDocuments({ toIndex: [buildPageDocument('b')] });
    await settleDocument('a', 'indexed');
    expect((await getDatasource()).status).toBe('pending');
    await settleDocument('b', 'indexed');
    expect((await getDatasource()).status).toBe('synched');
  });

  it('the outcome of a document that the run has not recorded does not end the run', async () => {
    await recordFoundDocuments({ toIndex: [buildPageDocument('a')] });
    await reportEnumeration();
    await settleDocument('stranger', 'indexed');
    expect((await getDatasource()).run?.endedAt).toBeNull();
  });

  it('when a run is cancelled or superseded, its list of documents in progress is deleted', async () => {
    await recordFoundDocuments({ toIndex: [buildPageDocument('a')] });
    const superseded = runId;
    await startSync();
    expect(await getDatabase().$count(runDocuments, eq(runDocuments.runId, superseded))).toBe(0);
    await recordFoundDocuments({ toIndex: [buildPageDocument('a')] });
    await used.tenant.api.post(`/api/datasources/${datasourceId}/cancel`);
    expect(await countDocumentsInProgress()).toBe(0);
  });

  it('an outcome of a document that is recorded twice counts once, and a document with the outcome `unchanged` keeps its fragments', async () => {
    await recordFoundDocuments({ toIndex: [buildPageDocument('a', 'v1'), buildPageDocument('b', 'v1')] });
    await settleDocument('a', 'indexed', { fragments: 3, storedTokens: 40 });
    await settleDocument('b', 'indexed');
    await reportEnumeration();
    await startSync();
    const batch = {
      settled: [
        { documentKey: 'a', outcome: 'unchanged' },
        { documentKey: 'b', outcome: 'skipped', code: 'noindex' },
      ],
    };
    await recordFoundDocuments(batch);
    await recordFoundDocuments(batch);
    expect((await getDatasource()).run).toMatchObject({ counters: { unchanged: 1, skipped: 1 } });
    const rows = await getDatabase().select().from(documents).where(eq(documents.datasourceId, datasourceId));
    expect(rows.find(({ documentKey }) => documentKey === 'a')).toMatchObject({
      ...{ runId, outcome: 'unchanged', name: null, fragments: 3, storedTokens: 40, version: 'v1' },
    });
  });

  it('after a run recorded a new version of a document, the document has no indexed version until the worker confirms the new version', async () => {
    const listVersions = async () => createRunGateway().readIndexedVersions({ datasourceId, documentKeys: ['a'] });
    await recordFoundDocuments({ toIndex: [buildPageDocument('a', 'v1')] });
    await settleDocument('a', 'indexed', { version: 'v1' });
    await reportEnumeration();
    expect(await listVersions()).toEqual(['v1']);
    await startSync();
    await recordFoundDocuments({ toIndex: [buildPageDocument('a', 'v2')] });
    // The worker may have stored v2 when the run is cancelled, so v1 must not count as indexed.
    await used.tenant.api.post(`/api/datasources/${datasourceId}/cancel`);
    expect(await listVersions()).toEqual([null]);
  });

  it('a document has no indexed version after its fragments were removed', async () => {
    await recordFoundDocuments({ toIndex: ['a', 'b', 'c', 'd'].map((key) => buildPageDocument(key, 'v1')) });
    for (const key of ['a', 'b', 'c', 'd']) await settleDocument(key, 'indexed', { fragments: 1 });
    await reportEnumeration();
    await startSync();
    await recordFoundDocuments({
      settled: [
        { documentKey: 'a', outcome: 'skipped', code: 'noindex' },
        ...['b', 'c', 'd'].map((documentKey) => ({ documentKey, outcome: 'unchanged' })),
      ],
    });
    await reportEnumeration();
    expect((await getDatasource()).run).toMatchObject({ counters: { removed: 1 } });
    expect(await createRunGateway().readIndexedVersions({ datasourceId, documentKeys: ['a', 'b'] })).toEqual([
      null,
      'v1',
    ]);
  });

  it('in the fields of a recorded document, U+FFFD replaces NUL, which PostgreSQL refuses', async () => {
    await recordFoundDocuments({
      toIndex: [{ ...buildPageDocument('a'), name: 'NUL \0 here' }],
      settled: [{ documentKey: 'b', outcome: 'failed', message: '\0' }],
    });
    expect(await listOwnJobs()).toMatchObject([{ name: 'NUL \uFFFD here' }]);
  });
});

describe('RunGateway', () => {
  it('the RunGateway refuses a request whose checkpoint exceeds the size limit, and stores no part of the request', async () => {
    const checkpoint = { text: 'x'.repeat(MAX_CHECKPOINT_BYTES) };
    await expect(recordFoundDocuments({ toIndex: [buildPageDocument('a')], checkpoint })).rejects.toThrow(
      /checkpoint must have at most 65536 bytes/,
    );
    expect(await countDocumentsInProgress()).toBe(0);
  });

  it('the RunGateway throws `TryLater` while the database is unavailable', async () => {
    const url = new URL(used.test.databaseUrl);
    url.port = '1';
    const unreachable = openDatabase({ url: url.href, connections: 1, onConnectionLost: () => undefined });
    const offline = openRunGateway({ ...used.test.gateway, db: unreachable.db });
    await expect(offline.readRunStates([{ datasourceId, runId }])).rejects.toThrow(TryLater);
    await unreachable.close();
  });

  it('the gateway refuses requests to the RunGateway without the internal token', async () => {
    for (const path of Object.values(RUN_GATEWAY_PATHS)) {
      expect((await request(used.test.url).post(path).send({})).status).toBe(401);
      const { token } = used.test.context.queryService;
      const authorized = request(used.test.url).post(path).set('Authorization', `Bearer ${token}`);
      expect((await authorized.send({})).status).toBe(400);
    }
  });
});
