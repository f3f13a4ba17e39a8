import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that buffers hold now, after all that can be freed is freed. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  // V8 gives the collector, which takes no arguments, to contexts that are made after the flag is set.
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}
