import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { deleteBlobRows, cancelBlobReservations } from '../blobs/discarded-blobs.js';

/**
 * Removes those blobs of a failed request that no datasource uses. Never throws, so that the client receives the
 * original error of the request. If the removal fails, the watchdog removes the blobs later.
 */
export async function releaseBlobs(
  { db, blobs, log, clock }: Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>,
  keys: readonly string[],
): Promise<void> {
  try {
    const unused = await cancelBlobReservations(db, keys, clock());
    await Promise.all(unused.map(async (key) => blobs.remove(key)));
    await deleteBlobRows(db, unused);
  } catch (error) {
    log.warn(
      { err: redactQueryParameters(error), keys: keys.length },
      'failed to remove the blobs of a failed request; the watchdog will remove them',
    );
  }
}
