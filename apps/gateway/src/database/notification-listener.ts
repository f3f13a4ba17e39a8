import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Log } from '@quarry/service-kit';
import type pg from 'pg';
import { redactQueryParameters } from './query-error.js';

interface ListenerParts {
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Opens a connection that is not part of the pool. */
  readonly openConnection: () => Promise<pg.Client>;
}

/** The names of the channels on which triggers of the database report changes, with an empty payload. */
const CHANNELS = {
  /** Changes of API keys and organizations. */
  keys: 'quarry_key_changes',
  /** Changes of those fields of datasources that responses show, such as the name, and removals of datasources. */
  labels: 'quarry_label_changes',
} as const;

export type ChangeTopic = keyof typeof CHANNELS;

/** Channel on which the listener sends probes. A probe is a notification that the listener sends to itself. */
const PROBE_CHANNEL = CHANNELS.keys;

/**
 * Time in milliseconds from the sending of a probe for which the received probe is valid. Every change that was
 * committed before the sending arrives before the probe. So while `isCurrent` returns true, a change that has not
 * arrived was committed at most 900 ms ago. The other 100 ms of the second within which changes take effect are a
 * reserve.
 */
const CONFIRMATION_MS = 900;
/** Minimum time in milliseconds between two probes. A listener sends probes only while it is in use. */
const PROBE_INTERVAL_MS = 300;
/** Time in milliseconds after which a connection is replaced if it has not delivered a probe. */
const PROBE_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;
/** Maximum time for closing a connection, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

interface Probe {
  readonly id: string;
  readonly sentAt: number;
}

/**
 * Receives changes of the database from all gateways. PostgreSQL delivers the notifications of all channels in the
 * order of their commits. So when the listener receives a notification of its own, it has received every change that
 * was committed earlier.
 *
 * Has no timers: only calls of `isCurrent` make it connect and send notifications.
 */
export class NotificationListener {
  readonly #parts: ListenerParts;
  readonly #listeners: { readonly topic: ChangeTopic; readonly onChange: () => void }[] = [];
  #client: pg.Client | undefined;
  #opening: Promise<void> | undefined;
  #attemptedAt = -Infinity;
  #probe: Probe | undefined;
  #probedAt = -Infinity;
  #confirmedAt = -Infinity;
  #isReported = false;
  #isClosed = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Registers a function that is called after each change of a topic, and whenever changes may have been missed. */
  listen(topic: ChangeTopic, onChange: () => void): void {
    this.#listeners.push({ topic, onChange });
  }

  /** Returns true if every change that was committed more than a second ago has been received. Does not wait. */
  isCurrent(): boolean {
    const now = performance.now();
    if (this.#client === undefined) this.#openIfDue(now);
    else this.#sendProbe(this.#client, now);
    return now - this.#confirmedAt < CONFIRMATION_MS;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    // The time is limited, because ending a broken connection can take forever.
    await Promise.race([this.#client?.end(), setTimeout(CLOSE_TIMEOUT_MS)]);
  }

  #openIfDue(now: number): void {
    if (this.#isClosed || this.#opening !== undefined || now - this.#attemptedAt < RECONNECT_MS) return;
    this.#attemptedAt = now;
    this.#opening = this.#startListening()
      .catch((error: unknown) => {
        this.#reportLoss(error);
      })
      .finally(() => (this.#opening = undefined));
  }

  async #startListening(): Promise<void> {
    const client = await this.#parts.openConnection();
    const onLost = (error?: unknown): void => {
      this.#disconnect(client, error);
    };
    client.on('error', onLost).on('end', onLost);
    client.on('notification', ({ channel, payload = '' }) => {
      this.#receiveNotification(channel, payload);
    });
    try {
      // The notifications of the listener change no data, so their commits need not wait for the disk.
      const listens = Object.values(CHANNELS).map((channel) => `listen ${channel}`);
      await client.query(['set synchronous_commit = off', ...listens].join('; '));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    // Changes may have been missed before the connection was listening.
    this.#reportChanges();
    this.#client = client;
    this.#sendProbe(client, performance.now());
  }

  #sendProbe(client: pg.Client, now: number): void {
    if (this.#probe !== undefined) {
      if (now - this.#probe.sentAt > PROBE_TIMEOUT_MS)
        this.#disconnect(
          client,
          new Error(`the database did not return the probe notification within ${PROBE_TIMEOUT_MS} ms`),
        );
      return;
    }
    if (now - this.#probedAt < PROBE_INTERVAL_MS) return;
    this.#probedAt = now;
    this.#probe = { id: randomUUID(), sentAt: now };
    client.query(`select pg_notify('${PROBE_CHANNEL}', $1)`, [this.#probe.id]).catch((error: unknown) => {
      this.#disconnect(client, error);
    });
  }

  /**
   * Calls the functions that are registered for the topic of a channel. If no channel is given, calls all functions.
   */
  #reportChanges(channel?: string): void {
    for (const { topic, onChange } of this.#listeners)
      if (channel === undefined || CHANNELS[topic] === channel) onChange();
  }

  #receiveNotification(channel: string, payload: string): void {
    if (payload === '') this.#reportChanges(channel);
    if (payload !== this.#probe?.id) return;
    this.#confirmedAt = this.#probe.sentAt;
    this.#probe = undefined;
    if (this.#isReported) this.#parts.log.info('the gateway receives notifications of changes from the database again');
    this.#isReported = false;
  }

  #disconnect(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#probe = undefined;
    this.#probedAt = -Infinity;
    this.#confirmedAt = -Infinity;
    this.#reportChanges();
    if (!this.#isClosed) this.#reportLoss(error);
    // The error is ignored, because ending a lost connection can fail.
    client.end().catch(() => undefined);
  }

  #reportLoss(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#parts.log.warn(
      { err: redactQueryParameters(error) },
      'the database does not send changes; until it does, each request reads its API key, and each search its datasources',
    );
  }
}
