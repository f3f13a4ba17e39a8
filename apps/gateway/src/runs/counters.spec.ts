import { NO_COUNTERS, type DatasourceResponse, type RunCounters } from '@quarry/contracts';
import {
  asyncProperty,
  array,
  constantFrom,
  integer,
  oneof,
  record as recordOf,
  assert,
  constant,
  type Arbitrary,
} from 'fast-check';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { runs } from '../database/tables/runs.js';
import { makeSite } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { recordDocument, recordEnumeration } from './record-document.js';
import { recordEvent } from './record-events.js';
import { openRunGateway } from './run-gateway.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'] as const;
const OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped'] as const;

/** What happens to a run, in any order and any number of times. */
type Happening =
  | { readonly type: 'toIndex' | 'settled'; readonly keys: readonly string[] }
  | { readonly type: 'document'; readonly key: string; readonly outcome: (typeof OUTCOMES)[number] }
  | { readonly type: 'progress'; readonly sequence: number; readonly discovered: number; readonly fetched: number }
  | { readonly type: 'enumerated'; readonly discovered: number; readonly fetched: number };

const key = constantFrom(...KEYS);
const keys = array(key, { maxLength: 4 });
const numbers = { discovered: integer({ min: 0, max: 9 }), fetched: integer({ min: 0, max: 9 }) };
const happening: Arbitrary<Happening> = oneof(
  recordOf({ type: constantFrom('toIndex' as const, 'settled' as const), keys }),
  recordOf({ type: constant('document' as const), key, outcome: constantFrom(...OUTCOMES) }),
  recordOf({ type: constant('progress' as const), sequence: integer({ min: 1, max: 50 }), ...numbers }),
  recordOf({ type: constant('enumerated' as const), ...numbers }),
);

const AT = '2026-06-01T12:00:00.000Z';
const used = useTenant();

/** Applies to a new run what happens, and then lets it end: everything is found, and every document settles. */
async function runOf(happenings: readonly Happening[], check: (counters: RunCounters, settled: number) => void) {
  const { db } = used.test.gateway;
  const datasourceId = await makeSite(used.tenant.api, used.datastore);
  const show = async () => (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
  const runId = (await show()).run?.id ?? '';
  const ref = { datasourceId, runId, at: AT };
  const gateway = openRunGateway(used.test.gateway);
  const settle = async (documentKey: string, outcome: (typeof OUTCOMES)[number]) =>
    recordDocument(db, { ...ref, documentKey, outcome }, new Date());
  const apply = async (one: Happening): Promise<unknown> => {
    switch (one.type) {
      case 'toIndex': {
        const toIndex = one.keys.map((name) => ({ documentKey: name, name, blobKey: name, mimeType: 'text/html' }));
        return gateway.recordDocuments({ ...ref, toIndex, settled: [] });
      }
      case 'settled': {
        const settled = one.keys.map((documentKey) => ({ documentKey, outcome: 'unchanged' as const }));
        return gateway.recordDocuments({ ...ref, toIndex: [], settled });
      }
      case 'document':
        return settle(one.key, one.outcome);
      case 'progress': {
        const event = { type: 'progressed', runId, sequence: one.sequence } as const;
        const counters = { ...NO_COUNTERS, discovered: one.discovered, fetched: one.fetched };
        return recordEvent(db, { datasourceId, event, at: new Date(AT), counters }, new Date());
      }
      case 'enumerated': {
        const { discovered, fetched } = one;
        return recordEnumeration(db, { ...ref, complete: true, discovered, fetched }, new Date());
      }
    }
  };
  const look = async () => {
    const [run] = await db.select().from(runs).where(eq(runs.id, runId));
    if (run === undefined) throw new Error(`expected the run ${runId} to be stored`);
    check(run.counters, run.documentsSettled);
    return run;
  };
  for (const one of happenings) {
    await apply(one);
    await look();
  }
  await apply({ type: 'enumerated', discovered: 0, fetched: 0 });
  for (const each of KEYS) await settle(each, 'indexed');
  return look();
}

it('the counters of a run add up at any time and at its end, whatever comes in whatever order, and twice', async () => {
  await assert(
    asyncProperty(array(happening, { maxLength: 12 }), async (happenings) => {
      const run = await runOf([...happenings, ...happenings], (counters, settled) => {
        const { discovered, fetched, indexed, unchanged, failed, skipped } = counters;
        expect(indexed + unchanged + failed + skipped).toBe(settled);
        expect(discovered).toBeGreaterThanOrEqual(settled);
        expect(discovered).toBeGreaterThanOrEqual(fetched);
      });
      expect(run.endedAt).not.toBeNull();
      expect(run.documentsSettled).toBeGreaterThanOrEqual(run.documentsRecorded);
    }),
    { numRuns: 25 },
  );
}, 120_000);
