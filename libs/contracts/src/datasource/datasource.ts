export const DATASOURCE_TYPES = ['file', 'document', 'web_page', 'web_site', 'item_listing'] as const;
/** What a datasource is made of. `document` is one upserted by API. */
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
/** A status in which a run has ended. */
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

export function isSettled(status: DatasourceStatus): status is SettledStatus {
  return (SETTLED_STATUSES as readonly string[]).includes(status);
}

/** What is being done for a datasource right now. */
export const STAGES = ['fetching', 'reading', 'splitting', 'embedding', 'indexing'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * How many documents of a run came to what. Each is a running total, never a difference, and never falls. `discovered`: pages or
 * items that were found. `fetched`: those of them that were looked at. The others are told once a document.
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
