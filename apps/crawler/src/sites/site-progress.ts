import { NO_COUNTERS } from '@quarry/contracts';
import type { RunEvents } from '../handlers/run-events.js';

const EVERY_PAGES = 20;
const EVERY_MS = 30_000;

/** Tells how far a crawl is: often enough to be seen to go on, seldom enough not to crowd the queue. */
export function siteProgress(events: RunEvents, now: () => number): (done: number, total: number) => Promise<void> {
  let toldDone = -EVERY_PAGES;
  let toldAt = now();
  return async (done, total) => {
    if (done - toldDone < EVERY_PAGES && now() - toldAt < EVERY_MS) return;
    [toldDone, toldAt] = [done, now()];
    await events.progressed({ done, total, unit: 'pages' }, { ...NO_COUNTERS, discovered: total, fetched: done });
  };
}
