import { setTimeout as pause } from 'node:timers/promises';
import { QdrantClient, type Schemas } from '@qdrant/js-client-rest';
import { DEFAULT_TIMING, type QdrantOptions, type Timing } from './options.js';
import { isTemporaryFailure, QdrantFailure, getHttpStatus } from './qdrant-failure.js';

const DEFAULT_PORT = 6333;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/** Sends requests to a Qdrant server, and retries temporary failures. Every request is idempotent. */
export class QdrantConnection {
  readonly #client: QdrantClient;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timing: Timing;

  constructor({ url, apiKey, timing }: QdrantOptions) {
    this.#url = url;
    // Compression is off: the last chunk of a compressed response waits 40 ms for the acknowledgement of the earlier
    // ones.
    this.#headers = { 'accept-encoding': 'identity', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) };
    this.#timing = { ...DEFAULT_TIMING, ...timing };
    this.#client = new QdrantClient({
      ...parseQdrantUrl(url),
      timeout: this.#timing.requestTimeoutMs,
      // The key is sent as a header, because the client option `apiKey` causes a warning for every URL without TLS,
      // even inside a cluster.
      headers: this.#headers,
      // The compatibility check is off, because it prints to the console, and the server may not be running yet.
      checkCompatibility: false,
    });
  }

  /**
   * Sends a request with retries.
   *
   * @param operation describes the request in error messages, after `Qdrant at … failed to`
   * @throws QdrantFailure if the request fails permanently, or fails temporarily for longer than `retryMs`
   */
  async sendRequest<T>(operation: string, request: (client: QdrantClient) => Promise<T>): Promise<T> {
    const until = performance.now() + this.#timing.retryMs;
    for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        return await request(this.#client);
      } catch (cause) {
        // Half of the delay is random, so that writers that failed at the same time do not retry at the same time.
        const delay = wait * (0.5 + Math.random() / 2);
        if (!isTemporaryFailure(cause) || performance.now() + delay > until)
          throw new QdrantFailure(this.#url, operation, cause);
        await pause(delay);
      }
    }
  }

  /** Sends a request with retries. @returns undefined if the collection does not exist */
  async sendToExistingCollection<T>(
    operation: string,
    request: (client: QdrantClient) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await this.sendRequest(operation, request);
    } catch (error) {
      if (error instanceof QdrantFailure && getHttpStatus(error.cause) === 404) return undefined;
      throw error;
    }
  }

  /**
   * Reads points like the client's method `scroll`, but without the client. The client calls a function for each number
   * of a response, so it takes ten times as long to parse many vectors.
   *
   * @returns undefined if the collection does not exist
   */
  scrollPoints(
    operation: string,
    collection: string,
    request: Schemas['ScrollRequest'],
  ): Promise<Schemas['ScrollResult'] | undefined> {
    const { host, port, https, prefix = '' } = parseQdrantUrl(this.#url);
    const path = `${prefix}/collections/${encodeURIComponent(collection)}/points/scroll`;
    return this.sendToExistingCollection(operation, async () => {
      const response = await fetch(`${https ? 'https' : 'http'}://${host}:${String(port)}${path}`, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(this.#timing.requestTimeoutMs),
      });
      if (!response.ok) throw await readErrorResponse(response);
      // Like the client, this method does not validate the body: the server is expected to send the documented form.
      return ((await response.json()) as { readonly result: Schemas['ScrollResult'] }).result;
    });
  }

  /** Checks that the server responds, without retries. */
  async ping(): Promise<void> {
    try {
      await this.#client.getCollections();
    } catch (cause) {
      throw new QdrantFailure(this.#url, 'list the collections', cause);
    }
  }
}

/** Creates an error from an error response, with the properties that `QdrantFailure` reads. */
async function readErrorResponse(response: Response): Promise<Error> {
  const { status, statusText } = response;
  const data: unknown = await response.json().catch(() => undefined);
  return Object.assign(new Error(`${String(status)} ${statusText}`), { status, data });
}

/**
 * Parses a URL into the options of the client, because the client itself ignores the path and the default port of the
 * scheme.
 */
function parseQdrantUrl(url: string): { host: string; https: boolean; port: number; prefix?: string } {
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`expected a Qdrant URL that begins with http:// or https://, found ${protocol}//`);
  }
  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url)?.[1];
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  return {
    host: hostname,
    https: protocol === 'https:',
    port: port === undefined ? DEFAULT_PORT : Number(port),
    ...(prefix === '' ? {} : { prefix }),
  };
}
