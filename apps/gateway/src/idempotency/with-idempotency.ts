import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { Claim } from './claim.js';
import { findResponse, storeResponse, acquireClaim } from './store-response.js';

/** Converts a response to the text that is stored for repeated requests, and back. */
export interface ResponseCodec<Response> {
  serialize(response: Response): string;
  parse(text: string): Response;
}

/**
 * Creates something once for each claim. An equal request within 24 hours receives the same response, and a concurrent one waits
 * for it. The transaction writes the resource and the response together. A refusal is not stored, because nothing was created.
 *
 * @param claim undefined when the request has no `Idempotency-Key`: each request creates
 * @param create must use only the transaction that it receives, which may hold the last free connection
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
    const earlier = await acquireClaim(tx, claim, gateway.clock());
    if (earlier !== undefined) return codec.parse(earlier);
    const created = await create(tx);
    await storeResponse(tx, claim, codec.serialize(created));
    return created;
  });
  gateway.outboxWritten.wake();
  return response;
}

/** Finds the response to an earlier equal request before long work begins. Undefined: there is none. */
export async function replayResponse<Response>(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  claim: Claim | undefined,
  codec: ResponseCodec<Response>,
): Promise<Response | undefined> {
  const earlier = claim === undefined ? undefined : await findResponse(db, claim, clock());
  return earlier === undefined ? undefined : codec.parse(earlier);
}
