import { CreateItemListingRequest, CreateWebPageRequest, CreateWebSiteRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { invalid } from '../checks/invalid.js';
import { readHeaders } from './listing-headers.js';

/** A datasource that is fetched from an address. */
export type ByAddress = CreateWebPageRequest | CreateWebSiteRequest | CreateItemListingRequest;

/** @throws ValidationError, Problem naming each field that is wrong */
export function readByAddress(body: unknown): ByAddress {
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  switch (type) {
    case 'web_page':
      return parse(CreateWebPageRequest, body, 'ignore');
    case 'web_site':
      return parse(CreateWebSiteRequest, body, 'ignore');
    case 'item_listing':
      // Before the rest is looked at: what is found wrong elsewhere is shown, and these never are.
      readHeaders(configOf(body));
      return parse(CreateItemListingRequest, body, 'ignore');
    case 'file':
      throw invalid('type', 'file is sent as multipart/form-data with the file in the field file, found JSON');
    default:
      throw invalid('type', `must be web_page, web_site or item_listing, found ${JSON.stringify(type ?? null)}`);
  }
}

function configOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'config' in body ? body.config : undefined;
}
