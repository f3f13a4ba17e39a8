import {
  CreateItemListingRequest,
  CreateWebPageRequest,
  CreateWebSiteRequest,
  MAX_NAME_LENGTH,
  INITIAL_STATE,
  type WebSiteConfig,
} from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { encryptHeaders } from '@quarry/encrypted-secrets';
import { createFieldProblem } from '../checks/field-problem.js';
import type { Gateway } from '../gateway.js';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { validateSchedules, planNextSync } from '../schedule/schedule.js';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { lockDatastore, type DatastoreKey } from '../datastores/datastore-repository.js';
import { problem } from '../problems.js';
import { startRuns, type DatasourceWithRun } from '../runs/start/start-runs.js';
import { readListingHeaders } from './listing-headers.js';

/** A request to create a datasource whose content Quarry fetches from an address: a page, a site or a listing. */
export type RemoteSourceRequest = CreateWebPageRequest | CreateWebSiteRequest | CreateItemListingRequest;

/**
 * Parses a request to create a page, a site or a listing.
 *
 * @throws ValidationError or Problem with the invalid fields
 */
export function parseRemoteSourceRequest(body: unknown): RemoteSourceRequest {
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  switch (type) {
    case 'web_page':
      return parse(CreateWebPageRequest, body, 'ignore');
    case 'web_site':
      return parseSiteRequest(body);
    case 'item_listing':
      return parseListingRequest(body);
    case 'file':
      throw createFieldProblem(
        'type',
        '"file" requires a multipart/form-data body with the content in its field "file", found a JSON body',
      );
    default:
      throw createFieldProblem(
        'type',
        `must be web_page, web_site or item_listing, found ${JSON.stringify(type ?? null)}`,
      );
  }
}

function parseSiteRequest(body: unknown): CreateWebSiteRequest {
  const request = parse(CreateWebSiteRequest, body, 'ignore');
  requireSiteAddress(request.config);
  return request;
}

/** Refuses the configuration of a site without an address. @throws Problem 400 */
export function requireSiteAddress({ sitemap, source_url: startPage }: WebSiteConfig): void {
  if (sitemap !== undefined || startPage !== undefined) return;
  throw createFieldProblem('config', 'must contain sitemap or source_url, found neither');
}

/** Parses a request to create a listing. @throws ValidationError or Problem with the invalid fields */
export function parseListingRequest(body: unknown): CreateItemListingRequest {
  // The headers are checked first by `readListingHeaders`, whose errors contain no values. The errors of `parse`
  // contain the values of fields, and header values are secret.
  readListingHeaders(getConfigField(body));
  return parse(CreateItemListingRequest, body, 'ignore');
}

/** Returns the field `config` of an unvalidated request body, or undefined if there is none. */
function getConfigField(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'config' in body ? body.config : undefined;
}

/** Contains the values that are stored for a page, a site or a listing. */
export interface RemoteSource {
  readonly type: RemoteSourceRequest['type'];
  /** The name of the datasource in the request. Null: the request contains no name. */
  readonly name: string | null;
  /** The first address that Quarry reads. It becomes the name of the datasource if `name` is null. */
  readonly readFrom: string;
  readonly customId: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** The address of a page, which is also its document key. Null for sites and listings. */
  readonly address: string | null;
  /** Encrypts the HTTP headers of a listing for the datasource with this id. Returns null if there are none. */
  readonly encryptHeaders: (datasourceId: string) => string | null;
}

/**
 * Converts a request for a new page, site or listing to the values that are stored.
 *
 * @throws Problem 400 for an address that is not public, for invalid headers and for an invalid schedule
 */
export function buildRemoteSource(
  { secretCipher, allowLoopback }: Pick<Gateway, 'secretCipher' | 'allowLoopback'>,
  organizationId: string,
  request: RemoteSourceRequest,
): RemoteSource {
  const { type, name, config } = request;
  validateSchedules(type, toRecord(config));
  const common = {
    type,
    name: name ?? null,
    customId: request.custom_id ?? null,
    address: null,
    encryptHeaders: () => null,
  };
  if (type === 'item_listing') {
    requirePublicAddress('config.url', request.config.url, allowLoopback.catalog);
    const headers = readListingHeaders(config) ?? {};
    const encryptHeadersFor = (datasourceId: string): string | null =>
      Object.keys(headers).length === 0
        ? null
        : encryptHeaders(secretCipher, { organizationId, datasourceId }, headers);
    return {
      ...common,
      readFrom: request.config.url,
      config: omitHeaders(request.config),
      encryptHeaders: encryptHeadersFor,
    };
  }
  requirePublicAddress('config.source_url', request.config.source_url, allowLoopback.crawler);
  if (type === 'web_page') {
    const { source_url: address } = request.config;
    return { ...common, readFrom: address, config: toRecord(config), address };
  }
  requirePublicAddress('config.sitemap', request.config.sitemap, allowLoopback.crawler);
  return { ...common, readFrom: request.config.source_url ?? request.config.sitemap ?? '', config: toRecord(config) };
}

function omitHeaders(config: CreateItemListingRequest['config']): RemoteSource['config'] {
  return Object.fromEntries(Object.entries(config).filter(([field]) => field !== 'headers'));
}

/** Copies the fields of a configuration to a plain object. */
function toRecord(config: object): RemoteSource['config'] {
  return Object.fromEntries(Object.entries(config));
}

/**
 * Creates a datasource for a page, a site or a listing, and starts its first run. If the datastore already contains the
 * page, starts another run of the existing datasource instead.
 *
 * @throws Problem 404 for an unknown datastore, 409 if the address belongs to a datasource of another type
 */
export async function saveRemoteSource(
  db: Queries,
  { organizationId, id }: DatastoreKey,
  source: RemoteSource,
  now: Date,
): Promise<DatasourceWithRun> {
  return db.transaction(async (tx) => {
    const datastore = await lockDatastore(tx, organizationId, id);
    const row = await insertOrLockDatasource(tx, datastore, source, now);
    if (row.type !== source.type) {
      throw problem(
        'datasource_type_fixed',
        `The address ${String(source.address)} belongs to the ${row.type} ${row.id} in this datastore.`,
      );
    }
    const { name, customId, config } = source;
    // The first sync of a listing reads all items.
    const kind = { mode: source.type === 'item_listing' ? 'full' : null, dryRun: false } as const;
    const changedRow = { ...row, name: name ?? row.name, customId, config };
    const [started] = await startRuns(tx, datastore, [{ ...changedRow, ...planNextSync(changedRow, now) }], {
      now,
      kind,
      // A person may be waiting until a page is indexed. Sites and listings take too long for that.
      jobClass: source.type === 'web_page' ? 'interactive' : 'sync',
    });
    if (started === undefined) throw new Error(`expected a started run of the datasource ${row.id}, found none`);
    return started;
  });
}

/**
 * Inserts a datasource. If the datastore already contains a datasource of the same page, locks it until the transaction
 * ends.
 */
async function insertOrLockDatasource(
  tx: Queries,
  datastore: DatastoreRow,
  source: RemoteSource,
  now: Date,
): Promise<DatasourceRow> {
  const { address, encryptHeaders, type, customId, config, readFrom } = source;
  const name = source.name ?? readFrom.slice(0, MAX_NAME_LENGTH);
  const id = newId();
  const { organizationId, id: datastoreId } = datastore;
  const times = { createdAt: now, updatedAt: now };
  const row = {
    ...{ type, name, customId, config },
    encryptedHeaders: encryptHeaders(id),
    ...INITIAL_STATE,
    ...times,
    id,
    organizationId,
    datastoreId,
    documentKey: address,
  };
  const [stored] = await tx
    .insert(datasources)
    .values(row)
    .onConflictDoUpdate({ target: [datasources.datastoreId, datasources.documentKey], set: { updatedAt: now } })
    .returning();
  if (stored === undefined) throw new Error(`expected the stored ${type} ${name}, found no row`);
  return stored;
}
