import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { HEARTBEAT_FRAME } from './sse.js';

/** A stream of server-sent events on its way to a client. */
export interface EventStream {
  /** Waits while the client reads slower than is written. What is written after the client has left goes nowhere. */
  write(frames: string): Promise<void>;
  end(): void;
}

/** Proxies close what says nothing for half a minute or so. */
const HEARTBEAT_MS = 15_000;
/** A client that takes nothing for so long has left without saying so. */
const STALLED_MS = 120_000;

/**
 * Sends the headers at once, so that the client knows that its question was taken.
 *
 * @param heartbeatMs after so long without a sign of life it gives one
 */
export function openEventStream(response: ServerResponse, heartbeatMs = HEARTBEAT_MS): EventStream {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  response.setTimeout(STALLED_MS, () => response.destroy());
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT_FRAME);
  }, heartbeatMs);
  response.once('close', () => {
    clearInterval(heartbeat);
  });
  return {
    write: async (frames) => {
      if (frames === '' || response.closed || response.write(frames)) return;
      await drained(response);
    },
    end: () => {
      clearInterval(heartbeat);
      response.end();
    },
  };
}

/** A client that leaves never drains. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.closed) return;
  const done = new AbortController();
  await Promise.race([
    once(response, 'drain', { signal: done.signal }),
    once(response, 'close', { signal: done.signal }),
  ]);
  done.abort();
}
