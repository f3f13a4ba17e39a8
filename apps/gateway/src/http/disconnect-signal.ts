import type { Response } from 'express';

/**
 * Creates a signal that aborts when the client disconnects before the response is complete. The signal is already
 * aborted if the client has disconnected. Call this function before the first `await` of a handler, so that no
 * disconnect is missed.
 */
export function createDisconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort(new Error('the client disconnected'));
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  return controller.signal;
}
