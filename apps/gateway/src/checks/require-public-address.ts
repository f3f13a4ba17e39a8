import { checkAddress, FetchRefused } from '@quarry/safe-fetch';
import { invalid } from './invalid.js';

/** The maximum length of an address once it is encoded, as in browsers and sitemaps. The crawler reads no longer one. */
const MAX_LENGTH = 2_048;

/**
 * Refuses an address that will never be fetched, where that can be seen from the address itself.
 *
 * @param path of the field
 * @throws Problem 400
 */
export function requirePublicAddress(path: string, address: string | undefined, allowLoopback: boolean): void {
  if (address === undefined) return;
  const { length } = URL.parse(address)?.href ?? address;
  if (length > MAX_LENGTH) {
    throw invalid(path, `may have ${MAX_LENGTH} characters once it is encoded, found ${length}`);
  }
  try {
    checkAddress(address, { allowLoopback });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalid(path, `must be an address that everybody can reach: ${error.message}`);
  }
}
