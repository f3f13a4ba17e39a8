import type { AgentQueryResponse } from '@quarry/contracts';
import { Problem, requestOf, toProblem } from '@quarry/service-kit';
import type { Response } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { openEventStream, type EventStream } from './event-stream.js';
import { finishAnswer } from './finish-answer.js';
import { followAnswer, type OpenAnswer } from './follow-answer.js';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames, errorFrame } from './sse.js';

/**
 * Streams an answer. A stream ends with `[DONE]` or `[ERROR]`, always: clients ask everything again when it does not.
 * Never throws: the status is sent before anything can go wrong.
 */
export async function streamAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  response: Response,
  { turn, events, signal, keep }: OpenAnswer,
): Promise<void> {
  const stream = openEventStream(response);
  const framer = createAnswerFramer();
  const outcome = await followAnswer(events, signal, async (text) => stream.write(framer.frame(text)));
  await stream.write(framer.end());
  const finished = await finishAnswer(gateway, turn, outcome, true).catch((error: unknown) => {
    requestOf(response).log.error({ err: redactQueryParameters(error) }, 'an answer was not written down');
    return toProblem(error);
  });
  if (!(finished instanceof Problem)) await keep(finished);
  await (finished instanceof Problem ? sayProblem(stream, finished) : sayResponse(stream, finished));
  stream.end();
}

async function sayResponse(stream: EventStream, response: AgentQueryResponse): Promise<void> {
  for (const frame of endpointResponseFrames(response)) await stream.write(frame);
  await stream.write(DONE_FRAME);
}

async function sayProblem(stream: EventStream, problem: Problem): Promise<void> {
  await stream.write(errorFrame(problem.code, problem.message));
}
