import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const AGAIN_MS = 20;

/**
 * What a customer's program does about a connection that is refused or lost before an answer came: sends the same request
 * again. Its client has named what it makes, so that it is made once. Whatever was answered is the answer.
 *
 * @param onAgain told of each time that it is sent again
 */
export function patientFetch(onAgain: () => void): typeof fetch {
  return async (address, init) => {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await fetch(address, init);
      } catch (error) {
        // This is how fetch says that there is no connection.
        if (!(error instanceof TypeError) || Date.now() > deadline) throw error;
        onAgain();
        await pause(AGAIN_MS);
      }
    }
  };
}
