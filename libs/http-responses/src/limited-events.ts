import { checkBody, createTooLongError } from './limited-body.js';

/** The limits of an event stream. */
export interface EventStreamLimits {
  readonly maxEventBytes: number;
  /** Maximum size of all events together. */
  readonly maxBytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Creates a function that checks the chunks of an event stream in their order. A blank line ends an event. Source: the
 * section "Server-sent events" of the HTML standard.
 *
 * @returns a function that throws a RangeError for a chunk that exceeds a limit
 */
export function createEventLimit({ maxEventBytes, maxBytes }: EventStreamLimits): (chunk: Uint8Array) => void {
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
 * Returns a response whose body fails with a RangeError when an event or all of them exceed their limit, for clients that read
 * the body themselves. The rest is cancelled.
 */
export function limitEvents(response: Response, limits: EventStreamLimits): Response {
  return checkBody(response, createEventLimit(limits));
}
