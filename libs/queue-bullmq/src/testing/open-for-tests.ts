import type { Queues } from '@quarry/queue';
import { silentLog, TAKEOVER_MS } from '@quarry/queue/testing';
import { openQueues } from '../open-queues.js';

/** Opens queues that log nothing and take over the jobs of a killed process soon. */
export function openForTests(url: string, maxStalls = 10): Promise<Queues> {
  return openQueues({ url, log: silentLog, takeoverMs: TAKEOVER_MS, maxStalls });
}
