import { Agent, Client, Pool, type Dispatcher } from 'undici';
import type { Connection } from './first-connection.js';
import type { ConnectionLimits } from './fetch-limits.js';
import type { PinnedConnector } from './pinned-connector.js';

/** Receives the connection of one request. */
export class Exchange {
  connection: Pick<Connection, 'address'> = { address: '' };
}

/**
 * Creates a pool of connections by origin. The pinned connector opens all of them, so a request on a reused connection
 * reaches the address that was checked.
 */
export function createKeepAliveAgent(connect: PinnedConnector, limits: ConnectionLimits): Agent {
  // HTTP/1.1 without pipelining, because the limits apply per connection and response.
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

/** Uses one connection at a time to one origin, and records its address. */
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
    // `request` passes its own options on, including `opaque`, which the type of `dispatch` lacks.
    const { opaque } = options as Dispatcher.RequestOptions<unknown>;
    if (opaque instanceof Exchange) opaque.connection = this.#connection;
    return super.dispatch(options, handler);
  }
}

const getDefaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);
