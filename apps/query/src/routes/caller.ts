import type { Response } from 'express';

/** Whoever asked does not wait for the answer any more. */
export class CallerLeft extends Error {
  constructor() {
    super('the caller left before the end of the response');
    this.name = 'CallerLeft';
  }
}

/** Aborts with `CallerLeft` when the connection closes before the response was complete. */
export function leavingOf(response: Response): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(new CallerLeft());
  });
  return leaving.signal;
}
