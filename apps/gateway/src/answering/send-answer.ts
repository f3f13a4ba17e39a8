import { Problem } from '@quarry/service-kit';
import type { Response } from 'express';
import type { Gateway } from '../gateway.js';
import { finishAnswer } from './finish-answer.js';
import { followAnswer, type OpenAnswer } from './follow-answer.js';

/** Sends an answer whole. @throws Problem when there is none and the client is still there to hear why */
export async function sendAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  response: Response,
  { turn, events, signal, keep }: OpenAnswer,
): Promise<void> {
  const outcome = await followAnswer(events, signal, async () => Promise.resolve());
  const finished = await finishAnswer(gateway, turn, outcome, false);
  if (!(finished instanceof Problem)) await keep(finished);
  if (response.closed) return;
  if (finished instanceof Problem) throw finished;
  response.json(finished);
}
