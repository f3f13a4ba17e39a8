import type { Log } from '@quarry/service-kit';
import { sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { buildNotificationPayloads, type Change, CHANNEL, formatChange } from './change.js';

/** Publishes committed changes to the event streams of all gateways. */
export interface ChangePublisher {
  /** Publishes changes within 100 ms. Call it after the transaction has committed. Never throws. */
  publish(...changes: readonly Change[]): void;
  /** Publishes the changes that were not sent yet, then stops. */
  close(): Promise<void>;
}

/** Interval between two notifications, in milliseconds. Equal changes within an interval are sent only once. */
const LINGER_MS = 100;
/** Delay before a failed notification is repeated, in milliseconds. */
const RETRY_MS = 1_000;
/**
 * Maximum number of changes that wait to be sent. If there are more, a single `reset` replaces them, after which all
 * event streams read the current state.
 */
const MAX_WAITING = 10_000;

/**
 * Creates a publisher that collects changes and sends them with NOTIFY, in a transaction of its own.
 *
 * PostgreSQL allows only one transaction with a notification to commit at a time. Notifications within the transactions
 * of ingestion would therefore make these transactions commit one at a time. The publisher commits at most 10 short
 * transactions per second and gateway.
 */
export function createChangePublisher({
  db,
  log,
}: {
  readonly db: Queries;
  readonly log: Pick<Log, 'warn'>;
}): ChangePublisher {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let isClosed = false;

  const addChange = (change: string): void => {
    if (waiting.size >= MAX_WAITING) waiting = new Set([formatChange({ kind: 'reset' })]);
    waiting.add(change);
  };
  const sendChanges = async (): Promise<void> => {
    const sent = waiting;
    waiting = new Set();
    if (sent.size === 0) return;
    try {
      await notifyListeners(db, buildNotificationPayloads(sent));
    } catch (error) {
      if (isClosed) return;
      log.warn(
        { err: redactQueryParameters(error) },
        'failed to publish changes to event streams; they are sent again',
      );
      for (const change of sent) addChange(change);
      scheduleSending(RETRY_MS);
    }
  };
  const scheduleSending = (delayMs: number): void => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      sending = sendChanges();
    }, delayMs);
  };
  return {
    publish: (...changes) => {
      for (const change of changes) addChange(formatChange(change));
      if (changes.length > 0) scheduleSending(LINGER_MS);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      await sendChanges();
    },
  };
}

/** Sends each payload with the time of the database, so that all gateways order notifications by the same clock. */
async function notifyListeners(db: Queries, payloads: readonly string[]): Promise<void> {
  await db.execute(sql`
    select pg_notify(${CHANNEL}, (extract(epoch from clock_timestamp()) * 1000)::bigint || ' ' || payload)
    from unnest(${sql.param([...payloads])}::text[]) as payload`);
}
