import type { Queues } from '@quarry/queue';
import { silentLog, TAKEOVER_MS } from '@quarry/queue/testing';
import { openQueues } from '../open-queues.js';

/** Opens queues without a log and with a short takeover time. */
export function openTestQueues(url: string, maxStalls = 10): Promise<Queues> {
  return openQueues({ url, log: silentLog, takeoverMs: TAKEOVER_MS, maxStalls });
}
