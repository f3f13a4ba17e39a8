import { once } from 'node:events';
import type { Response } from 'express';

export interface Lines<Event> {
  /**
   * Writes an event, and resolves when the connection can take more.
   *
   * @throws the signal's reason when the caller disconnects meanwhile
   */
  write(event: Event): Promise<void>;
}

/**
 * Opens a response with one JSON value per line, and sends its headers at once. JSON text contains no raw line breaks and escapes
 * unpaired surrogates, so every text arrives unchanged.
 *
 * @param leaving aborts when the caller disconnects
 */
export function openJsonLines<Event>(response: Response, leaving: AbortSignal): Lines<Event> {
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
