import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import type { Gateway } from '../gateway.js';
import type { Caller } from '../access/caller.js';
import type { Reply } from './reply.js';

/**
 * How an operation is carried out once for each `Idempotency-Key`:
 *
 * - `transaction`: what is created and the response that is kept are written in one transaction.
 * - `staged`: the same, and a kept response is looked up before the body is read, because bytes are stored before the transaction.
 * - `lease`: for work that takes longer than a transaction may. It goes on when the client leaves.
 */
export type Idempotency = 'transaction' | 'staged' | 'lease';

/** The names of the parameters of a path, such as `id` of `/agents/{id}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** A request to an operation, authenticated, admitted and parsed. A field that the operation does not declare is `never`. */
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
  /** The ids in the path, in lower case. */
  readonly params: Readonly<Record<PathParameter<Path>, string>>;
  readonly query: Query;
  readonly body: Json | Form;
  /** What the operation's `find` has found. */
  readonly found: Found;
  /** Carries the work out once for each `Idempotency-Key`. */
  readonly once: Once;
  readonly client: Client;
  /** Aborted when nobody waits for the response any more, or when the service stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** The client of a request. */
export interface Client {
  hasLeft(): boolean;
  /** Sets a header of the response, whether the request succeeds or is refused. */
  setHeader(name: string, value: string): void;
}

export type Once<Mode extends Idempotency> = [Mode] extends [never]
  ? never
  : Mode extends 'lease'
    ? OnceByLease
    : OnceInTransaction;

/**
 * Creates something in one transaction with the response that is kept for repeated requests.
 *
 * @param create uses nothing but the database it receives: it may hold one of the last connections
 * @param content distinguishes this request from another one with the same key; absent: the body
 * @throws Problem 409 for the key of another request
 */
export type OnceInTransaction = <Created extends Reply>(
  create: (tx: Queries) => Promise<Created>,
  content?: unknown,
) => Promise<Created>;

/** Carries out work that takes longer than a transaction may. @throws Problem 409 for a key that is in use or of another request */
export type OnceByLease = <Body extends object, Made extends Reply>(work: LeasedWork<Body, Made>) => Promise<Made>;

export interface LeasedWork<Body extends object, Made extends Reply> {
  /** @param keep keeps the whole response for repeated requests; called before its end is sent; never rejects */
  readonly run: (keep: (body: Body) => Promise<void>) => Promise<Made>;
  /** Makes a reply of a response that was kept. */
  readonly replay: (body: Body) => Made;
}
