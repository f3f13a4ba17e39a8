import { CreateItemListingRequest, CreateWebPageRequest, CreateWebSiteRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { createFieldProblem } from '../checks/invalid-field.js';
import { readListingHeaders } from './listing-headers.js';

/** A request for a datasource that is fetched from an address. */
export type RemoteSourceRequest = CreateWebPageRequest | CreateWebSiteRequest | CreateItemListingRequest;

/** Parses a request for a page, a site or a listing. @throws ValidationError, Problem with the fields that are not valid */
export function parseRemoteSource(body: unknown): RemoteSourceRequest {
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  switch (type) {
    case 'web_page':
      return parse(CreateWebPageRequest, body, 'ignore');
    case 'web_site':
      return parse(CreateWebSiteRequest, body, 'ignore');
    case 'item_listing':
      // The headers are checked first: messages about other fields contain their values, and headers are secret.
      readListingHeaders(getConfig(body));
      return parse(CreateItemListingRequest, body, 'ignore');
    case 'file':
      throw createFieldProblem('type', 'file requires multipart/form-data with the file in the field file, found JSON');
    default:
      throw createFieldProblem(
        'type',
        `must be web_page, web_site or item_listing, found ${JSON.stringify(type ?? null)}`,
      );
  }
}

function getConfig(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'config' in body ? body.config : undefined;
}
