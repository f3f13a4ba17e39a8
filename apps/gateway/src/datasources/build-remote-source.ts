import type { CreateItemListingRequest } from '@quarry/contracts';
import { encryptHeaders } from '@quarry/encrypted-secrets';
import type { Gateway } from '../gateway.js';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { validateSchedules } from '../schedule/next-sync.js';
import { readListingHeaders } from './listing-headers.js';
import type { RemoteSourceRequest } from './parse-remote-source.js';
import type { RemoteSource } from './save-remote-source.js';

/**
 * Converts a request to create a page, a site or a listing to the values that are stored.
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

function toRecord(config: object): RemoteSource['config'] {
  return Object.fromEntries(Object.entries(config));
}
