import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed } from './fetch-error.js';
import type { Connector } from './tcp-connector.js';

/** An open connection, and the checked address that it goes to. */
export interface Connection {
  readonly socket: Socket;
  readonly address: string;
}

/** How long an attempt is alone before the next address is tried beside it (RFC 8305 section 5). */
const HEAD_START_MS = 250;

/** A name may have any number of addresses; no visitor tries more than a few. */
const MOST_ATTEMPTS = 8;

/**
 * Connects to whichever address answers first: they are tried in order, the next one when the one before has failed
 * or has been silent for a moment. Attempts that come too late are closed.
 *
 * @throws FetchFailed `connect_failed`, naming what each address said
 */
export async function firstConnection(
  addresses: readonly string[],
  port: number,
  connect: Connector,
  signal: AbortSignal,
): Promise<Connection> {
  const race = new AbortController();
  const anyEnd = AbortSignal.any([signal, race.signal]);
  const attempts: Promise<Connection>[] = [];
  let winner: Connection | undefined;
  try {
    for (const address of addresses.slice(0, MOST_ATTEMPTS)) {
      const attempt = connect({ address, port }, anyEnd).then((socket) => ({ socket, address }));
      attempts.push(attempt);
      winner = await Promise.race([openOf(attempts), failureOf(attempt), headStart(anyEnd)]);
      if (winner !== undefined) return winner;
    }
    winner = await Promise.any(attempts);
    return winner;
  } catch (error) {
    throw explain(error, addresses, port);
  } finally {
    race.abort();
    closeAllBut(winner, attempts);
  }
}

const openOf = (attempts: readonly Promise<Connection>[]): Promise<Connection | undefined> =>
  Promise.any(attempts).catch(() => undefined);

const failureOf = (attempt: Promise<Connection>): Promise<undefined> =>
  new Promise((resolve) => {
    attempt.catch(() => {
      resolve(undefined);
    });
  });

const headStart = (signal: AbortSignal): Promise<undefined> =>
  pause(HEAD_START_MS, undefined, { signal }).catch(() => undefined);

function closeAllBut(winner: Connection | undefined, attempts: readonly Promise<Connection>[]): void {
  for (const attempt of attempts) {
    attempt.then(
      (connection) => {
        if (connection !== winner) connection.socket.destroy();
      },
      () => undefined,
    );
  }
}

function explain(error: unknown, addresses: readonly string[], port: number): FetchFailed {
  const reasons: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const told = reasons.map((reason, position) => `${addresses[position] ?? 'the address'}: ${briefly(reason)}`);
  return new FetchFailed('connect_failed', `expected a connection on port ${port}, found none (${told.join('; ')})`, {
    cause: error,
  });
}

const briefly = (reason: unknown): string => {
  if (!(reason instanceof Error)) return 'unknown reason';
  return 'code' in reason ? String(reason.code) : reason.message;
};
