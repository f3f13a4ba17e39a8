import type { DatasourceResponse, DocumentOutcome, DocumentSettled } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { Queries } from '../../database/database.js';
import { documents } from '../../database/tables/documents.js';
import { createSite } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { openRunGateway } from '../record/open-run-gateway.js';
import { createOutcomeRecorder, type OutcomeRecorder, recordRunEnumeration } from './record-outcomes.js';

const AT = '2026-06-01T12:00:00.000Z';
const KEYS = Array.from({ length: 12 }, (_, number) => `page ${number}`);
const used = setUpTenant();
let datasourceId: string;
let runId: string;
let transactions: number;
let recorder: OutcomeRecorder;

beforeEach(async () => {
  datasourceId = await createSite(used.tenant.api, used.datastore);
  runId = (await loadDatasource()).run?.id ?? '';
  transactions = 0;
  const { db, clock } = used.test.gateway;
  const counting: Pick<Queries, 'transaction'> = {
    transaction: async (...parameters) => {
      transactions += 1;
      return db.transaction(...parameters);
    },
  };
  recorder = createOutcomeRecorder({ db: Object.assign(Object.create(db) as Queries, counting), clock });
});

const loadDatasource = async (): Promise<DatasourceResponse> =>
  (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse; // as documented
const createOutcome = (
  documentKey: string,
  outcome: DocumentOutcome = 'indexed',
  more: object = {},
): DocumentSettled => ({
  ...{ datasourceId, runId, documentKey, outcome, at: AT, fragments: 2 },
  ...more,
});
const findDocuments = async (keys: readonly string[]): Promise<void> => {
  const toIndex = keys.map((key) => ({ documentKey: key, name: key, blobKey: key, mimeType: 'text/html' }));
  await openRunGateway(used.test.gateway).recordDocuments({ datasourceId, runId, at: AT, toIndex, settled: [] });
};
const endEnumeration = async (): Promise<void> => {
  const end = { datasourceId, runId, at: AT, complete: true };
  await recordRunEnumeration(used.test.gateway.db, end, new Date());
};

it('outcomes that arrive at the same time are recorded in one transaction, and the outcome of the last document ends the run', async () => {
  await findDocuments(KEYS);
  await endEnumeration();
  const recorded = await Promise.all(KEYS.map(async (key) => recorder.record(createOutcome(key))));
  expect(transactions).toBe(1);
  expect(new Set(recorded)).toEqual(new Set(['settled']));
  expect(await loadDatasource()).toMatchObject({
    status: 'synched',
    run: { counters: { indexed: 12 } },
  });
});

it('an outcome that is reported twice at the same time counts once', async () => {
  await findDocuments(['a', 'b']);
  const recorded = await Promise.all(
    ['a', 'a', 'b'].map(async (key) => recorder.record(createOutcome(key, key === 'b' ? 'failed' : 'indexed'))),
  );
  expect(recorded).toEqual(['under_way', 'already_recorded', 'under_way']);
  expect((await loadDatasource()).run?.counters).toMatchObject({ indexed: 1, failed: 1 });
});

it('if one of several simultaneous outcomes cannot be stored, the gateway stores the others', async () => {
  await findDocuments(KEYS);
  const isBroken = (key: string): boolean => key === 'page 3';
  const results = await Promise.allSettled(
    KEYS.map(async (key) => recorder.record(createOutcome(key, 'indexed', isBroken(key) ? { message: '\0' } : {}))),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  const rows = await used.test.gateway.db.select().from(documents).where(eq(documents.datasourceId, datasourceId));
  expect(rows).toHaveLength(KEYS.length - 1);
  expect((await loadDatasource()).run?.counters.indexed).toBe(KEYS.length - 1);
});

it('simultaneous outcomes of two runs are recorded in separate transactions, and the document of the superseded run is stored with the id of that run', async () => {
  const earlier = runId;
  await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
  runId = (await loadDatasource()).run?.id ?? '';
  await findDocuments(['new']);
  const outcomes = [createOutcome('new'), createOutcome('old', 'indexed', { runId: earlier })];
  expect(await Promise.all(outcomes.map(async (outcome) => recorder.record(outcome)))).toEqual([
    'under_way',
    'stale_run',
  ]);
  expect(transactions).toBe(2);
  const rows = await used.test.gateway.db.select().from(documents).where(eq(documents.datasourceId, datasourceId));
  expect(new Map(rows.map((row) => [row.documentKey, row.runId]))).toEqual(
    new Map([
      ['new', runId],
      ['old', earlier],
    ]),
  );
});
