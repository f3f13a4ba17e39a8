import { setTimeout as pause } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-rest';
import { DEFAULT_TIMING, type QdrantOptions, type Timing } from './options.js';
import { isPassing, QdrantFailure, statusOf } from './qdrant-failure.js';

const DEFAULT_PORT = 6333;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** A server, asked again when it fails for a reason that may pass. Every request can be repeated: none adds to what is there. */
export class QdrantConnection {
  readonly #client: QdrantClient;
  readonly #url: string;
  readonly #timing: Timing;

  constructor({ url, apiKey, timing }: QdrantOptions) {
    this.#url = url;
    this.#timing = { ...DEFAULT_TIMING, ...timing };
    this.#client = new QdrantClient({
      ...addressOf(url),
      timeout: this.#timing.requestLimit,
      // The client's own way to set the key prints a warning for every address without TLS, inside a cluster too.
      // A compressed answer comes in chunks, the last of which waits 40 ms for the acknowledgement of those before it.
      headers: { 'api-key': apiKey, 'accept-encoding': 'identity' },
      // The check prints, and asks a server that may not be up yet.
      checkCompatibility: false,
    });
  }

  /**
   * @param operation what is done to what, for the message of a failure
   * @throws QdrantFailure
   */
  async ask<T>(operation: string, request: (client: QdrantClient) => Promise<T>): Promise<T> {
    const until = performance.now() + this.#timing.retryFor;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        return await request(this.#client);
      } catch (cause) {
        // Full jitter: many writers that failed together are not to come back together.
        const delay = wait * (0.5 + Math.random() / 2);
        if (!isPassing(cause) || performance.now() + delay > until)
          throw new QdrantFailure(this.#url, operation, cause);
        await pause(delay);
      }
    }
  }

  /** @returns undefined where the collection is not there */
  async askIfThere<T>(operation: string, request: (client: QdrantClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.ask(operation, request);
    } catch (error) {
      if (error instanceof QdrantFailure && statusOf(error.cause) === 404) return undefined;
      throw error;
    }
  }

  /** Asks once. */
  async ping(): Promise<void> {
    try {
      await this.#client.getCollections();
    } catch (cause) {
      throw new QdrantFailure(this.#url, 'answer', cause);
    }
  }
}

/** The client reads neither the path of an address nor a port that is its scheme's own. */
function addressOf(url: string): { host: string; https: boolean; port: number; prefix?: string } {
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`the address of Qdrant is to begin with http:// or https://, found ${protocol}//`);
  }
  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url)?.[1];
  const prefix = pathname.replace(/\/+$/, '');
  return {
    host: hostname,
    https: protocol === 'https:',
    port: port === undefined ? DEFAULT_PORT : Number(port),
    ...(prefix === '' ? {} : { prefix }),
  };
}
