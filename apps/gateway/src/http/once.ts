import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Claim } from '../idempotency/claim.js';
import { leaseResponse } from '../idempotency/lease-response.js';
import { replayResponse, withIdempotency, type ResponseCodec } from '../idempotency/with-idempotency.js';
import type { Idempotency, LeasedWork, OnceByLease, OnceInTransaction } from './call.js';
import { claimOf, type Exchange } from './exchange.js';
import { ok, parseReply, serializeReply, type Reply } from './reply.js';

/** Carries a request out once for each `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The response to an earlier equal request. */
  readonly kept: Reply | undefined;
  /** @param content distinguishes this request from another one with the same key */
  readonly onceFor: (content: unknown) => OnceInTransaction | OnceByLease | undefined;
}

/** @throws Problem 400 for a key that is not valid; 409 for the key of another request */
export async function openIdempotentRequest(
  mode: Idempotency | undefined,
  exchange: Exchange,
): Promise<IdempotentRequest> {
  const { gateway, request } = exchange;
  const inTransaction = (content: unknown): OnceInTransaction => onceInTransaction(exchange, content);
  switch (mode) {
    case undefined:
      return { kept: undefined, onceFor: () => undefined };
    case 'transaction':
      return { kept: undefined, onceFor: inTransaction };
    case 'staged': {
      const claim = claimOf(exchange, request.body);
      return { kept: await replayResponse(gateway, claim, codecOf(exchange)), onceFor: inTransaction };
    }
    case 'lease': {
      const claim = claimOf(exchange, request.body);
      return { kept: undefined, onceFor: () => onceByLease(exchange, claim) };
    }
  }
}

function onceInTransaction(exchange: Exchange, body: unknown): OnceInTransaction {
  return async <Created extends Reply>(create: (tx: Queries) => Promise<Created>, content = body) => {
    const claim = claimOf(exchange, content);
    const reply = await withIdempotency(exchange.gateway, claim, codecOf(exchange), create);
    return reply as Created; // made by `create`, now or at an earlier request to the same operation
  };
}

function codecOf({ request }: Exchange): ResponseCodec<Reply> {
  return { serialize: (reply) => serializeReply(reply, request.baseUrl), parse: parseReply };
}

function onceByLease({ gateway, log, onEnd }: Exchange, claim: Claim | undefined): OnceByLease {
  return async <Body extends object, Made extends Reply>({ run, replay }: LeasedWork<Body, Made>) => {
    if (claim === undefined) return run(async () => Promise.resolve());
    const lease = await leaseResponse(gateway, claim);
    if (typeof lease === 'string') {
      const body = JSON.parse(parseReply(lease).content.json) as Body; // kept by the same operation
      return { ...replay(body), isReplayed: true };
    }
    onEnd(async () => {
      await lease.end().catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'the lease of an answer was not ended: it expires by itself');
      });
    });
    return run(async (body) => {
      await lease.keep(serializeReply(ok(body), '')).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'an answer was not kept for repeated requests');
      });
    });
  };
}
