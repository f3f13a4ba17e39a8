import { ConfirmedCache } from '../database/confirmed-cache.js';
import type { Queries } from '../database/database.js';
import type { NotificationListener } from '../database/notification-listener.js';
import { loadDatasourceLabels, type DatasourceLabel } from './datasource-repository.js';

/** Maximum number of cached labels. A label can have 16 KiB of metadata, so the labels take at most about 40 MB. */
const MAX_LABELS = 1_000;

/** Finds labels: the fields of datasources that responses show. A label is at most a second out of date. */
export interface LabelCache {
  /** Returns the labels by datasource id, without those of removed datasources. */
  find(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, DatasourceLabel>>;
  /** Empties the cache. Called after this gateway has changed labels. */
  clear(): void;
}

/** Creates the label cache of a gateway. Each reported change of a label empties the cache. */
export function createLabelCache(db: Queries, listener: NotificationListener): LabelCache {
  const labels = new ConfirmedCache<DatasourceLabel>(listener, 'labels', MAX_LABELS);
  return {
    find: async (organizationId, ids) => {
      const found = new Map<string, DatasourceLabel>();
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const label = labels.get(buildCacheKey(organizationId, id));
        if (label === undefined) missing.push(id);
        else found.set(id, label);
      }
      if (missing.length === 0) return found;
      const read = await labels.readAndStore(async () => {
        const rows = await loadDatasourceLabels(db, organizationId, missing);
        return new Map(Array.from(rows.values(), (row) => [buildCacheKey(organizationId, row.id), row]));
      });
      for (const label of read.values()) found.set(label.id, label);
      return found;
    },
    clear: () => {
      labels.clear();
    },
  };
}

function buildCacheKey(organizationId: string, id: string): string {
  return `${organizationId} ${id}`;
}
