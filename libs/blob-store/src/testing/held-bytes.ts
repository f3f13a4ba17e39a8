import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collections, each with a turn of the event loop, after which what is still held is taken for held for good. */
const MAX_COLLECTIONS = 200;

/**
 * Returns the bytes that buffers hold, once they are below `limit`, or once the garbage collector frees no more. V8 frees buffers after
 * a collection, on another thread; and a buffer on its way to a socket is held for some turns more.
 */
export async function heldBytes(limit: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  // V8 gives the collector, which takes no arguments, to contexts that are made after the flag is set.
  const collect = runInNewContext('gc') as () => void;
  let held = Infinity;
  for (let round = 0; round < MAX_COLLECTIONS && held >= limit; round += 1) {
    if (round > 0) await nextTurn();
    collect();
    held = process.memoryUsage().arrayBuffers;
  }
  return held;
}
