import { SyncQuery, type DatasourceType } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { invalid } from '../http/invalid.js';

/** Reads how a sync is asked for. @throws ValidationError, Problem 400 for a way that the datasource's type does not have */
export function readSync(type: DatasourceType, query: unknown): SyncQuery {
  const read = parse(SyncQuery, query, 'refuse');
  for (const field of ['dryRun', 'full'] as const) {
    if (read[field] === true && type !== 'item_listing')
      throw invalid(field, `is for an item_listing, found a ${type}`);
  }
  return read;
}
