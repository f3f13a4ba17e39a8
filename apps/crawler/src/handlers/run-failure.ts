import { AttemptFailed, GiveUp, TryLater } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import type { PageProblem } from '../pages/page.js';

/** A server that asks for more patience than this does not get it: a run must end. */
const MAX_WAIT_MS = 60 * 60_000;
const MAX_WAITS = 20;

/** What a job throws when what it is about could not be had: whether, and when, it is worth another try. */
export function asFailure({ code, message, passing, retryAfterMs }: PageProblem, run: JobContext): Error {
  const sentence = asSentence(message);
  if (!passing) return new GiveUp(code, sentence);
  if (retryAfterMs !== undefined) {
    return mayWait(retryAfterMs, run) ? new TryLater(retryAfterMs, sentence, { code }) : new GiveUp(code, sentence);
  }
  return new AttemptFailed(code, sentence);
}

export function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Whether a job may come back when the server wants it to. */
export function mayWait(ms: number, run: JobContext): boolean {
  return ms <= MAX_WAIT_MS && run.starts < MAX_WAITS;
}
