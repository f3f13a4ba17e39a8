import { SyncQuery, type DatasourceType } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { invalid } from '../http/invalid.js';

/** Reads how a sync is asked for. @throws ValidationError, Problem 400 for a way that the datasource's type does not have */
export function readSync(type: DatasourceType, query: unknown): SyncQuery {
  const read = parse(SyncQuery, query, 'refuse');
  for (const field of ['dryRun', 'full', 'allowMassRemoval'] as const) {
    if (read[field] === true && !TYPES[field].includes(type)) {
      throw invalid(field, `is for ${TYPES[field].join(' or ')}, found a ${type}`);
    }
  }
  // What was modified does not tell what is gone.
  return type === 'item_listing' && read.allowMassRemoval === true ? Object.assign({}, read, { full: true }) : read;
}

/** Which datasources may be synced in which ways. */
const TYPES: Readonly<Record<keyof SyncQuery, readonly DatasourceType[]>> = {
  dryRun: ['item_listing'],
  full: ['item_listing'],
  allowMassRemoval: ['item_listing', 'web_site'],
};
