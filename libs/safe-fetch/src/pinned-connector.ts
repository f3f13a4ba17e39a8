import { isIP, type Socket } from 'node:net';
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { rejectOnAbort } from '@quarry/cancellation';
import type { AddressRule } from './address-rules.js';
import { startDeadline } from './deadline.js';
import { type Resolver, resolvePublicAddresses } from './public-addresses.js';
import { FetchFailed } from './fetch-error.js';
import { connectToFirstAddress, type Connection, type Connector } from './first-connection.js';

/** Describes the host and the port to which a connection is requested. */
export interface Destination {
  readonly protocol: string;
  /** Name of the host, or its IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

export type PinnedConnector = (to: Destination) => Promise<Connection>;

export interface PinnedConnectorParts {
  readonly resolve: Resolver;
  readonly connect: Connector;
  readonly findObjection: AddressRule;
  readonly tls: TlsSettings;
  readonly connectMs: number;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
}

/**
 * Creates the function that opens all connections of a client. The function resolves a name once, checks each address,
 * and connects to one of the checked addresses. No DNS query follows the check, because a second query could return
 * another address. Reused connections cannot bypass the check either, because the function has opened them.
 */
export function createPinnedConnector(parts: PinnedConnectorParts): PinnedConnector {
  return async (to) => {
    const deadline = startDeadline({
      timeoutMs: parts.connectMs,
      createTimeoutError: () =>
        new FetchFailed('timeout', `expected a connection to '${to.host}' within ${parts.connectMs} ms, found none`),
      otherSignals: [
        [
          parts.closing,
          () => new FetchFailed('aborted', 'the client was closed while the connection was being opened'),
        ],
      ],
    });
    const opening = openPublicConnection(to, parts, deadline.signal);
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

async function openPublicConnection(
  to: Destination,
  parts: PinnedConnectorParts,
  signal: AbortSignal,
): Promise<Connection> {
  const addresses = await resolvePublicAddresses(to.host, parts.resolve, parts.findObjection, signal);
  const connection = await connectToFirstAddress(addresses, to.port, parts.connect, signal);
  if (to.protocol !== 'https:') return connection;
  const socket = await startTls(connection.socket, to.host, parts.tls, signal);
  return { socket, address: connection.address };
}

export interface TlsSettings {
  /** Lists certificate authorities, in PEM, that are trusted in addition to those of Node. */
  readonly certificateAuthorities?: readonly string[];
}

/**
 * Establishes TLS on an open connection. The server name (SNI) is the host of the URL. The certificate must match that
 * host, although the connection was opened to an IP address.
 *
 * @throws FetchFailed `tls_failed`
 */
export function startTls(socket: Socket, host: string, settings: TlsSettings, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(settings.certificateAuthorities && {
        ca: [...getCACertificates('default'), ...settings.certificateAuthorities],
      }),
      ALPNProtocols: ['http/1.1'],
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED in the environment.
      rejectUnauthorized: true,
    });
    const abortHandshake = (): void => {
      secured.destroy();
    };
    if (signal.aborted) abortHandshake();
    signal.addEventListener('abort', abortHandshake, { once: true });
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', abortHandshake);
      resolve(secured);
    });
    const rejectConnection = (cause: Error): void => {
      signal.removeEventListener('abort', abortHandshake);
      reject(
        new FetchFailed('tls_failed', `expected a valid TLS connection to '${host}', found: ${cause.message}`, {
          cause,
        }),
      );
    };
    secured.on('error', rejectConnection);
    secured.once('close', () => {
      rejectConnection(new Error('the connection was closed during the handshake'));
    });
  });
}
