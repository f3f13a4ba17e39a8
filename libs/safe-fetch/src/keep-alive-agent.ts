import { Agent, Client, Pool, type Dispatcher } from 'undici';
import type { Connection } from './first-connection.js';
import type { ConnectionLimits } from './limits.js';
import type { PinnedConnector } from './pinned-connector.js';

/** Goes with one request, and learns which connection it travels on. */
export class Exchange {
  connection: Pick<Connection, 'address'> = { address: '' };
}

/**
 * Keeps connections open and shares them out by origin. Every one of them is opened by the pinned connector,
 * so a request on a kept connection reaches the address that was checked when it was opened.
 */
export function keepAliveAgent(connect: PinnedConnector, limits: ConnectionLimits): Agent {
  // HTTP/1.1 alone, one request at a time: the limits are per connection and per answer, and stay easy to reason about.
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

/** One connection at a time to one origin, which knows the address at its other end. */
class PinnedClient extends Client {
  readonly #connection: { address: string };

  constructor(origin: URL, options: Client.Options, connect: PinnedConnector) {
    const connection = { address: '' };
    super(origin, {
      ...options,
      connect: ({ protocol, hostname, port }, callback) => {
        connect({ protocol, host: hostname, port: Number(port) || defaultPort(protocol) }).then(
          ({ socket, address }) => {
            connection.address = address;
            callback(null, socket);
          },
          (error: unknown) => {
            callback(error instanceof Error ? error : new Error('no connection', { cause: error }), null);
          },
        );
      },
    });
    this.#connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // `request` hands its own options on, `opaque` among them; the type of `dispatch` leaves that out.
    const { opaque } = options as Dispatcher.RequestOptions<unknown>;
    if (opaque instanceof Exchange) opaque.connection = this.#connection;
    return super.dispatch(options, handler);
  }
}

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);
