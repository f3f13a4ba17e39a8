import { waitForDelay } from './wait-for-retry.js';

const MIN_WAIT_MS = 50;
const MAX_WAIT_MS = 1_000;
const BACKOFF_FACTOR = 1.5;

/**
 * Requests a resource repeatedly, with a growing delay, until `hasEnded` returns true for the resource.
 *
 * @returns the resource for which `hasEnded` returned true
 */
export async function pollUntil<Resource>(
  get: () => Promise<Resource>,
  hasEnded: (resource: Resource) => boolean,
  signal?: AbortSignal,
): Promise<Resource> {
  for (let waitMs = MIN_WAIT_MS; ; waitMs = Math.min(waitMs * BACKOFF_FACTOR, MAX_WAIT_MS)) {
    const resource = await get();
    if (hasEnded(resource)) return resource;
    await waitForDelay(waitMs, signal);
  }
}
