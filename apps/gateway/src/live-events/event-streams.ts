import type { Caller } from '../access/caller.js';
import type { EventStream } from '../answering/sse.js';
import type { WatchedDatasources } from './subscriber.js';

/** Sends changes of datasources to the open streams of a gateway. */
export interface EventStreams {
  /**
   * Refuses a new stream if the caller's API key, its organization or the gateway has too many open streams.
   *
   * @throws Problem 429; 503 if the gateway is stopping
   */
  requireCapacity(caller: Pick<Caller, 'organizationId' | 'keyId'>): void;

  /**
   * Sends the events of a stream. Resolves when the client disconnects, the watched datasource or datastore is removed,
   * the API key becomes invalid, the session ends, or the gateway stops. Never rejects.
   */
  serve(stream: EventStream, watched: WatchedDatasources, options: ServeOptions): Promise<void>;

  /** Ends all streams and refuses new streams. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The id of the last event that the client received. Undefined: the client has received no event. */
  readonly resumeAfter: number | undefined;
}
