import type { AgentQueryResponse } from '@quarry/contracts';
import type { Response } from 'express';
import { sendAnswer, type Answer } from '../idempotency/answer.js';
import { openEventStream } from './event-stream.js';
import { createAnswerFramer, DONE_FRAME, endpointResponseFrames } from './sse.js';

/** Sends an answer that was kept for a repeated request: whole, or as a stream whose text is one piece. */
export async function replayAnswer(response: Response, kept: Answer, isStreamed: boolean): Promise<void> {
  response.setHeader('Idempotency-Replayed', 'true');
  if (!isStreamed) {
    sendAnswer(response, kept);
    return;
  }
  const answer = JSON.parse(kept.text) as AgentQueryResponse; // sealed: it is what was sent
  const stream = openEventStream(response);
  const framer = createAnswerFramer();
  await stream.write(framer.frame(answer.answer) + framer.end());
  for (const frame of endpointResponseFrames(answer)) await stream.write(frame);
  await stream.write(DONE_FRAME);
  stream.end();
}
