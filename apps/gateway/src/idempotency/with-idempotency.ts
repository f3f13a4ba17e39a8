import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { Claim } from './claim.js';
import { findResponse, keepResponse, takeClaim } from './keep-response.js';

/** Converts a response to the text that is kept for repeated requests, and back. */
export interface ResponseCodec<Response> {
  serialize(response: Response): string;
  parse(text: string): Response;
}

/**
 * Creates something once for each claim. An equal request within 24 hours gets the same response, and one that arrives at the same
 * time waits for it. What is created and its response are written in one transaction, so that there is never one without the other.
 * A refusal is not kept: nothing was created.
 *
 * @param claim undefined: the client does not name its request, and each request creates
 * @param create uses nothing but the database it receives, which is a transaction: it may hold one of the last connections
 * @throws Problem 409 for the key of another request
 */
export async function withIdempotency<Response>(
  gateway: Pick<Gateway, 'db' | 'clock' | 'outboxWritten'>,
  claim: Claim | undefined,
  codec: ResponseCodec<Response>,
  create: (tx: Queries) => Promise<Response>,
): Promise<Response> {
  const response = await gateway.db.transaction(async (tx) => {
    if (claim === undefined) return create(tx);
    const earlier = await takeClaim(tx, claim, gateway.clock());
    if (earlier !== undefined) return codec.parse(earlier);
    const created = await create(tx);
    await keepResponse(tx, claim, codec.serialize(created));
    return created;
  });
  gateway.outboxWritten.wake();
  return response;
}

/** Finds the response to an earlier equal request, before work begins that takes long. */
export async function replayResponse<Response>(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  claim: Claim | undefined,
  codec: ResponseCodec<Response>,
): Promise<Response | undefined> {
  const earlier = claim === undefined ? undefined : await findResponse(db, claim, clock());
  return earlier === undefined ? undefined : codec.parse(earlier);
}
