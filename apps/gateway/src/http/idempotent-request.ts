import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Claim } from '../idempotency/claim.js';
import { leaseResponse } from '../idempotency/lease-response.js';
import { replayResponse, withIdempotency, type ResponseCodec } from '../idempotency/with-idempotency.js';
import type { Idempotency, LeasedWork, OnceByLease, OnceInTransaction } from './call.js';
import { createRequestClaim, type Exchange } from './exchange.js';
import { ok, parseReply, serializeReply, type Reply } from './reply.js';

/** A request to an operation that runs once for each `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The stored reply to an earlier request with the same key, if the mode looks it up first. */
  readonly storedReply: Reply | undefined;
  /** @param content decides whether a request with the same key is the same request */
  readonly createOnce: (content: unknown) => OnceInTransaction | OnceByLease | undefined;
}

/** Opens an idempotent request. @throws Problem 400 for an invalid key; 409 if the key belongs to another request */
export async function openIdempotentRequest(
  mode: Idempotency | undefined,
  exchange: Exchange,
): Promise<IdempotentRequest> {
  const { gateway, request } = exchange;
  const createOnce = (content: unknown): OnceInTransaction => createOnceInTransaction(exchange, content);
  switch (mode) {
    case undefined:
      return { storedReply: undefined, createOnce: () => undefined };
    case 'transaction':
      return { storedReply: undefined, createOnce };
    case 'staged': {
      const claim = createRequestClaim(exchange, request.body);
      return { storedReply: await replayResponse(gateway, claim, createCodec(exchange)), createOnce };
    }
    case 'lease': {
      const claim = createRequestClaim(exchange, request.body);
      return { storedReply: undefined, createOnce: () => createOnceByLease(exchange, claim) };
    }
  }
}

function createOnceInTransaction(exchange: Exchange, body: unknown): OnceInTransaction {
  return async <Created extends Reply>(create: (tx: Queries) => Promise<Created>, content = body) => {
    const claim = createRequestClaim(exchange, content);
    const reply = await withIdempotency(exchange.gateway, claim, createCodec(exchange), create);
    return reply as Created; // `create` returned it, for this or an earlier request to the same operation
  };
}

function createCodec({ request }: Exchange): ResponseCodec<Reply> {
  return { serialize: (reply) => serializeReply(reply, request.baseUrl), parse: parseReply };
}

function createOnceByLease({ gateway, log, onEnd }: Exchange, claim: Claim | undefined): OnceByLease {
  return async <Body extends object, Made extends Reply>({ run, replay }: LeasedWork<Body, Made>) => {
    if (claim === undefined) return run(async () => Promise.resolve());
    const lease = await leaseResponse(gateway, claim);
    if (typeof lease === 'string') {
      const body = JSON.parse(parseReply(lease).content.json) as Body; // stored by the same operation
      return { ...replay(body), isReplayed: true };
    }
    onEnd(async () => {
      await lease.end().catch((error: unknown) => {
        log.warn(
          { err: redactQueryParameters(error) },
          'failed to release the lease of an idempotent request; it will expire',
        );
      });
    });
    return run(async (body) => {
      await lease.store(serializeReply(ok(body), '')).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'failed to store a response for repeated requests');
      });
    });
  };
}
