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
import { createFieldProblem } from '../checks/field-problem.js';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { validateSchedules, rescheduleSync } from '../schedule/schedule.js';
import { startRuns } from '../runs/start/start-runs.js';
import { findDatasource, type FoundDatasource, lockDatasourceAndDatastore } from './datasource-repository.js';
import { getGivenName } from './document-identity.js';
import { readListingHeaders } from './listing-headers.js';
import { requireSiteAddress } from './remote-source.js';
import { findMultiDocumentRunInProgress, chooseRunKind } from './sync-datasource.js';

type ConfigDependencies = Pick<Gateway, 'db' | 'clock' | 'secretCipher' | 'allowLoopback'>;
type UpdateDependencies = ConfigDependencies & Pick<Gateway, 'outboxWritten' | 'labels'>;

/**
 * Updates those fields of a datasource that the request contains. The changes apply from the next sync. If the address
 * of a site or listing changes during a run, a new run supersedes that run.
 *
 * @throws Problem 404 for an unknown datasource; 400 for an invalid configuration
 */
export async function updateDatasource(
  gateway: UpdateDependencies,
  organizationId: string,
  id: string,
  request: UpdateDatasourceRequest,
): Promise<FoundDatasource> {
  const now = gateway.clock();
  const { found, isStarted } = await gateway.db.transaction(async (tx) => {
    const { row, datastore } = await lockDatasourceAndDatastore(tx, organizationId, id);
    const { name, config } = request;
    const changed = config === undefined || config === null ? {} : buildConfigChange(gateway, row, config);
    if (changed.config !== undefined) validateSchedules(row.type, changed.config);
    const next = changed.config === undefined ? {} : rescheduleSync(row, changed.config, now);
    const set = { ...storeGivenName(row), ...changed, ...next, name: name ?? row.name, updatedAt: now };
    const runInProgress = hasNewAddress(row.config, set.config)
      ? await findMultiDocumentRunInProgress(tx, row)
      : undefined;
    if (runInProgress === undefined) await tx.update(datasources).set(set).where(eq(datasources.id, id));
    else {
      const { dryRun, allowMassRemoval } = runInProgress;
      const kind = chooseRunKind(row, { dryRun, allowMassRemoval, full: true });
      await startRuns(tx, datastore, [{ ...row, ...set }], { now, kind });
    }
    return { found: await findDatasource(tx, organizationId, id), isStarted: runInProgress !== undefined };
  });
  gateway.labels.clear();
  if (isStarted) gateway.outboxWritten.wake();
  return found;
}

/** Returns the change that stores the name that a client gave to a text, because the name of the datasource may change. */
function storeGivenName(row: DatasourceRow): Pick<ConfigChange, 'config'> {
  const givenName = getGivenName(row);
  return givenName === null ? {} : { config: { ...row.config, givenName } };
}

/** The names of the fields of a configuration that contain the address of a page, a site or a listing. */
const ADDRESS_FIELDS = ['source_url', 'sitemap', 'url'] as const;

/** Returns true if two configurations of a datasource have different addresses. */
function hasNewAddress(before: Config, after: Config = before): boolean {
  return ADDRESS_FIELDS.some((field) => before[field] !== after[field]);
}

type Config = DatasourceRow['config'];
type ConfigChange = Partial<Pick<DatasourceRow, 'config' | 'encryptedHeaders' | 'listingState'>>;

/**
 * Validates the changed fields of a configuration together with the unchanged fields.
 *
 * @returns the columns to update
 * @throws Problem 400 for an invalid configuration
 */
function buildConfigChange(gateway: ConfigDependencies, row: DatasourceRow, changedFields: Config): ConfigChange {
  switch (row.type) {
    case 'web_site':
      return buildSiteConfigChange(gateway, mergeConfig(row.config, changedFields));
    case 'item_listing':
      return buildListingConfigChange(gateway, row, changedFields);
    case 'web_page':
      return buildPageConfigChange(row, mergeConfig(row.config, changedFields));
    case 'file':
    case 'document':
      throw createFieldProblem(
        'config',
        `cannot be changed for a datasource of the type ${row.type}: create another datasource`,
      );
  }
}

function buildSiteConfigChange({ allowLoopback }: ConfigDependencies, mergedConfig: Config): ConfigChange {
  const { config } = parse(HoldsWebSiteConfig, { config: mergedConfig }, 'refuse');
  requireSiteAddress(config);
  requirePublicAddress('config.sitemap', config.sitemap, allowLoopback.crawler);
  requirePublicAddress('config.source_url', config.source_url, allowLoopback.crawler);
  return { config: Object.fromEntries(Object.entries(config)) };
}

function buildPageConfigChange(row: DatasourceRow, mergedConfig: Config): ConfigChange {
  const { config } = parse(HoldsWebPageConfig, { config: mergedConfig }, 'refuse');
  if (config.source_url !== row.config['source_url']) {
    throw createFieldProblem(
      'config.source_url',
      'identifies the page and cannot be changed: create another datasource',
    );
  }
  return { config: Object.fromEntries(Object.entries(config)) };
}

function buildListingConfigChange(
  { secretCipher, allowLoopback }: ConfigDependencies,
  row: DatasourceRow,
  changedFields: Config,
): ConfigChange {
  const headers = readListingHeaders(changedFields);
  const { config } = parse(
    HoldsItemListingConfig,
    { config: mergeConfig(row.config, { ...changedFields, headers: null }) },
    'refuse',
  );
  requirePublicAddress('config.url', config.url, allowLoopback.catalog);
  if (headers === undefined) refuseHeadersForOtherServer(row, config.url);
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

/**
 * Refuses to change the address of a listing to another server if the request does not also replace the stored headers.
 * Otherwise, a caller could make Quarry send the secrets in the stored headers to a server of the caller.
 */
function refuseHeadersForOtherServer({ config, encryptedHeaders }: DatasourceRow, url: string): void {
  const { url: before } = config;
  if (encryptedHeaders === null || typeof before !== 'string' || new URL(before).origin === new URL(url).origin) return;
  throw createFieldProblem(
    'config.headers',
    'must be sent again, or be null, when the address changes to another server; found none',
  );
}

/** Merges changed fields into a configuration. A field that is changed to null is removed. */
function mergeConfig(config: Config, changedFields: Config): Config {
  return Object.fromEntries(Object.entries({ ...config, ...changedFields }).filter(([, value]) => value !== null));
}
