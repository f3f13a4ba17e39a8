import { sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { outbox } from '../database/tables/outbox.js';
import { type RunRow, runs } from '../database/tables/runs.js';
import { isUniqueViolation } from '../database/query-error.js';
import { describeRowColumns } from '../database/update-rows.js';
import type { CompletedClaim } from '../idempotency/store-response.js';
import { buildOutboxRow, computeIndexingCost } from '../outbox/outbox.js';
import { buildSyncJob } from '../runs/start/build-sync-job.js';
import { buildPendingRun, type DatasourceWithRun } from '../runs/start/start-runs.js';
import { buildDatasourceRow, type SavedDocument } from './save-documents.js';

/** A document that is not stored yet, with its rows. The generation of the run is 0 until the database assigns it. */
export interface NewDocument extends DatasourceWithRun {
  readonly datastore: DatastoreRow;
  readonly document: SavedDocument;
}

/** Builds the rows of a new document. @param datastore the row as it was read before, without a lock */
export function buildNewDocument(datastore: DatastoreRow, document: SavedDocument, now: Date): NewDocument {
  const datasource = { ...NEW_DATASOURCE, ...buildDatasourceRow(datastore, document, now) } satisfies DatasourceRow;
  return { datastore, document, datasource, run: { ...NEW_RUN, ...buildPendingRun(datasource, now) } };
}

/**
 * Saves a new document as a datasource and starts its run, with a single SQL statement. When the promise resolves, the
 * job of the run is committed in the outbox.
 *
 * Inserts nothing if the datastore contains a document of this identity, or was changed or removed since it was read.
 * Also inserts nothing if the `Idempotency-Key` of the claim was used before. In these cases, call `saveDocuments` in a
 * transaction instead.
 *
 * @param claim the claim of a request with an `Idempotency-Key`, which is stored with the document
 * @returns the generation of the run; undefined if nothing was inserted
 */
export async function insertDocument(
  db: Queries,
  newDocument: NewDocument,
  claim: CompletedClaim | undefined,
): Promise<number | undefined> {
  try {
    const { rows } = await db.execute<{ readonly generation: string }>(buildInsertion(newDocument, claim));
    const [inserted] = rows;
    return inserted && Number(inserted.generation);
  } catch (error) {
    // A concurrent request with the same `Idempotency-Key` has inserted its claim.
    if (claim !== undefined && isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** Builds the statement of `insertDocument`. It returns no row if nothing was inserted. */
function buildInsertion({ datastore, document, datasource, run }: NewDocument, claim: CompletedClaim | undefined): SQL {
  const job = buildSyncJob(datastore, datasource, run);
  if (job === undefined) throw new Error(`expected a job of the document ${document.name}, found none`);
  const urgent = { ...job, class: 'interactive', cost: computeIndexingCost(document.size) } as const;
  const jobRow = buildOutboxRow(datasource.organizationId, urgent);
  return sql`
    with store as (
      select from ${datastores}
      where organization_id = ${datastore.organizationId} and id = ${datastore.id} and removed_at is null
        and splitting = ${JSON.stringify(datastore.splitting)}::jsonb
        and ocr_languages is not distinct from ${datastore.ocrLanguages === null ? null : JSON.stringify(datastore.ocrLanguages)}::jsonb
      for key share
    ), datasource as (
      insert into ${datasources} (${datasourceColumns.names})
      select ${datasourceColumns.names} from ${datasourceColumns.buildValuesSource([datasource], 'given')}
      where exists (select from store) and not exists (
        select from ${datasources} legacy
        where legacy.datastore_id = ${datastore.id} and legacy.document_key = ${document.legacyKey} and legacy.identity is null)
        and not exists (
          select from ${idempotencyKeys} used
          where used.api_key_id = ${claim?.apiKeyId ?? null} and used.route = ${claim?.route ?? null} and used.key_hash = ${claim?.keyHash ?? null})
      on conflict (datastore_id, identity) do nothing
      returning id
    ), run as (
      insert into ${runs} (${runColumns.names})
      select ${runColumns.names} from ${runColumns.buildValuesSource([run], 'given')} where exists (select from datasource)
      returning generation
    ), claim as (
      insert into ${idempotencyKeys} (${claimColumns.names})
      select ${claimColumns.names} from ${claimColumns.buildValuesSource(claim === undefined ? [] : [claim], 'given')}
      where exists (select from datasource)
    ), blob as (
      delete from ${discardedBlobs} where key = ${document.blobKey} and exists (select from datasource)
    ), job as (
      insert into ${outbox} (${outboxColumns.names}, payload)
      select ${outboxColumns.names}, ${JSON.stringify(jobRow.payload)}::jsonb || jsonb_build_object('generation', generation)
      from run, ${outboxColumns.buildValuesSource([jobRow], 'given')}
    )
    select generation from run`;
}

/** The values of those columns of a new datasource that do not depend on the document. */
const NEW_DATASOURCE = {
  encryptedHeaders: null,
  listingState: null,
  nextSyncAt: null,
  nextFullSyncAt: null,
  failuresRunning: 0,
  errorCode: null,
  errorMessage: null,
  fragments: null,
  storedTokens: null,
  pages: null,
  lastSynch: null,
} satisfies Partial<DatasourceRow>;

/** The values of those columns of a new run that do not depend on the document. */
const NEW_RUN = {
  generation: 0,
  mode: null,
  dryRun: false,
  reindex: false,
  allowMassRemoval: false,
  stage: null,
  progress: null,
  lastError: null,
  code: null,
  message: null,
  note: null,
  notes: null,
  removal: null,
  documentsSettled: 0,
  documentsExpected: null,
  documentsRecorded: 0,
  ingestionFailures: 0,
  truncatedFragments: 0,
  truncatedDocuments: 0,
  checkpoint: null,
  listingState: null,
  documentsKnown: null,
  enumeratedAll: false,
  startedAt: null,
  endedAt: null,
  repeats: 0,
  missingSince: null,
} satisfies Partial<RunRow>;

/** The columns of a new datasource that the statement writes. The database sets the other columns to their defaults. */
const datasourceColumns = describeRowColumns(datasources, [
  'id',
  'organizationId',
  'datastoreId',
  'type',
  'name',
  'documentKey',
  'identity',
  'customId',
  'config',
  'blobKey',
  'mimeType',
  'source',
  'metadata',
  'status',
  'runId',
  'sequence',
  'createdAt',
  'updatedAt',
]);

const runColumns = describeRowColumns(runs, [
  'id',
  'organizationId',
  'datasourceId',
  'status',
  'sequence',
  'counters',
  'failureReasons',
  'timeline',
  'createdAt',
  'lastEventAt',
]);

const claimColumns = describeRowColumns(idempotencyKeys, [
  'organizationId',
  'apiKeyId',
  'route',
  'keyHash',
  'fingerprint',
  'answer',
  'expiresAt',
]);

/**
 * The columns of a new outbox job whose values are parameters of the statement. The payload is not among them, because
 * the statement adds the generation of the run to it.
 */
const outboxColumns = describeRowColumns(outbox, ['organizationId', 'queue', 'name', 'class', 'cost', 'traceparent']);
