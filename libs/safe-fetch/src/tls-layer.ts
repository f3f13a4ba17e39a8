import { isIP, type Socket } from 'node:net';
import { connect, getCACertificates, type TLSSocket } from 'node:tls';
import { FetchFailed } from './fetch-error.js';

export interface TlsSettings {
  /** Lists certificate authorities (PEM) that are trusted in addition to the default ones. */
  readonly certificateAuthorities?: readonly string[];
}

/**
 * Establishes TLS on an open connection. The name of the URL is requested (SNI) and must match the certificate,
 * although the connection was made to an address.
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
      // Set explicitly, because otherwise NODE_TLS_REJECT_UNAUTHORIZED in the environment decides.
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
