import { setTimeout as pause } from 'node:timers/promises';
import type { FragileStack } from './faults.js';
import type { CampaignContext } from './managed-content.js';
import { Violation } from './violation.js';

/**
 * Time limit for the removal of a deleted datastore's files, in milliseconds. If Redis has lost the removal job, the
 * watchdog enqueues it again within ten minutes.
 */
const REMOVAL_LIMIT_MS = 15 * 60_000;
const POLL_MS = 1_000;

/**
 * Deletes the datastore of the campaign, and waits until all its files in the blob store are removed.
 *
 * @throws Violation if files remain, or the usage still counts stored tokens
 */
export async function verifyDatastoreDeletion(
  { customer, datastoreId }: CampaignContext,
  stack: FragileStack,
): Promise<void> {
  await customer.sendOrSkip('delete the datastore', ['not_found'], async ({ quarry, signal }) =>
    quarry.deleteDatastore(datastoreId, { signal }),
  );
  const { storedTokens } = await customer.sendRequest('usage', async ({ quarry, signal }) =>
    quarry.getUsage({ signal }),
  );
  if (storedTokens.used !== 0) {
    throw new Violation('miscounted', `expected 0 stored tokens in an empty organization, found ${storedTokens.used}`);
  }
  const deadline = Date.now() + REMOVAL_LIMIT_MS;
  for (;;) {
    const blobs = await stack.listBlobs();
    if (blobs.length === 0) return;
    if (Date.now() > deadline)
      throw new Violation('left behind', `expected no files, found ${blobs.slice(0, 10).join(', ')}`);
    await pause(POLL_MS);
  }
}
