import { AnswerRequest, type AnswerEvent } from '@quarry/contracts';
import { requestOf, type Log } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import { answerEvents } from '../answering/answer.js';
import { toFailedEvent } from '../answering/failure.js';
import type { QueryContext } from '../context.js';
import type { Measurements } from '../measurements.js';
import { ModelFailed } from '../models/chat-model.js';
import { chooseOrRefuse } from '../problems.js';
import { CallerLeft, leavingOf } from './caller.js';
import { openLines } from './event-lines.js';

/**
 * `POST /internal/answer`: `AnswerRequest` → a line of JSON for each `AnswerEvent`. What can be refused is refused before the
 * headers, and these leave before anything is searched.
 *
 * @param stopping aborts with `ServiceStopping` when answers have to end
 */
export function answer(context: QueryContext, measurements: Measurements, stopping: AbortSignal): RequestHandler {
  return async (request, response) => {
    const body = parse(AnswerRequest, request.body, 'ignore');
    const model = chooseOrRefuse(context.models, body.generation.modelName);
    const { log } = requestOf(response);
    const leaving = leavingOf(response);
    const signal = AbortSignal.any([leaving, stopping]);
    const clock = measurements.beginAnswer();
    const lines = openLines<AnswerEvent>(response, leaving);
    const write = async (event: AnswerEvent): Promise<void> => {
      clock.on(event);
      await lines.write(event);
    };
    try {
      for await (const event of answerEvents({ ...context, log }, body, model, signal)) await write(event);
    } catch (error) {
      if (leaving.aborted) {
        clock.left();
        log.info('the caller left before the end of the answer');
        return;
      }
      report(log, error);
      await write(toFailedEvent(error)).catch(ignoreLeaving);
    }
    response.end();
  };
}

/** What a provider does is not our error. */
function report(log: Log, error: unknown): void {
  if (error instanceof ModelFailed) log.warn({ err: error, code: error.code }, 'the model gave no answer');
  else log.error({ err: error }, 'an answer failed');
}

function ignoreLeaving(error: unknown): void {
  if (!(error instanceof CallerLeft)) throw error;
}
