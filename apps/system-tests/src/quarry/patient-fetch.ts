import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const AGAIN_MS = 20;
/** Node's and undici's codes for a connection that was refused, or that ended before an answer began. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/**
 * What a customer's program does about a connection that is refused or lost before an answer came: sends the same request
 * again. Its client has named what it makes, so that it is made once. Whatever was answered is the answer, also when it breaks off.
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
        if (!hadNoConnection(error) || Date.now() > deadline) throw error;
        onAgain();
        await pause(AGAIN_MS);
      }
    }
  };
}

function hadNoConnection(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && NO_CONNECTION.has(String(error.cause.code));
}
