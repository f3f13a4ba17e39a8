import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { Caller } from '../access/caller.js';
import type { Reply } from './reply.js';

/**
 * The way in which an operation runs once for each `Idempotency-Key`:
 *
 * - `transaction`: one transaction writes the created resource and the stored response.
 * - `staged`: the same, and a stored response is looked up first, because bytes are stored before the transaction.
 * - `lease`: for work that is too long for a transaction. It continues after the client disconnects.
 */
export type Idempotency = 'transaction' | 'staged' | 'lease';

/** Extracts the names of the parameters of a path, such as `id` of `/agents/{id}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** An authenticated and parsed request to an operation. A field that the operation does not declare has the type `never`. */
export interface Call<
  Path extends string = string,
  Query = never,
  Json = never,
  Form = never,
  Found = never,
  Once = never,
> {
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** The ids in the path, in lower case, by the names of the parameters. */
  readonly params: Readonly<Record<PathParameter<Path>, string>>;
  readonly query: Query;
  readonly body: Json | Form;
  /** The result of the operation's `find`. */
  readonly found: Found;
  /** Runs the work once for each `Idempotency-Key`. */
  readonly once: Once;
  readonly client: Client;
  /** Aborts when the client disconnects, unless the work must be completed, and when the service stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The client that waits for a response. */
export interface Client {
  hasDisconnected(): boolean;
  /** Sets a header of the response, whether the request succeeds or is refused. */
  setHeader(name: string, value: string): void;
}

export type Once<Mode extends Idempotency> = [Mode] extends [never]
  ? never
  : Mode extends 'lease'
    ? OnceByLease
    : OnceInTransaction;

/**
 * Runs a creation in the transaction that stores its response for repeated requests.
 *
 * @param create uses only the given transaction: another connection from the pool could cause a deadlock
 * @param content decides whether a request with the same key is the same request; by default, the body
 * @throws Problem 409 if the key belongs to another request
 */
export type OnceInTransaction = <Created extends Reply>(
  create: (tx: Queries) => Promise<Created>,
  content?: unknown,
) => Promise<Created>;

/** Runs work that is too long for a transaction. @throws Problem 409 if the key is in use or belongs to another request */
export type OnceByLease = <Body extends object, Made extends Reply>(work: LeasedWork<Body, Made>) => Promise<Made>;

export interface LeasedWork<Body extends object, Made extends Reply> {
  /**
   * @param keep stores the whole response for repeated requests; call it before the end of the response is sent; never rejects
   */
  readonly run: (keep: (body: Body) => Promise<void>) => Promise<Made>;
  /** Builds a reply from a stored response. */
  readonly replay: (body: Body) => Made;
}
