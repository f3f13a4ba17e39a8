import { readdir, readFile } from 'node:fs/promises';
import type { DatasourceResponse } from '@quarry/contracts';
import { eq, sql } from 'drizzle-orm';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record as recordOf,
  type Arbitrary,
} from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { documentTotals } from '../database/tables/document-totals.js';
import { documents } from '../database/tables/documents.js';
import { runs } from '../database/tables/runs.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { createSite } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { claimTokens } from '../usage/claim-tokens.js';
import { loadDocumentTotals } from '../usage/document-totals.js';
import { openRunGateway } from './record/open-run-gateway.js';
import { recordDocumentOutcome, recordRunEnumeration } from './update/record-outcomes.js';

const KEYS = ['a', 'b', 'c', 'd'] as const;
const AT = '2026-06-01T12:00:00.000Z';
const used = setUpTenant();
const getDatabase = () => used.test.gateway.db;

/** A step in the simulation of a web site. The test applies several steps at once, and some of them twice. */
type Step =
  | { readonly type: 'toIndex'; readonly keys: readonly string[] }
  | { readonly type: 'found'; readonly outcome: 'unchanged' | 'skipped'; readonly keys: readonly string[] }
  | {
      readonly type: 'settle' | 'crash';
      readonly key: string;
      /** Selects a run: 0 is the latest run, 1 is the run before it. */
      readonly age: number;
      readonly outcome: 'indexed' | 'unchanged' | 'failed' | 'skipped';
      readonly fragments: number;
    }
  | { readonly type: 'claim'; readonly key: string; readonly tokens: number }
  | { readonly type: 'enumerate'; readonly complete: boolean }
  | { readonly type: 'sync'; readonly allowMassRemoval: boolean }
  | { readonly type: 'cancel' };

const key = constantFrom(...KEYS);
const keys = array(key, { maxLength: 4 });
const age = integer({ min: 0, max: 1 });
const outcome = constantFrom('indexed' as const, 'unchanged' as const, 'failed' as const, 'skipped' as const);
const fragments = integer({ min: 0, max: 9 });
const step: Arbitrary<Step> = oneof(
  recordOf({ type: constant('toIndex' as const), keys }),
  recordOf({ type: constant('found' as const), outcome: constantFrom('unchanged' as const, 'skipped' as const), keys }),
  recordOf({ type: constant('settle' as const), key, age, outcome, fragments }),
  recordOf({ type: constant('settle' as const), key, age, outcome, fragments }),
  recordOf({ type: constant('crash' as const), key, age, outcome, fragments }),
  recordOf({ type: constant('claim' as const), key, tokens: integer({ min: 0, max: 99 }) }),
  recordOf({ type: constant('enumerate' as const), complete: boolean() }),
  recordOf({ type: constant('sync' as const), allowMassRemoval: boolean() }),
  constant({ type: 'cancel' as const }),
);

class Crash extends Error {}

let datasourceId: string;
/** The ids of the runs of the datasource, newest first. */
let runIds: string[];

beforeEach(async () => {
  const { organizationId } = used.tenant;
  await updateOrganization(getDatabase(), organizationId, { limits: { storedTokens: 1_000_000 } }, new Date());
});

async function createNewSite(): Promise<void> {
  datasourceId = await createSite(used.tenant.api, used.datastore);
  runIds = [];
  await addLatestRunId();
}

async function addLatestRunId(): Promise<void> {
  const { body } = (await used.tenant.api.get(`/api/datasources/${datasourceId}`)) as { body: DatasourceResponse }; // as documented
  const runId = body.run?.id ?? '';
  if (runIds[0] !== runId) runIds.unshift(runId);
}

async function applyStep(step: Step): Promise<unknown> {
  const db = getDatabase();
  const run = { datasourceId, runId: runIds[0] ?? '', at: AT };
  switch (step.type) {
    case 'toIndex': {
      const toIndex = step.keys.map((name) => ({ documentKey: name, name, blobKey: name, mimeType: 'text/html' }));
      return openRunGateway(used.test.gateway).recordDocuments({ ...run, toIndex, settled: [] });
    }
    case 'found': {
      const settled = step.keys.map((documentKey) => ({ documentKey, outcome: step.outcome }));
      return openRunGateway(used.test.gateway).recordDocuments({ ...run, toIndex: [], settled });
    }
    case 'settle':
      return settleDocument(db, step);
    case 'crash':
      return db
        .transaction(async (tx) => {
          await settleDocument(tx, step);
          throw new Crash();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
    case 'claim': {
      const { organizationId } = used.tenant;
      return claimTokens(db, { organizationId, datasourceId, documentKey: step.key, tokens: step.tokens });
    }
    case 'enumerate':
      return recordRunEnumeration(db, { ...run, complete: step.complete }, new Date());
    case 'sync':
      return used.tenant.api.post(`/api/datasources/${datasourceId}/sync?allowMassRemoval=${step.allowMassRemoval}`);
    case 'cancel':
      return used.tenant.api.post(`/api/datasources/${datasourceId}/cancel`);
  }
}

async function settleDocument(
  db: Parameters<typeof recordDocumentOutcome>[0],
  step: Extract<Step, { readonly type: 'settle' | 'crash' }>,
): Promise<unknown> {
  const isStored = step.outcome === 'indexed';
  const settled = {
    ...{
      datasourceId,
      runId: runIds[step.age] ?? runIds[0] ?? '',
      documentKey: step.key,
      outcome: step.outcome,
      at: AT,
    },
    ...(isStored && { fragments: step.fragments, storedTokens: 10 * step.fragments }),
  };
  return recordDocumentOutcome(db, settled, new Date());
}

/** Counts the rows that the totals of a datasource summarize. */
async function countRows(id: string) {
  const { rows } = await getDatabase().execute<Record<string, string>>(sql`
    select count(*) as documents,
      count(*) filter (where fragments > 0 or outcome in ('indexed', 'unchanged')) as stored_documents,
      coalesce(sum(fragments), 0) as fragments, coalesce(sum(stored_tokens), 0) as stored_tokens,
      (select coalesce(sum(tokens), 0) from quarry.token_reservations where datasource_id = ${id}) as reserved_tokens
    from quarry.documents where datasource_id = ${id}`);
  const count = (name: string): number => Number(rows[0]?.[name]);
  return {
    ...{ documents: count('documents'), storedDocuments: count('stored_documents'), fragments: count('fragments') },
    ...{ storedTokens: count('stored_tokens'), reservedTokens: count('reserved_tokens') },
  };
}

async function loadTotals(id: string) {
  const { documents: all, storedDocuments, ...sums } = await loadDocumentTotals(getDatabase(), id);
  const { fragments: sum, storedTokens, reservedTokens } = sums;
  return { documents: all, storedDocuments, fragments: sum, storedTokens, reservedTokens };
}

/** Counts the unsettled token reservations: those that differ from the stored tokens of their documents. */
async function countUnsettledReservations(): Promise<number> {
  const { rows } = await getDatabase().execute<{ readonly count: string }>(sql`
    select count(*) from quarry.token_reservations left join quarry.documents using (datasource_id, document_key)
    where datasource_id = ${datasourceId} and tokens <> coalesce(stored_tokens, 0)`);
  return Number(rows[0]?.count);
}

async function loadDatasourceAndRun() {
  const db = getDatabase();
  const [row] = await db.select().from(datasources).where(eq(datasources.id, datasourceId));
  const [run] = await db
    .select()
    .from(runs)
    .where(eq(runs.id, runIds[0] ?? ''));
  if (row === undefined || run === undefined) throw new Error('expected a datasource with a run, found none');
  return { row, run };
}

async function expectExactTotals(): Promise<void> {
  await addLatestRunId();
  const counted = await countRows(datasourceId);
  expect(await loadTotals(datasourceId)).toEqual(counted);
  const { run } = await loadDatasourceAndRun();
  const ofRun = sql`${documents.datasourceId} = ${datasourceId} and ${documents.runId} = ${run.id}`;
  if (run.endedAt === null) expect(await getDatabase().$count(documents, ofRun)).toBe(run.documentsSettled);
}

it('the document totals of a site equal the counts of its rows after any steps of its runs, including parallel, repeated, late and rolled-back steps', async () => {
  await assert(
    asyncProperty(array(array(step, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), async (groups) => {
      await createNewSite();
      for (const group of [...groups, ...groups.slice(0, 3)]) {
        await Promise.all([...group, ...group.slice(0, 1)].map(applyStep));
        await expectExactTotals();
      }
      // The end of a run settles all reservations, whatever steps precede it.
      await applyStep({ type: 'sync', allowMassRemoval: true });
      await addLatestRunId();
      await applyStep({ type: 'claim', key: 'a', tokens: 99 });
      await applyStep({ type: 'enumerate', complete: true });
      await expectExactTotals();
      expect(await countUnsettledReservations()).toBe(0);
      const { row } = await loadDatasourceAndRun();
      const counted = await countRows(datasourceId);
      expect([row.fragments, row.storedTokens]).toEqual([counted.fragments, counted.storedTokens]);
      expect(counted.documents).toBe(0);
    }),
    { numRuns: 25 },
  );
}, 120_000);

/**
 * Statements by which a gateway of any version may change documents and reservations. `$1` and `$2` are the ids of two
 * sites, `$3` is the id of their organization.
 */
const STATEMENTS = [
  `insert into quarry.documents (organization_id, datasource_id, document_key, run_id, outcome, fragments, stored_tokens, settled_at)
   select $3::uuid, id, 'key ' || n, id, (array['indexed', 'failed', 'skipped'])[1 + n % 3], n % 4, n % 7, now()
   from unnest(array[$1, $2]::uuid[]) id, generate_series(1, 9) n
   on conflict (datasource_id, document_key) do update
     set fragments = excluded.fragments + 1, outcome = 'unchanged', stored_tokens = excluded.stored_tokens * 2`,
  `insert into quarry.documents (organization_id, datasource_id, document_key, run_id, outcome, fragments, stored_tokens, settled_at)
   select $3::uuid, $1, 'more ' || n, $2::uuid, 'skipped', n, 5 * n, now() from generate_series(0, 3) n on conflict do nothing`,
  `update quarry.documents set fragments = 0, stored_tokens = 0 where datasource_id in ($1, $2) and outcome = 'skipped' and $3::uuid is not null`,
  `update quarry.documents set outcome = 'failed' where datasource_id = $2 and fragments < 3 and $1::uuid <> $3::uuid`,
  `update quarry.documents set version = 'v' where datasource_id in ($1, $2) and $3::uuid is not null`,
  `delete from quarry.documents where datasource_id in ($1, $2) and fragments = 2 and $3::uuid is not null`,
  `delete from quarry.documents where datasource_id = $1 and $2::uuid <> $3::uuid`,
  `insert into quarry.token_reservations (organization_id, datasource_id, document_key, tokens)
   select $3::uuid, id, 'key ' || n, n from unnest(array[$1, $2]::uuid[]) id, generate_series(0, 6) n
   on conflict (datasource_id, document_key) do update set tokens = excluded.tokens + 3`,
  `update quarry.token_reservations set tokens = tokens + 1 where datasource_id = $1 and $2::uuid <> $3::uuid`,
  `delete from quarry.token_reservations where datasource_id in ($1, $2) and tokens > 4 and $3::uuid is not null`,
];

it('the document totals equal the counts of the rows after each statement that a gateway of any version may run, and are deleted with the datasource', async () => {
  const { pool } = used.test.context.database;
  await assert(
    asyncProperty(array(constantFrom(...STATEMENTS), { minLength: 1, maxLength: 10 }), async (statements) => {
      const sites = [
        await createSite(used.tenant.api, used.datastore),
        await createSite(used.tenant.api, used.datastore),
      ];
      for (const statement of statements) {
        await pool.query(statement, [...sites, used.tenant.organizationId]);
        for (const site of sites) expect(await loadTotals(site)).toEqual(await countRows(site));
        await expectOrganizationTotals();
      }
      for (const site of sites) await used.tenant.api.delete(`/api/datasources/${site}`);
      expect(await getDatabase().$count(documentTotals, sql`datasource_id = any(${sql.param(sites)}::uuid[])`)).toBe(0);
    }),
    { numRuns: 20 },
  );
}, 120_000);

async function expectOrganizationTotals(): Promise<void> {
  const { rows } = await used.test.context.database.pool.query<Readonly<Record<string, string>>>(
    `select coalesce(sum(tokens), 0)::text as tokens, count(*) filter (where tokens > 0)::text as documents,
       coalesce((select tokens from quarry.token_totals where organization_id = $1), 0)::text as counted_tokens,
       coalesce((select documents from quarry.stored_document_totals where organization_id = $1), 0)::text as counted_documents
     from quarry.token_reservations where organization_id = $1`,
    [used.tenant.organizationId],
  );
  const { tokens, documents, counted_tokens, counted_documents } = rows[0] ?? {};
  expect([counted_tokens, counted_documents]).toEqual([tokens, documents]);
}

it('the migration of document totals counts the documents that earlier versions of Quarry stored', async () => {
  const db = getDatabase();
  await createNewSite();
  await applyStep({ type: 'claim', key: 'd', tokens: 7 });
  for (const [at, name] of KEYS.entries()) {
    await applyStep({ type: 'settle', key: name, age: 0, outcome: at === 2 ? 'failed' : 'indexed', fragments: at });
  }
  const expected = await loadTotals(datasourceId);
  expect(expected).toMatchObject({ documents: 4, storedDocuments: 3, fragments: 4 });
  await db.delete(documentTotals);
  const folder = new URL('../../migrations/', import.meta.url);
  const name = (await readdir(folder)).find((file) => file.endsWith('_document_totals.sql')) ?? '';
  const statements = (await readFile(new URL(name, folder), 'utf8')).split('--> statement-breakpoint');
  const fills = statements.filter((text) => text.trim().startsWith('INSERT INTO "quarry"."document_totals"'));
  expect(fills).toHaveLength(2);
  for (const fill of fills) await db.execute(sql.raw(fill));
  expect(await loadTotals(datasourceId)).toEqual(expected);
});
