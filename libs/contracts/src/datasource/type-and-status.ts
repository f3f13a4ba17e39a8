export const DATASOURCE_TYPES = ['file', 'document', 'web_page', 'web_site', 'item_listing'] as const;
/** Names the kind of content in a datasource. `document`: a text that was upserted through the API. */
export type DatasourceType = (typeof DATASOURCE_TYPES)[number];

export const DATASOURCE_STATUSES = [
  'unsynched',
  'pending',
  'running',
  'synched',
  'error',
  'usage_limit_reached',
] as const;
export type DatasourceStatus = (typeof DATASOURCE_STATUSES)[number];

export const SETTLED_STATUSES = ['synched', 'error', 'usage_limit_reached'] as const;
/** Names a status of a datasource whose latest run has ended. */
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

export function isSettledStatus(status: DatasourceStatus): status is SettledStatus {
  return (SETTLED_STATUSES as readonly string[]).includes(status);
}

/** Lists the stages of a run in the order in which a document passes through them. */
export const STAGES = ['fetching', 'reading', 'splitting', 'embedding', 'indexing'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * Counts the documents of a run by outcome. Each counter is a running total and never decreases. `discovered` counts
 * the pages or items that were found, and `fetched` those of them that were read. The other counters count outcomes;
 * `removed` counts documents of earlier runs.
 */
export interface RunCounters {
  readonly discovered: number;
  readonly fetched: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_COUNTERS: RunCounters = {
  discovered: 0,
  fetched: 0,
  indexed: 0,
  unchanged: 0,
  removed: 0,
  failed: 0,
  skipped: 0,
};
