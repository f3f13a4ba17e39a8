import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const AGAIN_MS = 20;

/**
 * What a customer's program does about a connection that is refused or lost before an answer came: sends the same request
 * again, named, so that it makes nothing twice. Whatever was answered is the answer.
 *
 * @param onAgain told of each time that it is sent again
 */
export function patientFetch(onAgain: () => void): typeof fetch {
  return async (address, init) => {
    const headers = new Headers(init?.headers);
    if (init?.method === 'POST') headers.set('Idempotency-Key', randomUUID());
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await fetch(address, { ...init, headers });
      } catch (error) {
        // This is how fetch says that there is no connection.
        if (!(error instanceof TypeError) || Date.now() > deadline) throw error;
        onAgain();
        await pause(AGAIN_MS);
      }
    }
  };
}
