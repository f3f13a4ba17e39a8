import { CreateItemListingRequest, CreateWebPageRequest, CreateWebSiteRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { createFieldProblem } from '../checks/field-problem.js';
import { readListingHeaders } from './listing-headers.js';

/** A request to create a datasource whose content Quarry fetches from an address. */
export type RemoteSourceRequest = CreateWebPageRequest | CreateWebSiteRequest | CreateItemListingRequest;

/** Parses a request to create a page, a site or a listing. @throws ValidationError or Problem with the invalid fields */
export function parseRemoteSource(body: unknown): RemoteSourceRequest {
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  switch (type) {
    case 'web_page':
      return parse(CreateWebPageRequest, body, 'ignore');
    case 'web_site':
      return parse(CreateWebSiteRequest, body, 'ignore');
    case 'item_listing':
      // Validation errors contain the values of fields. Headers are secret, so a function that omits their values checks them first.
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
