import type { AgentQueryResponse } from '@quarry/contracts';
import { Problem, toProblem } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import type { EventStream } from './event-stream.js';
import { finishAnswer } from './finish-answer.js';
import { followAnswer, type OpenAnswer } from './follow-answer.js';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames, errorFrame } from './sse.js';

/**
 * Streams an answer. The stream always ends with `[DONE]` or `[ERROR]`, because clients repeat the whole request without one.
 * Never rejects: the status is sent before anything can fail.
 */
export async function sendAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  stream: EventStream,
  { turn, events, signal, keep, log }: OpenAnswer,
): Promise<void> {
  const framer = createAnswerFramer();
  const outcome = await followAnswer(events, signal, async (text) => stream.write(framer.frame(text)));
  await stream.write(framer.end());
  const finished = await finishAnswer(gateway, turn, outcome, true).catch((error: unknown) => {
    log.error({ err: redactQueryParameters(error) }, 'an answer could not be stored');
    return toProblem(error);
  });
  if (!(finished instanceof Problem)) await keep(finished);
  await (finished instanceof Problem ? writeProblem(stream, finished) : writeResponse(stream, finished));
  stream.end();
}

/** Streams an answer that was kept for repeated requests. Its text is one frame. */
export async function sendStoredAnswer(stream: EventStream, answer: AgentQueryResponse): Promise<void> {
  const framer = createAnswerFramer();
  await stream.write(framer.frame(answer.answer) + framer.end());
  await writeResponse(stream, answer);
  stream.end();
}

async function writeResponse(stream: EventStream, response: AgentQueryResponse): Promise<void> {
  for (const frame of endpointResponseFrames(response)) await stream.write(frame);
  await stream.write(DONE_FRAME);
}

async function writeProblem(stream: EventStream, problem: Problem): Promise<void> {
  await stream.write(errorFrame(problem.code, problem.message));
}
