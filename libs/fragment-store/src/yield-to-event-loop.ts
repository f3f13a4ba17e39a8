import { setImmediate as others } from 'node:timers/promises';

/** Maximum time in milliseconds for which an iteration blocks the event loop. */
const MAX_BLOCKING_MS = 20;

/**
 * Iterates over items. Between two items, lets the event loop run other tasks if the iteration has blocked the event
 * loop for more than 20 ms. A document may have tens of thousands of fragments, and the process must also answer
 * requests and renew locks during the iteration.
 */
export async function* yieldToEventLoop<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > MAX_BLOCKING_MS) {
      await others();
      begun = performance.now();
    }
    yield item;
  }
}
