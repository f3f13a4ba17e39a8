import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { EventStream } from '../answering/event-stream.js';
import { HEARTBEAT_FRAME } from '../answering/sse.js';

/** Many proxies close connections without data after about 30 s. */
const HEARTBEAT_MS = 15_000;
/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 120_000;

/**
 * Opens a stream of server-sent events. Sends the headers immediately, so that the client sees that its question was accepted.
 *
 * @param heartbeatMs the interval between comments that keep the connection open
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
      await waitForDrain(response);
    },
    end: () => {
      clearInterval(heartbeat);
      response.end();
    },
  };
}

/** Waits until the client has read the buffered data or has disconnected. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  if (response.closed) return;
  const settled = new AbortController();
  await Promise.race([
    once(response, 'drain', { signal: settled.signal }),
    once(response, 'close', { signal: settled.signal }),
  ]);
  settled.abort();
}
