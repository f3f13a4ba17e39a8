import { rejectOnAbort } from '@quarry/cancellation';
import type { AddressRule } from './address-rules.js';
import { startDeadline } from './deadline.js';
import type { Resolver } from './dns-resolver.js';
import { FetchFailed } from './fetch-error.js';
import { firstConnection, type Connection } from './first-connection.js';
import { publicAddresses } from './public-addresses.js';
import type { Connector } from './tcp-connector.js';
import { secure, type TlsSettings } from './tls-layer.js';

/** Whom a connection is for. */
export interface Destination {
  readonly protocol: string;
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

export type PinnedConnector = (to: Destination) => Promise<Connection>;

export interface PinnedConnectorParts {
  readonly resolve: Resolver;
  readonly connect: Connector;
  readonly objectionTo: AddressRule;
  readonly tls: TlsSettings;
  readonly connectMs: number;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

/**
 * The only way out. A name is looked up once, every address it has is judged, and the connection goes to one of exactly
 * those addresses: between the check and the use there is no second look-up that could answer differently.
 * Each new connection comes through here, so nothing that keeps connections open can lead around the check.
 */
export function pinnedConnector(parts: PinnedConnectorParts): PinnedConnector {
  return async (to) => {
    const deadline = startDeadline({
      ms: parts.connectMs,
      late: () =>
        new FetchFailed('timeout', `expected a connection to '${to.host}' within ${parts.connectMs} ms, found none`),
      others: [[parts.closing, () => new FetchFailed('aborted', 'the client was closed while it was connecting')]],
    });
    const opening = open(to, parts, deadline.signal);
    try {
      return await rejectOnAbort(opening, deadline.signal);
    } catch (error) {
      opening.then(
        ({ socket }) => socket.destroy(),
        () => undefined,
      );
      throw error;
    } finally {
      deadline.end();
    }
  };
}

async function open(to: Destination, parts: PinnedConnectorParts, signal: AbortSignal): Promise<Connection> {
  const addresses = await publicAddresses(to.host, parts.resolve, parts.objectionTo, signal);
  const connection = await firstConnection(addresses, to.port, parts.connect, signal);
  if (to.protocol !== 'https:') return connection;
  const socket = await secure(connection.socket, to.host, parts.tls, signal);
  return { socket, address: connection.address };
}
