import { probeServer, waitUntilReachable, type ProbeServer } from './wait-until-reachable.js';

/**
 * Calls a function that loads code. If it fails while Quarry does not respond, waits until Quarry responds, and calls
 * it again.
 *
 * @throws the error of `load` if two attempts in a row fail although Quarry responds, such as after an update that has
 *   replaced the files
 */
export async function loadWhenReachable<Loaded>(
  load: () => Promise<Loaded>,
  probe: ProbeServer = probeServer,
): Promise<Loaded> {
  // Quarry may respond again shortly after an attempt has failed, so one failure does not show that the file is missing.
  let hasRetried = false;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      const isReachable = await probe();
      if (isReachable && hasRetried) throw error;
      hasRetried = isReachable;
      if (!isReachable) await waitUntilReachable(probe);
    }
  }
}
