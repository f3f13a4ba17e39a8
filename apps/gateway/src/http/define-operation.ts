import { cleanJson } from '@quarry/queue';
import { parse } from '@quarry/validation';
import { requireUnrestrictedKey } from '../access/caller.js';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Claim } from '../idempotency/claim.js';
import { acquireResponseLease } from '../idempotency/acquire-response-lease.js';
import { buildCompletedClaim, type CompletedClaim } from '../idempotency/store-response.js';
import { replayResponse, type ResponseCodec, withIdempotency } from '../idempotency/with-idempotency.js';
import type {
  Call,
  Client,
  CreateInOneStatement,
  Idempotency,
  LeasedWork,
  RunOnce,
  RunOnceByLease,
  RunOnceInTransaction,
} from './call.js';
import type { Declaration, Operation, WithParams } from './declaration.js';
import type { ResponseSpec } from './responses.js';
import { buildApiUrl } from './api-url.js';
import { parsePathParameter, type ParameterKind } from './path-parameters.js';
import { isMultipartForm } from './create-body-parser.js';
import { receiveUpload } from './receive-upload.js';
import { createIdempotencyClaim, type Exchange } from './exchange.js';
import { buildOkReply, parseReply, type Reply, serializeReply } from './reply.js';

/** Defines an operation from its declaration, which determines the types of `params`, `query`, `body` and the reply. */
export function defineOperation<
  const Path extends string,
  Responses extends Readonly<Record<number, ResponseSpec>>,
  Query extends object = never,
  Json = never,
  Form = never,
  Found = never,
  const Mode extends Idempotency = never,
>(declaration: Declaration<Path, Query, Json, Form, Found, Mode, Responses> & WithParams<Path>): Operation {
  return { ...declaration, handle: (exchange) => parseAndHandleRequest(declaration, exchange) };
}

/** Checks and parses a request in the order that `Declaration` documents, then calls the handler of its operation. */
async function parseAndHandleRequest<
  Path extends string,
  Query extends object,
  Json,
  Form,
  Found,
  Mode extends Idempotency,
  Responses extends Readonly<Record<number, ResponseSpec>>,
>(declared: Declaration<Path, Query, Json, Form, Found, Mode, Responses>, exchange: Exchange): Promise<Reply> {
  const { gateway, request, caller, signal, stopSignal, log } = exchange;
  const { find, params: kinds = {}, body: { form, json } = {} } = declared;
  const { storedReply, createRunOnce } = await prepareIdempotency(declared.idempotency, exchange);
  if (storedReply !== undefined) return storedReply;
  if (declared.refusesLimitedKeys === true) requireUnrestrictedKey(caller);

  const isPathFirst = find !== undefined || form !== undefined;
  const earlyParams = isPathFirst ? parsePathParams<Path>(kinds, exchange) : undefined;
  const found =
    find === undefined || earlyParams === undefined ? absent : await find({ gateway, caller, params: earlyParams });
  // Query parameters are cleaned like JSON bodies, because the database rejects NUL and unpaired surrogates.
  const query = declared.query === undefined ? absent : parse(declared.query, cleanJson(request.query), 'refuse');
  const handleInput = async (body: Json | Form, content: unknown): Promise<Reply> => {
    const params = earlyParams ?? parsePathParams<Path>(kinds, exchange);
    const runOnce = createRunOnce(content) as RunOnce<Mode>; // the declared mode determines the type
    return declared.handle({
      gateway,
      caller,
      params,
      query,
      body,
      found,
      runOnce,
      client: createRequestClient(exchange),
      apiUrl: buildApiUrl(gateway, request),
      signal,
      stopSignal,
      log,
    });
  };

  if (form !== undefined && isMultipartForm(request))
    return receiveUpload(exchange, form, earlyParams ?? {}, handleInput);
  return handleInput(json === undefined ? absent : json.parse(request.body, gateway), request.body);
}

/** The value of the fields of a call that the operation does not declare. Their type is `never`. */
const absent = undefined as never;

/** Reads the ids in the path of a request. @throws Problem 404 for a text that is not an id */
function parsePathParams<Path extends string>(
  kinds: Readonly<Record<string, ParameterKind>>,
  { request }: Exchange,
): Call<Path>['params'] {
  const ids = Object.entries(kinds).map(([name, kind]) => [
    name,
    parsePathParameter(kind, String(request.params[name])),
  ]);
  return Object.fromEntries(ids) as Call<Path>['params']; // `kinds` has every parameter of the path
}

function createRequestClient({ request, response }: Exchange): Client {
  return {
    // A range applies only to GET (RFC 9110, section 14.2), and HEAD requests run the operations of GET.
    getHeader: (name) => (name === 'range' && request.method !== 'GET' ? undefined : request.get(name)),
    hasDisconnected: () => response.closed,
    setHeader: (name, value) => {
      response.setHeader(name, value);
    },
  };
}

/** A request to an operation that supports the header `Idempotency-Key`. */
interface IdempotentRequest {
  /**
   * The stored reply to an earlier request with the same `Idempotency-Key`. Undefined if there is none, or if the
   * operation's idempotency mode is not `staged`.
   */
  readonly storedReply: Reply | undefined;
  /**
   * Creates the function `runOnce` of the call.
   *
   * @param content what a repeated request must have in common with this request
   */
  readonly createRunOnce: (content: unknown) => RunOnceInTransaction | RunOnceByLease | undefined;
}

/**
 * Prepares the idempotency of a request.
 *
 * @throws Problem 400 for an invalid key; 409 if the key belongs to another request
 */
async function prepareIdempotency(mode: Idempotency | undefined, exchange: Exchange): Promise<IdempotentRequest> {
  const { gateway, request } = exchange;
  const createRunOnce = (content: unknown): RunOnceInTransaction => createRunOnceInTransaction(exchange, content);
  switch (mode) {
    case undefined:
      return { storedReply: undefined, createRunOnce: () => undefined };
    case 'transaction':
      return { storedReply: undefined, createRunOnce };
    case 'staged': {
      const claim = createIdempotencyClaim(exchange, request.body);
      return { storedReply: await replayResponse(gateway, claim, createReplyCodec(exchange)), createRunOnce };
    }
    case 'lease': {
      const claim = createIdempotencyClaim(exchange, request.body);
      return { storedReply: undefined, createRunOnce: () => createRunOnceByLease(exchange, claim) };
    }
  }
}

/** Creates the function `runOnce` for the modes `transaction` and `staged`: see `Idempotency`. */
function createRunOnceInTransaction(exchange: Exchange, body: unknown): RunOnceInTransaction {
  return async <Created extends Reply>(
    create: (tx: Queries) => Promise<Created>,
    content = body,
    createInOneStatement?: CreateInOneStatement<Created>,
  ) => {
    const { db, clock, outboxWritten } = exchange.gateway;
    const claim = createIdempotencyClaim(exchange, content);
    const codec = createReplyCodec(exchange);
    const completeClaim = (reply: Created): CompletedClaim | undefined =>
      claim && buildCompletedClaim(claim, codec.serialize(reply), clock());
    const created = await createInOneStatement?.(db, completeClaim);
    if (created !== undefined) {
      outboxWritten.wake();
      return created;
    }
    const reply = await withIdempotency(exchange.gateway, claim, codec, create);
    return reply as Created; // `create` returned it, for this or an earlier request to the same operation
  };
}

function createReplyCodec({ request }: Exchange): ResponseCodec<Reply> {
  return { serialize: (reply) => serializeReply(reply, request.baseUrl), parse: parseReply };
}

/** Creates the function `runOnce` for the mode `lease`: see `Idempotency`. */
function createRunOnceByLease({ gateway, log, onEnd }: Exchange, claim: Claim | undefined): RunOnceByLease {
  return async <Body extends object, Made extends Reply>({ run, replay }: LeasedWork<Body, Made>) => {
    if (claim === undefined) return run(async () => Promise.resolve());
    const lease = await acquireResponseLease(gateway, claim);
    if (typeof lease === 'string') {
      const body = JSON.parse(parseReply(lease).content.json) as Body; // stored by the same operation
      return { ...(await replay(body)), isReplayed: true };
    }
    onEnd(async () => {
      await lease.end().catch((error: unknown) => {
        log.warn(
          { err: redactQueryParameters(error) },
          'failed to release the lease of an Idempotency-Key: repeated requests are refused until the lease expires',
        );
      });
    });
    return run(async (body) => {
      await lease.store(serializeReply(buildOkReply(body), '')).catch((error: unknown) => {
        log.warn(
          { err: redactQueryParameters(error) },
          'failed to store the response to a request with an Idempotency-Key: a repeated request is processed again',
        );
      });
    });
  };
}
