import type { AgentQueryResponse } from '@quarry/contracts';
import { Problem } from '@quarry/service-kit';
import type { Gateway } from '../gateway.js';
import { finishAnswer } from './finish-answer.js';
import { followAnswer, type OpenAnswer } from './follow-answer.js';

/** Waits for the complete answer. @throws Problem when the answer failed */
export async function completeAnswer(
  gateway: Pick<Gateway, 'db' | 'clock'>,
  { turn, events, signal, keep }: OpenAnswer,
): Promise<AgentQueryResponse> {
  const outcome = await followAnswer(events, signal, async () => Promise.resolve());
  const finished = await finishAnswer(gateway, turn, outcome, false);
  if (finished instanceof Problem) throw finished;
  await keep(finished);
  return finished;
}
