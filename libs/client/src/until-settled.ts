import type { Datasource } from './types.js';
import { wait } from './retry-after.js';

const SETTLED: readonly Datasource['status'][] = ['synched', 'error', 'usage_limit_reached'];
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const LONGER = 1.5;

/** Asks again and again, soon at first and less often the longer it takes. */
export async function untilSettled(get: () => Promise<Datasource>, signal?: AbortSignal): Promise<Datasource> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * LONGER, LONGEST_WAIT_MS)) {
    const datasource = await get();
    if (SETTLED.includes(datasource.status)) return datasource;
    await wait(waitMs, signal);
  }
}
