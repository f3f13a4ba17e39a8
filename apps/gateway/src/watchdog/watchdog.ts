import { sql } from 'drizzle-orm';
import { eraseSources } from '../conversations/erase-sources.js';
import { removeOldConversations } from '../conversations/remove-old-conversations.js';
import { withoutParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { removeExpiredKeys } from '../idempotency/remove-expired-keys.js';
import { removeDiscardedBlobs } from '../uploads/remove-discarded-blobs.js';
import { repeatRemovals } from '../removals/repeat-removals.js';
import { finishRemovals } from '../organizations/remove-organization.js';
import { settleLostRuns } from './settle-lost-runs.js';

export interface Watchdog {
  /** Looks no more; resolves when a look that is under way has ended. */
  close(): Promise<void>;
}

type Watched = Pick<Gateway, 'db' | 'queues' | 'blobs' | 'log' | 'clock' | 'lostAfterMs' | 'outboxWritten'>;

const EVERY_MS = 60_000;
/** Any number that nothing else in the database locks: the letters `wtchdg`. */
const LOCK = 0x77_74_63_68_64_67;

/** Looks every minute for what was left behind. */
export function startWatchdog(gateway: Watched): Watchdog {
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = look(gateway).catch((error: unknown) => {
      gateway.log.warn({ err: withoutParameters(error) }, 'the watchdog could not look: it tries again');
    });
  }, EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** One look. Of several gateways one looks at a time: the others have nothing to add. */
export async function look(gateway: Watched): Promise<void> {
  await gateway.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as mine`);
    if (rows[0]?.mine !== true) return;
    await settleLostRuns(gateway);
    await repeatRemovals(gateway);
    await removeDiscardedBlobs(gateway, gateway.clock());
    await finishRemovals(gateway);
    await removeExpiredKeys(gateway.db, gateway.clock());
    await eraseSources(gateway.db, gateway.clock());
    await removeOldConversations(gateway.db, gateway.clock());
  });
}
