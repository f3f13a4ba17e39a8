import type { CreateItemListingRequest } from '@quarry/contracts';
import { encryptHeaders } from '@quarry/encrypted-secrets';
import type { Gateway } from '../gateway.js';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { requireSchedules } from '../schedule/next-sync.js';
import { readHeaders } from './listing-headers.js';
import type { ByAddress } from './read-by-address.js';
import type { AddressSource } from './save-by-address.js';

/**
 * What a request for a page, a site or a listing asks for.
 *
 * @throws Problem 400 for an address that cannot be reached from here, and for headers that cannot be sent
 */
export function addressSource(
  { secretCipher, allowLoopback }: Pick<Gateway, 'secretCipher' | 'allowLoopback'>,
  organizationId: string,
  wanted: ByAddress,
): AddressSource {
  const { type, name, config } = wanted;
  requireSchedules(type, plain(config));
  const shared = {
    type,
    name: name ?? null,
    customId: wanted.custom_id ?? null,
    address: null,
    encryptHeaders: () => null,
  };
  if (type === 'item_listing') {
    requirePublicAddress('config.url', wanted.config.url, allowLoopback.catalog);
    const headers = readHeaders(config) ?? {};
    const encrypt = (datasourceId: string): string | null =>
      Object.keys(headers).length === 0
        ? null
        : encryptHeaders(secretCipher, { organizationId, datasourceId }, headers);
    return { ...shared, readFrom: wanted.config.url, config: withoutHeaders(wanted.config), encryptHeaders: encrypt };
  }
  requirePublicAddress('config.source_url', wanted.config.source_url, allowLoopback.crawler);
  if (type === 'web_page') {
    const { source_url: address } = wanted.config;
    return { ...shared, readFrom: address, config: plain(config), address };
  }
  requirePublicAddress('config.sitemap', wanted.config.sitemap, allowLoopback.crawler);
  return { ...shared, readFrom: wanted.config.source_url ?? wanted.config.sitemap ?? '', config: plain(config) };
}

function withoutHeaders(config: CreateItemListingRequest['config']): AddressSource['config'] {
  return Object.fromEntries(Object.entries(config).filter(([field]) => field !== 'headers'));
}

function plain(config: object): AddressSource['config'] {
  return Object.fromEntries(Object.entries(config));
}
