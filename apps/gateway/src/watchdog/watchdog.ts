import { sql } from 'drizzle-orm';
import { eraseSourceTexts } from '../removals/erase-source-texts.js';
import { removeOldConversations } from '../conversations/remove-old-conversations.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { removeExpiredSessions } from '../sessions/session-repository.js';
import { removeExpiredKeys } from '../idempotency/remove-expired-keys.js';
import { removeDiscardedBlobs } from '../blobs/discarded-blobs.js';
import { repeatRemovals } from '../removals/removals.js';
import { continueDatastoreRemovals } from '../datastores/remove-datastore.js';
import { expireDatastores } from '../datastores/datastore-expiry.js';
import { continueOrganizationRemovals } from '../organizations/remove-organization.js';
import { removeExpiredFiles } from '../files/remove-files.js';
import { removeExpiredUploads } from '../files/upload-repository.js';
import { removeOldDeliveries } from '../webhooks/remove-old-deliveries.js';
import { removeOldStreams } from '../answering/answer-stream-repository.js';
import { recordStoredContent } from '../usage/stored-content.js';
import { removeOldUsage, removeRefusedJobs } from './remove-old-rows.js';
import { createLostWorkExaminer, type LostWorkExaminer } from './repeat-lost-work.js';

export interface Watchdog {
  /** Stops the watchdog. If its tasks are being executed, resolves when they have ended. */
  close(): Promise<void>;
}

type WatchdogContext = Pick<
  Gateway,
  'db' | 'queues' | 'blobs' | 'log' | 'clock' | 'lostAfterMs' | 'watchMs' | 'outboxWritten' | 'changes'
>;

/** Number of the watchdog's advisory lock in the database: the ASCII codes of `wtchdg`. */
const LOCK = 0x77_74_63_68_64_67;

/**
 * Starts the watchdog, which repeats lost work and deletes unused data every `watchMs` milliseconds. If the tasks take
 * longer, they start again at the next multiple of this interval.
 */
export function startWatchdog(gateway: WatchdogContext): Watchdog {
  const lostWorkExaminer = createLostWorkExaminer(gateway);
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= runWatchdog(gateway, lostWorkExaminer)
      .catch((error: unknown) => {
        gateway.log.warn({ err: redactQueryParameters(error) }, 'the watchdog failed; it will retry');
      })
      .finally(() => {
        running = undefined;
      });
  }, gateway.watchMs);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Runs all tasks of the watchdog once. If another gateway is running them, does nothing: a transaction holds a lock
 * during all tasks. The tasks themselves use other transactions.
 */
export async function runWatchdog(
  gateway: WatchdogContext,
  lostWorkExaminer: LostWorkExaminer = createLostWorkExaminer(gateway),
): Promise<void> {
  await gateway.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ acquired: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCK}) as acquired`,
    );
    if (rows[0]?.acquired !== true) return;
    const parts = buildWatchdogTasks(gateway, lostWorkExaminer);
    for (const [part, run] of Object.entries(parts)) {
      await run().catch((error: unknown) => {
        gateway.log.warn({ part, err: redactQueryParameters(error) }, 'a task of the watchdog failed; it will retry');
      });
    }
  });
}

/** The name of a task of the watchdog. */
export type WatchdogTask = keyof ReturnType<typeof buildWatchdogTasks>;

// The return type is inferred, so that its keys are the names of the tasks.
function buildWatchdogTasks(gateway: WatchdogContext, lostWorkExaminer: LostWorkExaminer) {
  const now = gateway.clock();
  return {
    lostWork: async () => lostWorkExaminer.examineNextJobs(),
    discardedBlobs: async () => removeDiscardedBlobs(gateway, now),
    removals: async () => repeatRemovals(gateway),
    oldDeliveries: async () => removeOldDeliveries(gateway),
    datastores: async () => continueDatastoreRemovals(gateway),
    organizations: async () => continueOrganizationRemovals(gateway),
    expiredKeys: async () => removeExpiredKeys(gateway.db, now),
    expiredFiles: async () => removeExpiredFiles(gateway.db, now),
    expiredUploads: async () => removeExpiredUploads(gateway.db, now),
    expiredDatastores: async () => expireDatastores(gateway.db, now),
    expiredSessions: async () => removeExpiredSessions(gateway.db, now),
    removedSources: async () => eraseSourceTexts(gateway.db, now),
    oldConversations: async () => removeOldConversations(gateway.db, now),
    storedContent: async () => recordStoredContent(gateway.db, now),
    oldUsage: async () => removeOldUsage(gateway.db, now),
    answerStreams: async () => removeOldStreams(gateway.db),
    refusedJobs: async () => removeRefusedJobs(gateway.db, now),
  };
}
