import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { Claim } from './claim.js';
import { findStoredResponse, storeResponse, acquireIdempotencyClaim } from './store-response.js';

/** Converts a response to the text that is stored for repeated requests, and back. */
export interface ResponseCodec<Response> {
  serialize(response: Response): string;
  parse(text: string): Response;
}

/**
 * Calls `create` in a transaction, once for each `Idempotency-Key`, and stores the response in the same transaction. An
 * equal request within 24 hours receives the stored response. A concurrent equal request waits for this transaction. If
 * `create` throws, nothing is stored.
 *
 * @param claim undefined for a request without an `Idempotency-Key`, for which `create` is always called
 * @param create must use only the given transaction, which may hold the last free connection of the pool
 * @throws Problem 409 if the key belongs to another request, or if an equal request is still in progress after 20 s
 */
export async function withIdempotency<Response>(
  gateway: Pick<Gateway, 'db' | 'clock' | 'outboxWritten'>,
  claim: Claim | undefined,
  codec: ResponseCodec<Response>,
  create: (tx: Queries) => Promise<Response>,
): Promise<Response> {
  const response = await gateway.db.transaction(async (tx) => {
    if (claim === undefined) return create(tx);
    const earlier = await acquireIdempotencyClaim(tx, claim, gateway.clock());
    if (earlier !== undefined) return codec.parse(earlier);
    const created = await create(tx);
    await storeResponse(tx, claim, codec.serialize(created));
    return created;
  });
  gateway.outboxWritten.wake();
  return response;
}

/**
 * Returns the stored response to an earlier equal request, or undefined if there is none.
 *
 * @throws Problem 409 if the key belongs to another request
 */
export async function replayResponse<Response>(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  claim: Claim | undefined,
  codec: ResponseCodec<Response>,
): Promise<Response | undefined> {
  const earlier = claim === undefined ? undefined : await findStoredResponse(db, claim, clock());
  return earlier === undefined ? undefined : codec.parse(earlier);
}
