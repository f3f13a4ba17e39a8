import { rejectOnAbort } from '@quarry/cancellation';
import { Agent, type Dispatcher, Client, Pool } from 'undici';
import { ACCEPTED_ENCODINGS } from './response-body.js';
import { toFetchError } from './to-fetch-error.js';
import type { Limits, ConnectionLimits } from './fetch-limits.js';
import type { OutgoingRequest } from './redirects.js';
import type { ResponseHeaders } from './safe-response.js';
import type { Connection } from './first-connection.js';
import type { PinnedConnector } from './pinned-connector.js';

/** Describes a response whose body has not been read yet. */
export interface Reply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Dispatcher.ResponseData['body'];
  readonly remoteAddress: string;
}

export interface SendOptions {
  readonly agent: Agent;
  readonly userAgent: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/**
 * Sends one request, without following redirects.
 *
 * @throws FetchRefused, FetchFailed
 */
export async function sendRequest(request: OutgoingRequest, options: SendOptions): Promise<Reply> {
  const exchange = new ConnectionAddressHolder();
  try {
    const { statusCode, headers, body } = await sendUntilAborted(
      buildDriverOptions(request, options, exchange),
      options,
    );
    // An error of a body without a reader must not end the process.
    body.on('error', () => undefined);
    return { status: statusCode, headers: joinHeaderValues(headers), body, remoteAddress: exchange.connection.address };
  } catch (error) {
    throw toFetchError(error, options.limits);
  }
}

// Aborts requests that wait for a connection. The HTTP driver checks the signal only when it has a connection.
async function sendUntilAborted(
  driverOptions: Dispatcher.RequestOptions<ConnectionAddressHolder>,
  { agent, signal }: SendOptions,
): Promise<Dispatcher.ResponseData<ConnectionAddressHolder>> {
  signal.throwIfAborted();
  return rejectOnAbort(agent.request(driverOptions), signal);
}

function buildDriverOptions(
  request: OutgoingRequest,
  { userAgent, limits, signal }: SendOptions,
  exchange: ConnectionAddressHolder,
): Dispatcher.RequestOptions<ConnectionAddressHolder> {
  return {
    origin: request.url.origin,
    path: `${request.url.pathname}${request.url.search}`,
    method: request.method,
    headers: {
      ...request.headers.open,
      ...request.headers.secret,
      'user-agent': userAgent,
      'accept-encoding': ACCEPTED_ENCODINGS,
    },
    body: request.body ?? null,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    signal,
    opaque: exchange,
  };
}

function joinHeaderValues(headers: Readonly<Record<string, string | string[] | undefined>>): ResponseHeaders {
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return new Map(fields);
}

/** Holds the address of the connection on which one request is sent. The address is empty until the request is sent. */
export class ConnectionAddressHolder {
  connection: Pick<Connection, 'address'> = { address: '' };
}

/**
 * Creates an agent with a pool of connections for each origin. `connect` opens each connection and checks its address.
 * A request on a reused connection therefore also reaches an address that was checked.
 */
export function createKeepAliveAgent(connect: PinnedConnector, limits: ConnectionLimits): Agent {
  // HTTP/1.1 without pipelining: each connection has one response at a time, to which the limits apply.
  const options: Client.Options = {
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: limits.idleConnectionMs,
    keepAliveMaxTimeout: limits.idleConnectionMs,
  };
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        ...options,
        connections: limits.connectionsPerOrigin,
        clientTtl: limits.connectionAgeMs,
        factory: (to) => new PinnedClient(to, options, connect),
      }),
  });
}

/**
 * Sends requests to one origin on one connection at a time. Records the address of the connection on which each request
 * is sent.
 */
class PinnedClient extends Client {
  readonly #connection: { address: string };

  constructor(origin: URL, options: Client.Options, connect: PinnedConnector) {
    const connection = { address: '' };
    super(origin, {
      ...options,
      connect: ({ protocol, hostname, port }, callback) => {
        connect({ protocol, host: hostname, port: Number(port) || getDefaultPort(protocol) }).then(
          ({ socket, address }) => {
            connection.address = address;
            callback(null, socket);
          },
          (error: unknown) => {
            callback(
              error instanceof Error
                ? error
                : new Error('expected a connection to the server, found none', { cause: error }),
              null,
            );
          },
        );
      },
    });
    this.#connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // `request` passes its options to `dispatch`, including `opaque`, which the type of `dispatch` lacks.
    const { opaque } = options as Dispatcher.RequestOptions<unknown>;
    if (opaque instanceof ConnectionAddressHolder) opaque.connection = this.#connection;
    return super.dispatch(options, handler);
  }
}

const getDefaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);
