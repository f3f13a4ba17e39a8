import { once } from 'node:events';
import type { Response } from 'express';

export interface Lines<Event> {
  /**
   * Resolves when there is room for more.
   *
   * @throws the signal's reason when the caller leaves meanwhile
   */
  write(event: Event): Promise<void>;
}

/**
 * Sends the headers of a stream of JSON lines at once. JSON has no line break in it, and escapes what UTF-8 cannot say (half a
 * surrogate pair), so any text survives.
 *
 * @param leaving aborts when the caller leaves
 */
export function openLines<Event>(response: Response, leaving: AbortSignal): Lines<Event> {
  response.status(200);
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  return {
    write: async (event) => {
      leaving.throwIfAborted();
      if (response.write(`${JSON.stringify(event)}\n`)) return;
      await once(response, 'drain', { signal: leaving }).catch((error: unknown) => {
        leaving.throwIfAborted();
        throw error;
      });
    },
  };
}
