import type { Response } from 'express';

/**
 * Returns a signal that is aborted when the client leaves before it has its response: then nobody wants what is still being done
 * for it. Call it before anything is waited for; a client that has left already is seen as well.
 */
export function abortedByLeaving(response: Response, ending = new AbortController()): AbortSignal {
  if (response.closed) ending.abort(new Error('the client left'));
  response.once('close', () => {
    if (!response.writableFinished) ending.abort(new Error('the client left'));
  });
  return ending.signal;
}
