import { connect, type Socket } from 'node:net';

/** Describes the target of a socket: an IP address, never a name. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Opens a TCP connection to exactly that address. Closes the socket if the signal fires before it is open. */
export type Connector = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

export const openTcpConnection: Connector = ({ address, port }, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, lookup: refuseLookup, noDelay: true, keepAlive: true });
    const abortConnecting = (): void => {
      socket.destroy(new Error('the connection attempt was aborted'));
    };
    if (signal.aborted) abortConnecting();
    signal.addEventListener('abort', abortConnecting, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', abortConnecting);
      resolve(socket);
    });
    // This listener stays, so that an error before the next owner adds a listener does not end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abortConnecting);
      reject(error);
    });
  });

/** Rejects names. A name here would bypass the checked addresses, so nothing may be sent. */
function refuseLookup(host: string): never {
  throw new Error(`expected an IP address to connect to, found '${host}'`);
}
