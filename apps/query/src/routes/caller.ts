import type { Response } from 'express';

/** Whoever asked does not wait for the answer any more. */
export class CallerLeft extends Error {
  constructor() {
    super('the caller left before the end of the response');
    this.name = 'CallerLeft';
  }
}

/**
 * Returns a signal that aborts with `CallerLeft` when the connection closes before the response is complete. It is created
 * before anything else: a connection that is closed already emits no `close` any more.
 */
export function leavingOf(response: Response): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) leaving.abort(new CallerLeft());
  };
  if (response.closed) leave();
  else response.once('close', leave);
  return leaving.signal;
}
