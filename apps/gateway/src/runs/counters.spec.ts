import { NO_COUNTERS, type DatasourceResponse, type RecordDocumentsRequest, type RunCounters } from '@quarry/contracts';
import {
  asyncProperty,
  array,
  constantFrom,
  integer,
  oneof,
  record as recordOf,
  assert,
  constant,
  option,
  type Arbitrary,
} from 'fast-check';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { runs, type RunRow } from '../database/tables/runs.js';
import { createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { recordDocumentOutcome, recordRunEnumeration } from './update/record-outcomes.js';
import { recordUpdateWithLock } from './update/record-update-with-lock.js';
import { openRunGateway } from './record/open-run-gateway.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'] as const;
const OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped'] as const;

/** Describes an event of a run. The tests apply events in random order, and some tests apply each event twice. */
type RandomEvent =
  | { readonly type: 'toIndex' | 'settled'; readonly keys: readonly string[] }
  | { readonly type: 'document'; readonly key: string; readonly outcome: (typeof OUTCOMES)[number] }
  | { readonly type: 'progress'; readonly sequence: number; readonly discovered: number; readonly fetched: number }
  | { readonly type: 'enumerated'; readonly discovered: number; readonly fetched: number };

const key = constantFrom(...KEYS);
const keys = array(key, { maxLength: 4 });
const numbers = { discovered: integer({ min: 0, max: 9 }), fetched: integer({ min: 0, max: 9 }) };
const arbitraryEvent: Arbitrary<RandomEvent> = oneof(
  recordOf({ type: constantFrom('toIndex' as const, 'settled' as const), keys }),
  recordOf({ type: constant('document' as const), key, outcome: constantFrom(...OUTCOMES) }),
  recordOf({ type: constant('progress' as const), sequence: integer({ min: 1, max: 50 }), ...numbers }),
  recordOf({ type: constant('enumerated' as const), ...numbers }),
);

const AT = '2026-06-01T12:00:00.000Z';
const used = setUpTenant();

type Settle = (documentKey: string, outcome: (typeof OUTCOMES)[number]) => Promise<unknown>;

async function findLatestRunId(datasourceId: string): Promise<string> {
  const shown = await used.tenant.api.get(`/api/datasources/${datasourceId}`);
  return (shown.body as DatasourceResponse).run?.id ?? '';
}

/**
 * Creates a datasource and starts a run.
 *
 * @param query query string of the sync of a listing; absent: a web site is crawled
 */
async function startRun(query?: string): Promise<{ readonly datasourceId: string; readonly runId: string }> {
  const { tenant, datastore, test } = used;
  if (query === undefined) {
    const datasourceId = await createSite(tenant.api, datastore);
    return { datasourceId, runId: await findLatestRunId(datasourceId) };
  }
  const body = { type: 'item_listing', name: 'Shop', config: { url: 'https://shop.example/items' } };
  const made = await tenant.api.post('/api/datasources').send({ datastoreId: datastore, ...body });
  const datasourceId = getStringField(made, 'id');
  const first = { datasourceId, runId: await findLatestRunId(datasourceId), at: AT, complete: true };
  await recordRunEnumeration(test.gateway.db, first, new Date());
  await tenant.api.post(`/api/datasources/${datasourceId}/sync${query}`);
  return { datasourceId, runId: await findLatestRunId(datasourceId) };
}

/**
 * Starts a run of a new datasource, applies the events to the run, and ends it. To end the run, reports that the
 * enumeration is complete, and records each document in `KEYS` as indexed.
 *
 * @param query query string of the sync of a listing; undefined: a web site is crawled
 * @param check called with the stored run after each event, and after the end
 * @returns the ended run
 */
async function applyEvents(events: readonly RandomEvent[], query: string | undefined, check: (run: RunRow) => void) {
  const { db } = used.test.gateway;
  const { datasourceId, runId } = await startRun(query);
  const ref = { datasourceId, runId, at: AT };
  const gateway = openRunGateway(used.test.gateway);
  const settleDocument: Settle = async (documentKey, outcome) =>
    recordDocumentOutcome(db, { ...ref, documentKey, outcome }, new Date());
  const recordFound = async (found: Pick<RecordDocumentsRequest, 'toIndex' | 'settled'>) =>
    gateway.recordDocuments({ ...ref, ...found });
  const applyEvent = async (one: RandomEvent): Promise<unknown> => {
    switch (one.type) {
      case 'toIndex':
        return recordFound({
          toIndex: one.keys.map((name) => ({ documentKey: name, name, blobKey: name, mimeType: 'text/html' })),
          settled: [],
        });
      case 'settled':
        return recordFound({
          toIndex: [],
          settled: one.keys.map((documentKey) => ({ documentKey, outcome: 'unchanged' })),
        });
      case 'document':
        return settleDocument(one.key, one.outcome);
      case 'progress': {
        const event = { type: 'progressed', runId, sequence: one.sequence } as const;
        const counters = { ...NO_COUNTERS, discovered: one.discovered, fetched: one.fetched };
        return recordUpdateWithLock(db, { datasourceId, event, at: new Date(AT), counters }, new Date());
      }
      case 'enumerated': {
        const { discovered, fetched } = one;
        return recordRunEnumeration(db, { ...ref, complete: true, discovered, fetched }, new Date());
      }
    }
  };
  const loadRun = async (): Promise<RunRow> => {
    const [run] = await db.select().from(runs).where(eq(runs.id, runId));
    if (run === undefined) throw new Error(`expected the run ${runId} to be stored`);
    check(run);
    return run;
  };
  for (const one of events) {
    await applyEvent(one);
    await loadRun();
  }
  await applyEvent({ type: 'enumerated', discovered: 0, fetched: 0 });
  for (const each of KEYS) await settleDocument(each, 'indexed');
  return loadRun();
}

function countOutcomes({ indexed, unchanged, failed, skipped }: RunCounters): number {
  return indexed + unchanged + failed + skipped;
}

function expectConsistentCounters({ counters, documentsSettled }: RunRow): void {
  expect(countOutcomes(counters)).toBe(documentsSettled);
  expect(counters.discovered).toBeGreaterThanOrEqual(documentsSettled);
  expect(counters.discovered).toBeGreaterThanOrEqual(counters.fetched);
}

it.each([
  ['a site', undefined],
  ['an incremental sync of a listing', ''],
  ['a full sync of a listing', '?full=true'],
])(
  'if run events arrive in any order and twice, the counters of %s stay consistent: outcomes never exceed discovered documents',
  async (_what, query) => {
    await assert(
      asyncProperty(array(arbitraryEvent, { maxLength: 12 }), async (events) => {
        const run = await applyEvents([...events, ...events], query, expectConsistentCounters);
        expect(run.endedAt).not.toBeNull();
        expect(run.counters.discovered).toBe(countOutcomes(run.counters));
        expect(run.documentsSettled).toBeGreaterThanOrEqual(run.documentsRecorded);
      }),
      { numRuns: 20 },
    );
  },
  120_000,
);

it('the counters of a dry run stay consistent, and contain no outcomes of documents', async () => {
  const reports = arbitraryEvent.filter(({ type }) => type === 'progress' || type === 'enumerated');
  await assert(
    asyncProperty(array(reports, { maxLength: 6 }), integer({ min: 0, max: 9 }), async (events, read) => {
      const all: readonly RandomEvent[] = [...events, { type: 'enumerated', discovered: read, fetched: read }];
      const run = await applyEvents(all, '?dryRun=true&full=true', expectConsistentCounters);
      expect(run.endedAt).not.toBeNull();
      expect(countOutcomes(run.counters)).toBe(0);
    }),
    { numRuns: 10 },
  );
}, 120_000);

/**
 * Generates an event of the job that indexes a file: the outcome `end`, or progress if `end` is undefined. The event
 * belongs to the job start with the number `start`.
 */
const report = recordOf({
  start: integer({ min: 1, max: 3 }),
  end: option(constantFrom('indexed' as const, 'unchanged' as const, 'failed' as const), { nil: undefined }),
});

it('the counters of a file count one document, whatever the number of job starts and the order of the events', async () => {
  const { db } = used.test.gateway;
  await assert(
    asyncProperty(array(report, { maxLength: 6 }), async (reports) => {
      const datasourceId = await uploadText(used.tenant.api, used.datastore, JSON.stringify(reports));
      const runId = await findLatestRunId(datasourceId);
      const all = [...reports, { start: 9, end: 'indexed' as const }];
      for (const { start, end } of all) {
        const sequence = start * 10_000 + (end === undefined ? 1 : 9_999);
        const counters = end === undefined ? { ...NO_COUNTERS, discovered: 1, fetched: 1 } : undefined;
        const event =
          end === undefined
            ? ({ type: 'progressed', runId, sequence } as const)
            : ({ type: 'ended', runId, sequence, ending: { kind: 'document', outcome: end } } as const);
        await recordUpdateWithLock(db, { datasourceId, event, at: new Date(AT), counters }, new Date());
      }
      const [run] = await db.select().from(runs).where(eq(runs.id, runId));
      if (run === undefined) throw new Error(`expected the run ${runId} to be stored`);
      expect(run.endedAt).not.toBeNull();
      expect([countOutcomes(run.counters), run.counters.discovered, run.counters.fetched]).toEqual([1, 1, 1]);
    }),
    { numRuns: 20 },
  );
}, 120_000);
