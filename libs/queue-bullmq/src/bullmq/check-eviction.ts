import type { QueueLog } from '@quarry/queue';

/** What a Redis says of itself. */
export interface TellsOfItself {
  info(section: string): Promise<string>;
}

/**
 * Warns when a Redis throws keys away while its memory is full: a job among them would be lost without a word.
 */
export async function checkEviction(redis: TellsOfItself, address: string, log: QueueLog): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  log.warn(
    { address, policy },
    `Redis throws keys away when its memory is full (maxmemory-policy is ${policy}), and jobs with them: set maxmemory-policy noeviction`,
  );
}
