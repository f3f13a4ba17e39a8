import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { CompletedClaim } from '../idempotency/store-response.js';
import type { Caller } from '../access/caller.js';
import type { Reply } from './reply.js';

/**
 * Selects how an operation that supports the header `Idempotency-Key` runs only once for each key:
 *
 * - `transaction`: one transaction writes the created resource and the response that is stored for repeated requests.
 * - `staged`: as `transaction`, but a stored response is looked up before the request stores bytes in the blob store.
 * - `lease`: a lease prevents concurrent requests with the same key. Suits work that is too long for a transaction. The
 *   work continues after the client disconnects.
 */
export type Idempotency = 'transaction' | 'staged' | 'lease';

/** Extracts the names of the parameters of a path, such as `id` of `/agents/{id}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/**
 * Contains an authenticated and parsed request to an operation. Fields that the operation does not declare have the
 * type `never`.
 */
export interface Call<
  Path extends string = string,
  Query = never,
  Json = never,
  Form = never,
  Found = never,
  RunOnce = never,
> {
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** The ids in the path of the request, in lower case, keyed by parameter name. */
  readonly params: Readonly<Record<PathParameter<Path>, string>>;
  readonly query: Query;
  readonly body: Json | Form;
  /** The resource that the function `find` of the operation loaded. */
  readonly found: Found;
  /**
   * Runs the work of the operation once for each `Idempotency-Key`, and answers repeated requests with the stored
   * response.
   */
  readonly runOnce: RunOnce;
  readonly client: Client;
  /** The public address of the API, such as `https://quarry.example.com/api`. */
  readonly apiUrl: string;
  /**
   * Aborts when the client disconnects, or when the service stops a long operation. With an `Idempotency-Key` in the
   * mode `lease`, does not abort when the client disconnects.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts when the service stops, if the operation has `isLongRunning` or the idempotency mode `lease`. Otherwise, is
   * the same as `signal`.
   */
  readonly stopSignal: AbortSignal;
  readonly log: Log;
}

/** The client that waits for a response. */
export interface Client {
  /** Returns a header of the request, or undefined if the request has no header of this name. */
  getHeader(name: string): string | undefined;
  hasDisconnected(): boolean;
  /** Sets a header of the response, whether the request succeeds or is refused. */
  setHeader(name: string, value: string): void;
}

/**
 * The function `runOnce` of a call, which runs an operation once per `Idempotency-Key`. Its type depends on the
 * idempotency mode of the operation.
 */
export type RunOnce<Mode extends Idempotency> = [Mode] extends [never]
  ? never
  : Mode extends 'lease'
    ? RunOnceByLease
    : RunOnceInTransaction;

/**
 * Runs `create`, which creates a resource, in the transaction that also stores the response for repeated requests.
 *
 * @param create uses only the given transaction, because waiting for another connection of the pool could cause a
 *   deadlock
 * @param content what a repeated request must have in common with the first one; by default, the body of the request
 * @param createInOneStatement runs first, without a transaction; if it resolves to undefined, `create` runs
 * @throws Problem 409 if the key belongs to another request
 */
export type RunOnceInTransaction = <Created extends Reply>(
  create: (tx: Queries) => Promise<Created>,
  content?: unknown,
  createInOneStatement?: CreateInOneStatement<Created>,
) => Promise<Created>;

/**
 * Creates a resource with one statement, without a transaction.
 *
 * @param completeClaim returns the row that the statement must also insert, so that a repeated request receives the
 *   same reply; undefined for a request without an `Idempotency-Key`
 * @returns undefined if the statement changed nothing
 */
export type CreateInOneStatement<Created extends Reply> = (
  db: Queries,
  completeClaim: (reply: Created) => CompletedClaim | undefined,
) => Promise<Created | undefined>;

/**
 * Runs long work under a lease, without a transaction.
 *
 * @throws Problem 409 if the key is in use or belongs to another request
 */
export type RunOnceByLease = <Body extends object, Made extends Reply>(work: LeasedWork<Body, Made>) => Promise<Made>;

/** Defines work that runs under a lease, and the conversion of a stored response to a reply. */
export interface LeasedWork<Body extends object, Made extends Reply> {
  /**
   * Runs the work under the lease.
   *
   * @param store stores the complete response for repeated requests; call it before the end of the response is sent;
   *   never rejects
   */
  readonly run: (store: (body: Body) => Promise<void>) => Promise<Made>;
  /** Builds the reply to a repeated request from the stored response. */
  readonly replay: (body: Body) => Made | Promise<Made>;
}
