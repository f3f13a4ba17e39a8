import type { Datasource } from './types.js';
import { wait } from './wait-for-retry.js';

const SETTLED: readonly Datasource['status'][] = ['synched', 'error', 'usage_limit_reached'];
const MIN_WAIT_MS = 50;
const MAX_WAIT_MS = 1_000;
const BACKOFF_FACTOR = 1.5;

/** Polls the datasource, with a growing delay between requests. */
export async function untilSettled(get: () => Promise<Datasource>, signal?: AbortSignal): Promise<Datasource> {
  for (let waitMs = MIN_WAIT_MS; ; waitMs = Math.min(waitMs * BACKOFF_FACTOR, MAX_WAIT_MS)) {
    const datasource = await get();
    if (SETTLED.includes(datasource.status)) return datasource;
    await wait(waitMs, signal);
  }
}
