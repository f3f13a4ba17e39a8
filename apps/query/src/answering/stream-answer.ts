import { linkSignals } from '@quarry/cancellation';
import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel } from '../models/chat-model.js';
import { generateAnswer } from './generate-answer.js';
import type { QueryParts } from '../query-parts.js';
import { SearchOverloaded } from '../retrieval/search-admission.js';
import { toFailedEvent } from './failed-event.js';

/** Holds the dependencies of an answer stream, and the signals that end the stream. */
export interface AnswerStream {
  readonly parts: QueryParts;
  readonly log: Log;
  /** Aborts when the caller of the query service disconnects. */
  readonly leaving: AbortSignal;
  /** Aborts with `ServiceStopping` when the service shuts down. */
  readonly stopping: AbortSignal;
}

/**
 * Yields the events of an answer. Logs and counts a failure, and yields it as the event `failed`.
 *
 * @throws the reason of `leaving` when the caller disconnects
 */
export async function* streamAnswer(
  { parts, log, leaving, stopping }: AnswerStream,
  request: AnswerRequest,
  model: ChatModel | undefined,
): AsyncGenerator<AnswerEvent> {
  const clock = parts.measurements.beginAnswer();
  const state = { ended: false };
  const recordEvent = (event: AnswerEvent): AnswerEvent => {
    clock.recordEvent(event);
    state.ended = event.type !== 'delta';
    return event;
  };
  const { signal, release } = linkSignals(leaving, stopping);
  try {
    for await (const event of generateAnswer({ ...parts, log }, request, model, signal)) yield recordEvent(event);
  } catch (error) {
    leaving.throwIfAborted();
    logFailure(log, error);
    yield recordEvent(toFailedEvent(error));
  } finally {
    release();
    if (!state.ended) {
      clock.recordDisconnect();
      log.info('the caller disconnected before the answer was complete');
    }
  }
}

/** Logs a failed answer: failures of a model provider as warnings, failures of this service as errors. */
function logFailure(log: Log, error: unknown): void {
  if (error instanceof ModelFailed) log.warn({ err: error, code: error.code }, 'the model failed to answer');
  else if (error instanceof SearchOverloaded)
    log.warn({ err: error }, 'an answer was refused because too many searches are queued');
  else log.error({ err: error }, 'an answer failed because of an unexpected error');
}
