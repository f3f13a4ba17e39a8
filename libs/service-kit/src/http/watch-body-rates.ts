import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Milliseconds over which the rate of a request body is averaged. The time is long, because mobile connections can
 * pause for some seconds.
 */
const BODY_WINDOW_MS = 15_000;

const CHECK_MS = 1_000;

/**
 * Holds the time over which the rate of a body is averaged, and the interval of checks, in milliseconds. Tests use
 * shorter times.
 */
export interface RateChecks {
  readonly windowMs: number;
  readonly checkMs: number;
}

/** Describes a request body that the service is receiving. */
interface ReceivedBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Milliseconds in the current window for which the service has waited for the client. */
  waitedMs: number;
  bytesBefore: number;
}

/**
 * Monitors the rate at which request bodies arrive. Only time in which the service waits for data counts.
 *
 * @param onSlow called once for each request whose body arrives too slowly
 */
export function watchBodyRates(
  server: Server,
  minBytesPerSecond: number,
  onSlow: (request: IncomingMessage, response: ServerResponse) => void,
  { windowMs, checkMs }: RateChecks = { windowMs: BODY_WINDOW_MS, checkMs: CHECK_MS },
): void {
  if (minBytesPerSecond === 0) return;
  const bodies = new Set<ReceivedBody>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    bodies.add({ request, response, waitedMs: 0, bytesBefore: request.socket.bytesRead });
  });
  const timer = setInterval(() => {
    for (const body of bodies) {
      if (body.request.complete || body.request.destroyed) {
        bodies.delete(body);
        continue;
      }
      addWaitingTime(body, checkMs);
      if (body.waitedMs < windowMs) continue;
      if (isTooSlow(body, minBytesPerSecond)) {
        bodies.delete(body);
        onSlow(body.request, body.response);
      } else startWindow(body);
    }
  }, checkMs).unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}

/** Adds `checkMs` to the waiting time of a body if the service waits for the client. */
function addWaitingTime(body: ReceivedBody, checkMs: number): void {
  const { request } = body;
  // The service waits for the client only while it reads and has read all received bytes.
  if (request.readableFlowing === true && request.readableLength === 0) body.waitedMs += checkMs;
}

/** Returns whether a body has arrived below the minimum rate in the current window. */
function isTooSlow({ request, bytesBefore, waitedMs }: ReceivedBody, minBytesPerSecond: number): boolean {
  return request.socket.bytesRead - bytesBefore < (waitedMs / 1_000) * minBytesPerSecond;
}

function startWindow(body: ReceivedBody): void {
  body.waitedMs = 0;
  body.bytesBefore = body.request.socket.bytesRead;
}
