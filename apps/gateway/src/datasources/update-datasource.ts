import {
  HoldsItemListingConfig,
  HoldsWebPageConfig,
  HoldsWebSiteConfig,
  type UpdateDatasourceRequest,
} from '@quarry/contracts';
import { encryptHeaders } from '@quarry/encrypted-secrets';
import { parse } from '@quarry/validation';
import { eq } from 'drizzle-orm';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { Gateway } from '../gateway.js';
import { invalid } from '../checks/invalid.js';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { requireSchedules, reschedule } from '../schedule/next-sync.js';
import { startRuns } from '../runs/start-runs.js';
import { findDatasource, type FoundDatasource } from './datasource-repository.js';
import { readHeaders } from './listing-headers.js';
import { lockWithDatastore } from './lock-with-datastore.js';
import { findFinderRun, kindOf } from './sync-datasource.js';

type Needed = Pick<Gateway, 'db' | 'clock' | 'secretCipher' | 'allowLoopback'>;
type Updating = Needed & Pick<Gateway, 'outboxWritten'>;

/**
 * Changes what the request names. The next sync goes by it. A run under way that reads from another address than the new one is
 * superseded by one that reads from the new one.
 *
 * @throws Problem 404; 400 for a configuration that the datasource cannot have
 */
export async function updateDatasource(
  gateway: Updating,
  organizationId: string,
  id: string,
  request: UpdateDatasourceRequest,
): Promise<FoundDatasource> {
  const now = gateway.clock();
  const { found, isStarted } = await gateway.db.transaction(async (tx) => {
    const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
    const { name, config } = request;
    const changed = config === undefined || config === null ? {} : changedConfig(gateway, row, config);
    if (changed.config !== undefined) requireSchedules(row.type, changed.config);
    const next = changed.config === undefined ? {} : reschedule(row, changed.config, now);
    const set = { ...changed, ...next, name: name ?? row.name, updatedAt: now };
    const underWay = hasMoved(row.config, set.config) ? await findFinderRun(tx, row) : undefined;
    if (underWay === undefined) await tx.update(datasources).set(set).where(eq(datasources.id, id));
    else {
      const { dryRun, allowMassRemoval } = underWay;
      const kind = kindOf(row, { dryRun, allowMassRemoval, full: true });
      await startRuns(tx, datastore, [{ ...row, ...set }], { now, kind });
    }
    return { found: await findDatasource(tx, organizationId, id), isStarted: underWay !== undefined };
  });
  if (isStarted) gateway.outboxWritten.wake();
  return found;
}

/** The fields of a configuration that say where a datasource is read from. */
const ADDRESSES = ['source_url', 'sitemap', 'url'] as const;

function hasMoved(before: Config, after: Config = before): boolean {
  return ADDRESSES.some((field) => before[field] !== after[field]);
}

type Config = DatasourceRow['config'];
type Changed = Partial<Pick<DatasourceRow, 'config' | 'encryptedHeaders' | 'listingState'>>;

function changedConfig(gateway: Needed, row: DatasourceRow, change: Config): Changed {
  switch (row.type) {
    case 'web_site':
      return changedSite(gateway, merge(row.config, change));
    case 'item_listing':
      return changedListing(gateway, row, change);
    case 'web_page':
      return changedPage(row, merge(row.config, change));
    case 'file':
    case 'document':
      throw invalid('config', `cannot be changed for a datasource of the type ${row.type}: make another one`);
  }
}

function changedSite({ allowLoopback }: Needed, merged: Config): Changed {
  const { config } = parse(HoldsWebSiteConfig, { config: merged }, 'refuse');
  requirePublicAddress('config.sitemap', config.sitemap, allowLoopback.crawler);
  requirePublicAddress('config.source_url', config.source_url, allowLoopback.crawler);
  return { config: Object.fromEntries(Object.entries(config)) };
}

function changedPage(row: DatasourceRow, merged: Config): Changed {
  const { config } = parse(HoldsWebPageConfig, { config: merged }, 'refuse');
  if (config.source_url !== row.config['source_url']) {
    throw invalid('config.source_url', 'names the page and cannot be changed: make another datasource');
  }
  return { config: Object.fromEntries(Object.entries(config)) };
}

function changedListing({ secretCipher, allowLoopback }: Needed, row: DatasourceRow, change: Config): Changed {
  const headers = readHeaders(change);
  const { config } = parse(
    HoldsItemListingConfig,
    { config: merge(row.config, { ...change, headers: null }) },
    'refuse',
  );
  requirePublicAddress('config.url', config.url, allowLoopback.catalog);
  if (headers === undefined) refuseOtherServer(row, config.url);
  const { organizationId, id: datasourceId } = row;
  return {
    config: Object.fromEntries(Object.entries(config)),
    ...(config.url === row.config['url'] ? {} : { listingState: null }),
    ...(headers === undefined ? {} : { encryptedHeaders: null }),
    ...(headers === undefined || headers === null
      ? {}
      : { encryptedHeaders: encryptHeaders(secretCipher, { organizationId, datasourceId }, headers) }),
  };
}

/** Headers are for the server that they were given for: who may change the address must not learn them. */
function refuseOtherServer({ config, encryptedHeaders }: DatasourceRow, url: string): void {
  const { url: before } = config;
  if (encryptedHeaders === null || typeof before !== 'string' || new URL(before).origin === new URL(url).origin) return;
  throw invalid('config.headers', 'must be given again, or null, when the listing moves to another server; found none');
}

/** Null takes a field away. */
function merge(config: Config, change: Config): Config {
  return Object.fromEntries(Object.entries({ ...config, ...change }).filter(([, value]) => value !== null));
}
