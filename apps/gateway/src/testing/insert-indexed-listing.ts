import { newId } from '../database/id.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import type { Gateway } from '../gateway.js';
import { recordRunEnumeration } from '../runs/update/record-outcomes.js';

/** Identifies an item listing whose documents are all indexed, and the organization of the listing. */
export interface FilledListing {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Inserts an item listing that a full sync has indexed. The keys of its documents are `item:1`, `item:2` and so on. */
export async function insertIndexedListing(pool: Queryable, documents: number): Promise<FilledListing> {
  const [organizationId, datastoreId, datasourceId, runId] = [newId(), newId(), newId(), newId()];
  await pool.query(`insert into quarry.organizations (id, name) values ($1, 'filled')`, [organizationId]);
  await pool.query(
    `insert into quarry.datastores (id, organization_id, name, splitting)
     values ($1, $2, 'filled', '{"maxTokens":500,"overlapTokens":50}')`,
    [datastoreId, organizationId],
  );
  await pool.query(
    `insert into quarry.datasources (id, organization_id, datastore_id, type, name, config, status, run_id, sequence, listing_state)
     values ($1, $2, $3, 'item_listing', 'filled', '{"url":"https://shop.example/items"}', 'synched', $4, 2, '{}')`,
    [datasourceId, organizationId, datastoreId, runId],
  );
  await pool.query(
    `insert into quarry.runs (id, organization_id, datasource_id, status, sequence, mode, counters, failure_reasons, timeline, ended_at)
     values ($1, $2, $3, 'synched', 2, 'full',
       '{"discovered":0,"fetched":0,"indexed":0,"unchanged":0,"skipped":0,"failed":0,"removed":0}', '[]', '[]', now())`,
    [runId, organizationId, datasourceId],
  );
  await pool.query(
    `insert into quarry.documents
       (organization_id, datasource_id, document_key, run_id, outcome, fragments, stored_tokens, version, found_version, settled_at)
     select $1, $2, 'item:' || n, $3, 'indexed', 2, 300, md5(n::text), md5(n::text), now() from generate_series(1, $4::int) n`,
    [organizationId, datasourceId, runId, documents],
  );
  await pool.query(
    `insert into quarry.token_reservations (organization_id, datasource_id, document_key, tokens)
     select organization_id, datasource_id, document_key, stored_tokens from quarry.documents where datasource_id = $1`,
    [datasourceId],
  );
  return { organizationId, datasourceId };
}

interface Queryable {
  readonly query: (text: string, values: readonly unknown[]) => Promise<unknown>;
}

/** Identifies the run of a sync in progress. */
export interface StartedSync {
  readonly datasourceId: string;
  readonly runId: string;
}

/** Starts a sync of a listing. */
export async function startListingSync(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  { organizationId, datasourceId }: FilledListing,
  mode: 'incremental' | 'full' = 'incremental',
): Promise<StartedSync> {
  const { run } = await syncDatasource(gateway, organizationId, datasourceId, { full: mode === 'full' });
  return { datasourceId, runId: run.id };
}

/**
 * Reports the end of the enumeration of a listing, which ends the run. Throws if documents of the run are still in
 * progress.
 *
 * @param complete true if the sync has read all items of the listing
 */
export async function endListingSync(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  run: StartedSync,
  complete = false,
): Promise<void> {
  const now = clock();
  const enumerated = { ...run, at: now.toISOString(), complete, discovered: 0, fetched: 0, listingState: {} };
  const recorded = await recordRunEnumeration(db, enumerated, now);
  if (recorded !== 'settled')
    throw new Error(`expected the result "settled" for the end of run ${run.runId}, found ${recorded}`);
}
