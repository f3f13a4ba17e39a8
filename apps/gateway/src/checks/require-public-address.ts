import { parseAllowedUrl, FetchRefused } from '@quarry/safe-fetch';
import { createFieldProblem } from './field-problem.js';

/**
 * Maximum length of a percent-encoded address in characters, the same as in sitemaps. The crawler ignores longer
 * addresses.
 */
const MAX_LENGTH = 2_048;

/**
 * Refuses an address whose host is obviously not public, such as `http://10.0.0.1`, because Quarry never sends requests
 * to such a host.
 *
 * @param path the field of the request that contains the address, such as `config.url`
 * @param allowLoopback true: addresses of this machine are accepted
 * @throws Problem 400
 */
export function requirePublicAddress(path: string, address: string | undefined, allowLoopback: boolean): void {
  if (address === undefined) return;
  const { length } = URL.parse(address)?.href ?? address;
  if (length > MAX_LENGTH) {
    throw createFieldProblem(path, `must have at most ${MAX_LENGTH} characters when encoded, found ${length}`);
  }
  try {
    parseAllowedUrl(address, { allowLoopback });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw createFieldProblem(path, `must be a public address: ${error.message}`);
  }
}
