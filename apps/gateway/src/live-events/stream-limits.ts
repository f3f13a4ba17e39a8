import type { Caller } from '../access/caller.js';
import { problem } from '../problems.js';
import type { WatchedDatasources } from './subscriber.js';

/** Maximum numbers of open event streams in one gateway: per API key, per organization and in total. */
export interface StreamLimits {
  readonly perKey: number;
  readonly perOrganization: number;
  readonly total: number;
}

export const STREAM_LIMITS: StreamLimits = { perKey: 50, perOrganization: 200, total: 2_000 };

const RETRY_SECONDS = 15;

/**
 * Refuses a new stream if the API key, the organization or the gateway has too many open streams.
 *
 * @throws Problem 429
 */
export function requireStreamCapacity(
  openStreams: readonly WatchedDatasources[],
  { organizationId, keyId }: Pick<Caller, 'organizationId' | 'keyId'>,
  limits: StreamLimits,
): void {
  const counts = [
    ['API key', limits.perKey, openStreams.filter((one) => one.keyId === keyId).length],
    ['organization', limits.perOrganization, openStreams.filter((one) => one.organizationId === organizationId).length],
    ['gateway', limits.total, openStreams.length],
  ] as const;
  for (const [owner, limit, count] of counts) {
    if (count < limit) continue;
    throw problem(
      'too_many_streams',
      `At most ${limit} event streams can be open per ${owner}. Close one, or retry later.`,
      {
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      },
    );
  }
}
