import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Maximum number of garbage collections. Memory that is used after the last one is assumed to be referenced. */
const MAX_COLLECTIONS = 200;

/**
 * Returns the number of bytes in the buffers of this process. Collects garbage until the number is below `limit`, at
 * most `MAX_COLLECTIONS` times. One collection is not enough: V8 frees buffers later on another thread, and a buffer
 * that is written to a socket stays referenced for some turns of the event loop.
 */
export async function measureBufferMemory(limit: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  // V8 defines `gc` only in contexts that are created after the flag is set.
  const collect = runInNewContext('gc') as () => void;
  let bytes = Infinity;
  for (let round = 0; round < MAX_COLLECTIONS && bytes >= limit; round += 1) {
    if (round > 0) await nextTurn();
    collect();
    bytes = process.memoryUsage().arrayBuffers;
  }
  return bytes;
}
