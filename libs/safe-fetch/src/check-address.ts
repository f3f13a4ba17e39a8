import { createAddressRule, type AddressRuleSettings } from './address-rules.js';
import { buildOutgoingHeaders, type HeaderFields } from './outgoing-headers.js';
import { parseUrl } from './url-rules.js';

/**
 * Checks a URL before it is fetched, without DNS, so that users get immediate feedback.
 *
 * @throws FetchRefused
 */
export function checkAddress(text: string, settings: AddressRuleSettings): URL {
  return parseUrl(text, createAddressRule(settings));
}

/** Checks headers before they are sent. The message never contains a value. @throws FetchRefused */
export function checkHeaders(headers: HeaderFields): void {
  buildOutgoingHeaders({}, headers);
}
