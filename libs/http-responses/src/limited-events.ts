import { checkBodyChunks, createTooLongError } from './limited-body.js';

/** Limits the size of a stream of server-sent events. */
export interface EventStreamLimits {
  readonly maxEventBytes: number;
  /** Maximum size of the whole stream, in bytes. */
  readonly maxBytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Returns a function that checks the chunks of a stream. Call the function for each chunk, in order. It throws a
 * RangeError when an event or the whole stream exceeds its limit. A blank line ends an event. The format of the stream
 * is defined in section "Server-sent events" of the HTML standard.
 */
export function createEventLimitCheck({ maxEventBytes, maxBytes }: EventStreamLimits): (chunk: Uint8Array) => void {
  let bytes = 0;
  let eventBytes = 0;
  let isLineBlank = true;
  let previous = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw createTooLongError('a response', maxBytes);
    for (const byte of chunk) {
      const isSecondOfLineEnd = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (isSecondOfLineEnd) continue;
      const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      eventBytes = isLineEnd && isLineBlank ? 0 : eventBytes + 1;
      isLineBlank = isLineEnd;
      if (eventBytes > maxEventBytes) throw createTooLongError('an event', maxEventBytes);
    }
  };
}

/**
 * Returns a copy of a response with a limited stream of events: when an event or the whole stream exceeds its limit,
 * reading the body fails with a RangeError, and the original body is cancelled. For client libraries that read the body
 * themselves.
 */
export function limitEventSizes(response: Response, limits: EventStreamLimits): Response {
  return checkBodyChunks(response, createEventLimitCheck(limits));
}
