import { checkAddress, FetchRefused } from '@quarry/safe-fetch';
import { invalidField } from './invalid-field.js';

/** The maximum length of an encoded address, as in browsers and sitemaps. The crawler reads no longer ones. */
const MAX_LENGTH = 2_048;

/**
 * Refuses an address that is visibly not public, such as one in a private network. It would never be fetched.
 *
 * @param path of the field in the request
 * @throws Problem 400
 */
export function requirePublicAddress(path: string, address: string | undefined, allowLoopback: boolean): void {
  if (address === undefined) return;
  const { length } = URL.parse(address)?.href ?? address;
  if (length > MAX_LENGTH) {
    throw invalidField(path, `must have at most ${MAX_LENGTH} characters when encoded, found ${length}`);
  }
  try {
    checkAddress(address, { allowLoopback });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalidField(path, `must be a public address: ${error.message}`);
  }
}
