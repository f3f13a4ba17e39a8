import type { DatasourceType, SyncQuery } from '@quarry/contracts';
import { invalid } from '../checks/invalid.js';

/** Returns the options of a sync. @throws Problem 400 for an option that the datasource's type does not have */
export function requireSyncOptions(type: DatasourceType, options: SyncQuery): SyncQuery {
  for (const field of ['dryRun', 'full', 'allowMassRemoval'] as const) {
    if (options[field] === true && !TYPES[field].includes(type)) {
      throw invalid(field, `is for ${TYPES[field].join(' or ')}, found a ${type}`);
    }
  }
  // An incremental sync does not find removals.
  const isFull = type === 'item_listing' && options.allowMassRemoval === true;
  return isFull ? Object.assign({}, options, { full: true }) : options;
}

/** The types of datasource that have each option. */
const TYPES: Readonly<Record<keyof SyncQuery, readonly DatasourceType[]>> = {
  dryRun: ['item_listing'],
  full: ['item_listing'],
  allowMassRemoval: ['item_listing', 'web_site'],
};
