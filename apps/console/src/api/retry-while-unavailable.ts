import { isTemporaryError } from '@quarry/client';

/** Time before a stream that could not be opened is opened again, in milliseconds. */
const RETRY_MS = 5_000;

/**
 * Reads a stream of live events. Opens it again while Quarry is unavailable, for example during a restart.
 *
 * @param read reads the stream to its end
 * @throws the error of the stream if a later try cannot succeed, or when `signal` aborts
 */
export async function retryWhileUnavailable(
  read: () => Promise<void>,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): Promise<void> {
  for (;;) {
    try {
      await read();
      return;
    } catch (error) {
      if (signal.aborted || !isTemporaryError(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    signal.throwIfAborted();
  }
}
