import { checkAddress, FetchRefused } from '@quarry/safe-fetch';
import { invalid } from './invalid.js';

/**
 * Refuses an address that will never be fetched, where that can be seen from the address itself.
 *
 * @param path of the field
 * @throws Problem 400
 */
export function requirePublicAddress(path: string, address: string | undefined, allowLoopback: boolean): void {
  if (address === undefined) return;
  try {
    checkAddress(address, { allowLoopback });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalid(path, `must be an address that everybody can reach: ${error.message}`);
  }
}
