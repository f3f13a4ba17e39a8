import type { Response } from 'express';

/** Reports that the caller disconnected before the response was complete. */
export class CallerDisconnected extends Error {
  constructor() {
    super('the caller disconnected before the end of the response');
    this.name = 'CallerDisconnected';
  }
}

/**
 * Creates a signal that aborts with `CallerDisconnected` if the connection closes before the response is complete, or
 * has already closed.
 */
export function createDisconnectSignal(response: Response): AbortSignal {
  const leaving = new AbortController();
  const abortIfUnfinished = (): void => {
    if (!response.writableFinished) leaving.abort(new CallerDisconnected());
  };
  if (response.closed) abortIfUnfinished();
  else response.once('close', abortIfUnfinished);
  return leaving.signal;
}
