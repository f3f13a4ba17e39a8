import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel } from '../models/chat-model.js';
import { answerEvents } from './answer.js';
import type { QueryParts } from '../query-parts.js';
import { SearchOverloaded } from '../retrieval/search-admission.js';
import { toFailedEvent } from './failure.js';

export interface Telling {
  readonly parts: QueryParts;
  readonly log: Log;
  /** Aborts when the caller leaves. */
  readonly leaving: AbortSignal;
  /** Aborts with `ServiceStopping` when answers have to end. */
  readonly stopping: AbortSignal;
}

/**
 * The events of an answer as its caller is told them: whatever goes wrong on the way is `failed`, in the log and in the numbers.
 *
 * @throws the signal's reason when the caller leaves
 */
export async function* toldEvents(
  { parts, log, leaving, stopping }: Telling,
  request: AnswerRequest,
  model: ChatModel | undefined,
): AsyncGenerator<AnswerEvent> {
  const clock = parts.measurements.beginAnswer();
  const state = { ended: false };
  const told = (event: AnswerEvent): AnswerEvent => {
    clock.on(event);
    state.ended = event.type !== 'delta';
    return event;
  };
  try {
    const signal = AbortSignal.any([leaving, stopping]);
    for await (const event of answerEvents({ ...parts, log }, request, model, signal)) yield told(event);
  } catch (error) {
    leaving.throwIfAborted();
    report(log, error);
    yield told(toFailedEvent(error));
  } finally {
    if (!state.ended) {
      clock.left();
      log.info('the caller left before the end of the answer');
    }
  }
}

/** What a provider does is not our error. */
function report(log: Log, error: unknown): void {
  if (error instanceof ModelFailed) log.warn({ err: error, code: error.code }, 'the model gave no answer');
  else if (error instanceof SearchOverloaded) log.warn({ err: error }, 'an answer was refused');
  else log.error({ err: error }, 'an answer failed');
}
