import { HoldsWebSiteConfig, type UpdateDatasourceRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { invalid } from '../http/invalid.js';
import { findDatasource, lockDatasource, type FoundDatasource } from './datasource-repository.js';

/**
 * Changes what the request names. The next sync goes by it.
 *
 * @throws Problem 404; 400 for a configuration that the datasource cannot have
 */
export async function updateDatasource(
  db: Queries,
  organizationId: string,
  id: string,
  request: UpdateDatasourceRequest,
  now: Date,
): Promise<FoundDatasource> {
  return db.transaction(async (tx) => {
    const row = await lockDatasource(tx, organizationId, id);
    const name = request.name ?? row.name;
    const config = request.config === undefined || request.config === null ? row.config : changed(row, request.config);
    await tx.update(datasources).set({ name, config, updatedAt: now }).where(eq(datasources.id, id));
    return findDatasource(tx, organizationId, id);
  });
}

type Config = DatasourceRow['config'];

function changed({ type, config }: DatasourceRow, change: Config): Config {
  const merged = merge(config, change);
  if (type === 'web_site')
    return Object.fromEntries(Object.entries(parse(HoldsWebSiteConfig, { config: merged }, 'refuse').config));
  throw invalid('config', `cannot be changed for a datasource of the type ${type}: make another one`);
}

/** Null takes a field away. */
function merge(config: Config, change: Config): Config {
  return Object.fromEntries(Object.entries({ ...config, ...change }).filter(([, value]) => value !== null));
}
