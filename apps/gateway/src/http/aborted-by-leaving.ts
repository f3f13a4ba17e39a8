import type { Response } from 'express';

/** Aborted when the client leaves before it has its response: then nobody wants what is still being done for it. */
export function abortedByLeaving(response: Response, ending = new AbortController()): AbortSignal {
  response.once('close', () => {
    if (!response.writableFinished) ending.abort(new Error('the client left'));
  });
  return ending.signal;
}
