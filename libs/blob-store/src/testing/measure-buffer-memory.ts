import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Maximum number of garbage collections. Memory that is used after the last one is assumed to be referenced. */
const MAX_COLLECTIONS = 200;

/**
 * Returns the number of bytes in buffers. Collects garbage until the number is below `limit`, at most `MAX_COLLECTIONS`
 * times: V8 frees buffers on another thread after a collection, and a buffer that is being written to a socket is
 * referenced for some turns of the event loop.
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
