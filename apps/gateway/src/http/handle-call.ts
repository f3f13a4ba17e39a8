import { parse } from '@quarry/validation';
import { requireId, type ResourceKind } from '../checks/require-id.js';
import { refuseLimitedKey } from '../access/caller.js';
import type { Call, Client, Idempotency, Once } from './call.js';
import type { Declaration } from './declaration.js';
import type { Exchange } from './exchange.js';
import { openIdempotentRequest } from './idempotent-request.js';
import { isForm } from './read-body.js';
import { receiveUpload } from './receive-upload.js';
import type { Reply } from './reply.js';
import type { ResponseSpec } from './responses.js';

/** Checks and parses a request in the order that `Declaration` documents, then calls the handler of its operation. */
export async function handleCall<
  Path extends string,
  Query extends object,
  Json,
  Form,
  Found,
  Mode extends Idempotency,
  Responses extends Readonly<Record<number, ResponseSpec>>,
>(declared: Declaration<Path, Query, Json, Form, Found, Mode, Responses>, exchange: Exchange): Promise<Reply> {
  const { gateway, request, caller, signal, log } = exchange;
  const { find, params: kinds = {}, body: { form, json } = {} } = declared;
  const { storedReply, createOnce } = await openIdempotentRequest(declared.idempotency, exchange);
  if (storedReply !== undefined) return storedReply;
  if (declared.refusesLimitedKeys === true) refuseLimitedKey(caller);

  const isPathFirst = find !== undefined || form !== undefined;
  const earlyParams = isPathFirst ? readParams<Path>(kinds, exchange) : undefined;
  const found =
    find === undefined || earlyParams === undefined ? absent : await find({ gateway, caller, params: earlyParams });
  const query = declared.query === undefined ? absent : parse(declared.query, request.query, 'refuse');
  const handle = async (body: Json | Form, content: unknown): Promise<Reply> => {
    const params = earlyParams ?? readParams<Path>(kinds, exchange);
    const once = createOnce(content) as Once<Mode>; // its type follows from the declared mode
    return declared.handle({
      gateway,
      caller,
      params,
      query,
      body,
      found,
      once,
      client: createClient(exchange),
      signal,
      log,
    });
  };

  if (form !== undefined && isForm(request)) return receiveUpload(exchange, form, earlyParams ?? {}, handle);
  return handle(json === undefined ? absent : json.parse(request.body, gateway), request.body);
}

/** The value of fields that an operation does not declare. Their type is `never`. */
const absent = undefined as never;

/** Reads the ids in the path. @throws Problem 404 for a text that is not an id */
function readParams<Path extends string>(
  kinds: Readonly<Record<string, ResourceKind>>,
  { request }: Exchange,
): Call<Path>['params'] {
  const ids = Object.entries(kinds).map(([name, kind]) => [name, requireId(kind, String(request.params[name]))]);
  return Object.fromEntries(ids) as Call<Path>['params']; // `kinds` has every parameter of the path
}

function createClient({ response }: Exchange): Client {
  return {
    hasDisconnected: () => response.closed,
    setHeader: (name, value) => {
      response.setHeader(name, value);
    },
  };
}
