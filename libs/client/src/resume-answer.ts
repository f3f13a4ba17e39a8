import { type AnswerEvent, parseAnswerEvents } from './answer-events.js';
import type { Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { openEventStream } from './open-event-stream.js';
import { isTemporaryError, QuarryError } from './quarry-error.js';
import { readResponseBytes } from './read-response-bytes.js';
import { waitForDelay } from './wait-for-retry.js';

/** Identifies an answer by its conversation and its message. */
export interface AnswerIds {
  readonly conversationId: string;
  readonly messageId: string;
}

/** Describes the open stream of a resumable answer. */
interface OpenStream extends AnswerIds {
  readonly response: Response;
  readonly signal: AbortSignal | undefined;
  /** Id of the last received event: the number of characters of the answer up to the end of that event. */
  readonly after: string;
  /** Called each time the stream has been opened again after its connection broke. */
  readonly onResume?: (() => void) | undefined;
}

/**
 * Time for which Quarry continues an answer without a connected client, in milliseconds. Source:
 * docs/interface.md#resumable-streams.
 */
const GRACE_MS = 30_000;
const MAX_WAIT_MS = 4_000;

/** Reads the ids of an answer from the headers of its response. @throws QuarryError if a header is missing */
export function readAnswerIds({ headers, status }: Response): AnswerIds {
  const conversationId = headers.get('quarry-conversation-id');
  const messageId = headers.get('quarry-message-id');
  if (conversationId !== null && messageId !== null) return { conversationId, messageId };
  throw new QuarryError(
    status,
    'unexpected_answer',
    `expected the headers Quarry-Conversation-Id and Quarry-Message-Id, found ${conversationId ?? 'none'} and ${messageId ?? 'none'}`,
  );
}

/**
 * Yields the events of a resumable stream. If the connection breaks, opens the stream again after the last received
 * event.
 */
export async function* readResumableStream(connection: Connection, open: OpenStream): AsyncGenerator<AnswerEvent> {
  let { response, after } = open;
  for (;;) {
    const start = after;
    try {
      yield* parseAnswerEvents(readResponseBytes(response), (id) => {
        after = id;
      });
      return;
    } catch (error) {
      if (!isConnectionError(error) || open.signal?.aborted === true) throw error;
    }
    // Waits if the connection broke before an event arrived, because the server may close each new connection at once.
    const waitMs = after === start ? connection.resumeWaitMs : 0;
    response = await reopenAnswerStream(connection, { ...open, after }, waitMs);
    open.onResume?.();
  }
}

/** Opens the stream of an answer after the first `after` characters of its text. */
export async function openAnswerStream(
  connection: Connection,
  { conversationId, messageId, signal, after }: Omit<OpenStream, 'response'>,
): Promise<Response> {
  const path = { id: conversationId, messageId };
  return openEventStream(connection, { route: ROUTES.streamAnswer, path, query: { after }, signal });
}

/**
 * Opens a stream again after its connection broke. Repeats the request for `GRACE_MS` while the server is unavailable.
 */
async function reopenAnswerStream(
  connection: Connection,
  stream: Omit<OpenStream, 'response'>,
  firstWaitMs: number,
): Promise<Response> {
  const end = Date.now() + GRACE_MS;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(Math.max(2 * waitMs, connection.resumeWaitMs), MAX_WAIT_MS)) {
    await waitForDelay(waitMs, stream.signal);
    try {
      return await openAnswerStream(connection, stream);
    } catch (error) {
      if (!isTemporaryError(error) || stream.signal?.aborted === true || Date.now() + waitMs > end) throw error;
    }
  }
}

/** Returns true for the error of a broken connection: a `TypeError` of `fetch`, or `stream_interrupted`. */
function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof QuarryError && error.code === 'stream_interrupted');
}
