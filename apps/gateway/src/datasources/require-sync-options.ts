import type { DatasourceType, SyncQuery } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';

/**
 * Validates the options of a sync. Adds the option `full` for a listing with the option `allowMassRemoval`.
 *
 * @throws Problem 400 for an option that the datasource's type does not support
 */
export function requireSyncOptions(type: DatasourceType, options: SyncQuery): SyncQuery {
  for (const field of ['dryRun', 'full', 'allowMassRemoval'] as const) {
    if (options[field] === true && !SUPPORTED_TYPES[field].includes(type)) {
      throw createFieldProblem(
        field,
        `requires a datasource of the type ${SUPPORTED_TYPES[field].join(' or ')}, found ${type}`,
      );
    }
  }
  // The sync must be full, because only a full sync finds items that were removed from the listing.
  const isFull = type === 'item_listing' && options.allowMassRemoval === true;
  return isFull ? Object.assign({}, options, { full: true }) : options;
}

/** The types of datasources that support each option of a sync. */
const SUPPORTED_TYPES: Readonly<Record<keyof SyncQuery, readonly DatasourceType[]>> = {
  dryRun: ['item_listing'],
  full: ['item_listing'],
  allowMassRemoval: ['item_listing', 'web_site'],
};
