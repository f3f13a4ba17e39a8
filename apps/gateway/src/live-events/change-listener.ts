import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { startLoop } from '../concurrency/start-loop.js';
import type { Gateway } from '../gateway.js';
import { createWakeSignal } from '../outbox/outbox.js';
import { CHANNEL, type Notification, parseNotification } from '../changes/change.js';

export interface ChangeListener {
  /** Resolves after the first attempt to connect to the database, even if the attempt failed. */
  readonly started: Promise<void>;
  close(): Promise<void>;
}

export interface ListenerParts extends Pick<Gateway, 'log'> {
  /** Opens a connection to the database that is not part of the pool. */
  readonly connect: () => Promise<pg.Client>;
  /** Receives the notifications in the order in which the database sends them. */
  readonly onNotification: (notification: Notification) => void;
  /**
   * Called each time the listener starts to receive notifications: once at the beginning, and after each interruption.
   *
   * @param at the current time by the clock of the database, in milliseconds since 1970-01-01
   */
  readonly onListening: (at: number) => void;
}

const RECONNECT_MS = 500;
/** Maximum time for closing a connection, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Interval in milliseconds at which the listener sends a notification to itself, to check its connection. */
const PROBE_MS = 10_000;

/**
 * Starts a listener for the change notifications of the database. It uses one connection for all event streams of a
 * gateway. If the connection is lost, it opens a new one.
 */
export function startChangeListener({ log, connect, onNotification, onListening }: ListenerParts): ChangeListener {
  const closing = new AbortController();
  const pause = createWakeSignal();
  const started = Promise.withResolvers<undefined>();
  const listenUntilLost = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    const client = await connect();
    const lost = Promise.withResolvers<undefined>();
    const endListening = (): void => {
      lost.resolve(undefined);
    };
    let isProbed = true;
    client.on('error', endListening).on('end', endListening);
    client.on('notification', ({ payload = '' }) => {
      isProbed = true;
      onNotification(parseNotification(payload));
    });
    closing.signal.addEventListener('abort', endListening);
    const probe = setInterval(() => {
      if (!isProbed) endListening();
      isProbed = false;
      client.query(`select pg_notify('${CHANNEL}', '')`).catch(endListening);
    }, PROBE_MS);
    try {
      await client.query(`listen ${CHANNEL}`);
      const { rows } = await client.query<{ at: string }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::bigint as at',
      );
      onListening(Number(rows[0]?.at));
      started.resolve(undefined);
      await lost.promise;
    } finally {
      clearInterval(probe);
      closing.signal.removeEventListener('abort', endListening);
      // The time is limited, because ending a lost connection can take forever.
      await Promise.race([client.end().catch(() => undefined), setTimeout(CLOSE_TIMEOUT_MS)]);
    }
  };
  const loop = startLoop({
    log,
    work: listenUntilLost,
    failed: undefined,
    pause: async () => {
      started.resolve(undefined);
      await pause.wait(RECONNECT_MS);
    },
    wake: () => {
      closing.abort();
      pause.wake();
    },
    messages: {
      unavailable: 'the database does not send changes to event streams; the gateway connects again',
      available: 'the database sends changes to event streams again',
    },
  });
  return { started: started.promise, close: async () => loop.close() };
}
