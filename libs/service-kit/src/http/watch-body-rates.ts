import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Time over which the rate of a body is measured: long enough for a pause of a mobile connection. */
const BODY_WINDOW_MS = 15_000;

const CHECK_MS = 1_000;

/** Holds the interval of checks and the measured time, which tests can change. */
export interface RateChecks {
  readonly windowMs: number;
  readonly checkMs: number;
}

/** Holds a body that is being received. */
interface Receiving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Time of the current window in which the service waited for the client. */
  waitedMs: number;
  bytesBefore: number;
}

/**
 * Monitors the rate of request bodies. Time in which the service itself does not read does not count.
 *
 * @param onSlow receives each request whose body arrives too slowly, once
 */
export function watchBodyRates(
  server: Server,
  minBytesPerSecond: number,
  onSlow: (request: IncomingMessage, response: ServerResponse) => void,
  { windowMs, checkMs }: RateChecks = { windowMs: BODY_WINDOW_MS, checkMs: CHECK_MS },
): void {
  if (minBytesPerSecond === 0) return;
  const bodies = new Set<Receiving>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    bodies.add({ request, response, waitedMs: 0, bytesBefore: request.socket.bytesRead });
  });
  const timer = setInterval(() => {
    for (const body of bodies) {
      if (body.request.complete || body.request.destroyed) bodies.delete(body);
      else if (isTooSlow(body, checkMs, windowMs, minBytesPerSecond)) {
        bodies.delete(body);
        onSlow(body.request, body.response);
      }
    }
  }, checkMs).unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}

function isTooSlow(body: Receiving, checkMs: number, windowMs: number, minBytesPerSecond: number): boolean {
  const { request } = body;
  // The service waits for the client only while it reads and has read all received bytes.
  if (request.readableFlowing !== true || request.readableLength > 0) return false;
  body.waitedMs += checkMs;
  if (body.waitedMs < windowMs) return false;
  const received = request.socket.bytesRead - body.bytesBefore;
  if (received < (body.waitedMs / 1_000) * minBytesPerSecond) return true;
  body.waitedMs = 0;
  body.bytesBefore = request.socket.bytesRead;
  return false;
}
