import type { Response } from 'express';

/** Signals that the caller disconnected before the response was complete. */
export class CallerDisconnected extends Error {
  constructor() {
    super('the caller disconnected before the end of the response');
    this.name = 'CallerDisconnected';
  }
}

/**
 * Returns a signal that aborts with `CallerDisconnected` if the connection closes before the response is complete. Create it
 * before any other work, because a closed connection does not emit `close` again.
 */
export function disconnectSignalOf(response: Response): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) leaving.abort(new CallerDisconnected());
  };
  if (response.closed) leave();
  else response.once('close', leave);
  return leaving.signal;
}
