import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { BullQueue } from './queue-server.js';

const AT_ONCE = 10_000;

/** Removes finished jobs that have been kept long enough. BullMQ by itself looks only when another job finishes. */
export async function removeExpired<Jobs extends JobPayloads>(
  queue: BullQueue,
  { keepCompletedSeconds, keepFailedSeconds }: QueueContract<Jobs>,
): Promise<void> {
  await queue.clean(keepCompletedSeconds * 1000, AT_ONCE, 'completed');
  await queue.clean(keepFailedSeconds * 1000, AT_ONCE, 'failed');
}
