import { type Socket, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed } from './fetch-error.js';

/** Describes an open connection, and the IP address to which it was opened after a check. */
export interface Connection {
  readonly socket: Socket;
  readonly address: string;
}

/** Delay in milliseconds after which a connection to the next address is started, too (RFC 8305 section 5). */
const HEAD_START_MS = 250;

/**
 * Maximum number of addresses of a name to which connections are tried, because a name can have any number of
 * addresses.
 */
const MAX_ATTEMPTS = 8;

/**
 * Connects to the first address that responds. Tries the addresses in order. Starts the next attempt when the previous
 * one fails, or does not succeed within `HEAD_START_MS`. Closes the connections of all other attempts.
 *
 * @throws FetchFailed `connect_failed`, with the error of each address
 */
export async function connectToFirstAddress(
  addresses: readonly string[],
  port: number,
  connect: Connector,
  signal: AbortSignal,
): Promise<Connection> {
  const race = new AbortController();
  const attemptSignal = AbortSignal.any([signal, race.signal]);
  const attempts: Promise<Connection>[] = [];
  let winner: Connection | undefined;
  try {
    for (const address of addresses.slice(0, MAX_ATTEMPTS)) {
      const attempt = connect({ address, port }, attemptSignal).then((socket) => ({ socket, address }));
      attempts.push(attempt);
      winner = await Promise.race([
        waitForFirstConnection(attempts),
        waitForFailedAttempt(attempt),
        waitForNextAttempt(attemptSignal),
      ]);
      if (winner !== undefined) return winner;
    }
    winner = await Promise.any(attempts);
    return winner;
  } catch (error) {
    throw createConnectError(error, addresses, port);
  } finally {
    race.abort();
    closeConnectionsExcept(winner, attempts);
  }
}

const waitForFirstConnection = (attempts: readonly Promise<Connection>[]): Promise<Connection | undefined> =>
  Promise.any(attempts).catch(() => undefined);

const waitForFailedAttempt = (attempt: Promise<Connection>): Promise<undefined> =>
  new Promise((resolve) => {
    attempt.catch(() => {
      resolve(undefined);
    });
  });

const waitForNextAttempt = (signal: AbortSignal): Promise<undefined> =>
  pause(HEAD_START_MS, undefined, { signal }).catch(() => undefined);

function closeConnectionsExcept(winner: Connection | undefined, attempts: readonly Promise<Connection>[]): void {
  for (const attempt of attempts) {
    attempt.then(
      (connection) => {
        if (connection !== winner) connection.socket.destroy();
      },
      () => undefined,
    );
  }
}

function createConnectError(error: unknown, addresses: readonly string[], port: number): FetchFailed {
  const reasons: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasonTexts = reasons.map(
    (reason, position) => `${addresses[position] ?? 'the address'}: ${summarizeConnectionError(reason)}`,
  );
  return new FetchFailed(
    'connect_failed',
    `expected a connection on port ${port}, found none (${reasonTexts.join('; ')})`,
    {
      cause: error,
    },
  );
}

const summarizeConnectionError = (reason: unknown): string => {
  if (!(reason instanceof Error)) return 'unknown reason';
  return 'code' in reason ? String(reason.code) : reason.message;
};

/** Describes the target of a socket: an IP address, never a name. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/**
 * Opens a TCP connection to exactly the given address. Closes the socket if the signal aborts before the connection is
 * open.
 */
export type Connector = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

export const openTcpConnection: Connector = ({ address, port }, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, lookup: throwOnDnsLookup, noDelay: true, keepAlive: true });
    const abortConnecting = (): void => {
      socket.destroy(new Error('the connection attempt was aborted'));
    };
    if (signal.aborted) abortConnecting();
    signal.addEventListener('abort', abortConnecting, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', abortConnecting);
      resolve(socket);
    });
    // This listener is not removed, so that an error does not end the process before the caller adds a listener.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abortConnecting);
      reject(error);
    });
  });

/** Replaces Node's DNS lookup. @throws Error always: the address of a looked-up name would not be checked */
function throwOnDnsLookup(host: string): never {
  throw new Error(`expected an IP address to connect to, found '${host}'`);
}
