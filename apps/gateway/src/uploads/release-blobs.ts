import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { forgetBlobs, takeBackBlobs } from '../blobs/discarded-blobs.js';

/**
 * Removes the blobs of a request that failed, unless they came into use after all. When that fails too, the watchdog removes them
 * later: so this never throws, and the client receives the request's own failure.
 */
export async function releaseBlobs(
  { db, blobs, log, clock }: Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>,
  keys: readonly string[],
): Promise<void> {
  try {
    const unused = await takeBackBlobs(db, keys, clock());
    await Promise.all(unused.map(async (key) => blobs.remove(key)));
    await forgetBlobs(db, unused);
  } catch (error) {
    log.warn(
      { err: redactQueryParameters(error), keys: keys.length },
      'blobs of a failed request are left for the watchdog',
    );
  }
}
