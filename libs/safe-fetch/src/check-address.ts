import { addressRule, type AddressRuleSettings } from './address-rules.js';
import { outgoingHeaders, type HeaderFields } from './outgoing-headers.js';
import { parseUrl } from './url-rules.js';

/**
 * Judges an address by all that needs no look-up, as it will be before it is fetched: so that whoever gives it hears at once.
 *
 * @throws FetchRefused
 */
export function checkAddress(text: string, settings: AddressRuleSettings): URL {
  return parseUrl(text, addressRule(settings));
}

/** Judges headers as they will be before they are sent. The message never holds a value. @throws FetchRefused */
export function checkHeaders(headers: HeaderFields): void {
  outgoingHeaders({}, headers);
}
