import { connect, type Socket } from 'node:net';

/** Where a socket goes: always an IP address, never a name. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Opens a TCP connection to exactly that address, or fails. Closes the socket when the signal fires before it is open. */
export type Connector = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

export const tcpConnector: Connector = ({ address, port }, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, lookup: neverLookUp, noDelay: true, keepAlive: true });
    const giveUp = (): void => {
      socket.destroy(new Error('the attempt was given up'));
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // Stays for the life of the socket: between here and its next owner an error must not go unheard.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    });
  });

/** An address needs no look-up. Should a name ever come this far, the pin is broken, and nothing may be sent. */
function neverLookUp(host: string): never {
  throw new Error(`expected an IP address to connect to, found '${host}'`);
}
