import type { AnswerEvent } from '@quarry/contracts';
import { Problem } from '@quarry/service-kit';
import type { Response } from 'express';
import type { Turn } from '../conversations/turn.js';
import type { Gateway } from '../gateway.js';
import { finishAnswer } from './finish-answer.js';
import { followAnswer } from './follow-answer.js';

/** Sends an answer whole. @throws Problem when there is none and the client is still there to hear why */
export async function sendAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  response: Response,
  turn: Turn,
  events: AsyncIterable<AnswerEvent>,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await followAnswer(events, signal, async () => Promise.resolve());
  const finished = await finishAnswer(gateway, turn, outcome, false);
  if (response.closed) return;
  if (finished instanceof Problem) throw finished;
  response.json(finished);
}
