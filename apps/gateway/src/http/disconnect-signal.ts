import type { Response } from 'express';

/**
 * Returns a signal that aborts when the client disconnects before the response is complete, also if it has already disconnected.
 * Call it before the first `await`, so that no disconnect is missed.
 */
export function createDisconnectSignal(response: Response, controller = new AbortController()): AbortSignal {
  if (response.closed) controller.abort(new Error('the client disconnected'));
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  return controller.signal;
}
