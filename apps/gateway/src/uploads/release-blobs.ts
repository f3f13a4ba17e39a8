import type { Gateway } from '../gateway.js';
import { withoutParameters } from '../database/query-error.js';
import { takeBackBlobs } from './discarded-blobs.js';

/**
 * Removes the blobs of a request that failed, unless they came into use after all. When that fails too, the watchdog removes them
 * later: so this never throws, and the request's own failure is what is told.
 */
export async function releaseBlobs(
  { db, blobs, log }: Pick<Gateway, 'db' | 'blobs' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const unused = await takeBackBlobs(tx, keys);
      await Promise.all(unused.map(async (key) => blobs.remove(key)));
    });
  } catch (error) {
    log.warn(
      { err: withoutParameters(error), keys: keys.length },
      'blobs of a failed request are left for the watchdog',
    );
  }
}
