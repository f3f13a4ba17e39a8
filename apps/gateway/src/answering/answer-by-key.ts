import { requestOf } from '@quarry/service-kit';
import type { Response } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { done } from '../idempotency/answer.js';
import type { Claim } from '../idempotency/claim.js';
import { leaseAnswer } from '../idempotency/lease-answer.js';
import type { OpenAnswer } from './follow-answer.js';
import { replayAnswer } from './replay-answer.js';

/**
 * Answers a question once for each `Idempotency-Key`: the same request again gets the same answer, and is neither asked nor counted
 * again. Without a key it answers each time.
 *
 * @param answer gives the answer, and keeps it by the function that it receives
 * @throws Problem 409, and what `answer` throws; an answer that fails is not kept
 */
export async function answerByKey(
  gateway: Pick<Gateway, 'db' | 'clock' | 'log'>,
  { claim, isStreamed }: { readonly claim: Claim | undefined; readonly isStreamed: boolean },
  response: Response,
  answer: (keep: OpenAnswer['keep']) => Promise<void>,
): Promise<void> {
  if (claim === undefined) {
    await answer(async () => Promise.resolve());
    return;
  }
  const { log } = requestOf(response);
  const lease = await leaseAnswer(gateway, claim);
  if ('status' in lease) {
    await replayAnswer(response, lease, isStreamed);
    return;
  }
  try {
    await answer(async (given) => {
      await lease.keep(done(given)).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'an answer was not kept for repeated requests');
      });
    });
  } finally {
    await lease.end().catch((error: unknown) => {
      log.warn({ err: redactQueryParameters(error) }, 'the lease of an answer was not ended: it expires by itself');
    });
  }
}
