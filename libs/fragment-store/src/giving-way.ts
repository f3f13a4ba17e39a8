import { setImmediate as others } from 'node:timers/promises';

/** How long the process may hear of nothing else. */
const TURN_MS = 20;

/**
 * The same items. Between two of them others have their turn, once what is done with them has taken a while: a document may have
 * tens of thousands of fragments, and the process answers requests and renews locks beside it.
 */
export async function* givingWay<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > TURN_MS) {
      await others();
      begun = performance.now();
    }
    yield item;
  }
}
