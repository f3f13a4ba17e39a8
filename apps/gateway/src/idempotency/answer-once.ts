import type { Request, Response } from 'express';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import { sendAnswer, type Answer } from './answer.js';
import { readClaim } from './claim.js';
import { findAnswer, keepAnswer, takeClaim } from './keep-answer.js';

type Needed = Pick<Gateway, 'db' | 'clock' | 'outboxWritten'>;

/**
 * Answers a request that makes something. One with an `Idempotency-Key` makes it once: the same request again gets the same answer
 * for 24 hours, and one that comes at the same time waits for it. What is made and its answer are written in one transaction, so
 * that there is never one without the other. A refusal is not kept: nothing was made.
 *
 * @param asked what tells this request from another one with the same key: its body
 * @param make uses nothing but the database it is given, which is a transaction: it may hold one of the last connections
 * @returns false when the answer was given before, and nothing was made
 * @throws Problem 409 for a key of another request
 */
export async function answerOnce(
  gateway: Needed,
  request: Request,
  response: Response,
  asked: unknown,
  make: (db: Queries) => Promise<Answer>,
): Promise<boolean> {
  const claim = readClaim(request, response, asked);
  const { answer, isMade } = await gateway.db.transaction(async (tx) => {
    const earlier = claim === undefined ? undefined : await takeClaim(tx, claim, gateway.clock());
    if (earlier !== undefined) return { answer: earlier, isMade: false };
    const made = await make(tx);
    if (claim !== undefined) await keepAnswer(tx, claim, made);
    return { answer: made, isMade: true };
  });
  gateway.outboxWritten.wake();
  if (!isMade) response.setHeader('Idempotency-Replayed', 'true');
  sendAnswer(response, answer);
  return isMade;
}

/**
 * Answers a request whose answer is known, before something is done for it that takes long.
 *
 * @returns whether it did
 */
export async function answerAgain(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  request: Request,
  response: Response,
  asked: unknown,
): Promise<boolean> {
  const claim = readClaim(request, response, asked);
  const earlier = claim === undefined ? undefined : await findAnswer(db, claim, clock());
  if (earlier === undefined) return false;
  response.setHeader('Idempotency-Replayed', 'true');
  sendAnswer(response, earlier);
  return true;
}
