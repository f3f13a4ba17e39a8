import { NO_COUNTERS, type RunCounters, type RunJobOutcome, type SettledStatus } from '@quarry/contracts';

/** Holds the fields of a final event that gateways read before events had an `outcome`. */
interface EarlierFields {
  readonly status: SettledStatus;
  readonly counters?: RunCounters;
}

/**
 * Returns the fields that an earlier gateway stores, for an upgrade in which a worker is newer than its gateway. Later gateways
 * derive both from the outcome.
 */
export function fieldsForEarlierGateways(end: {
  readonly outcome: RunJobOutcome;
  readonly code?: string;
}): EarlierFields {
  const { outcome, code } = end;
  if (outcome === 'read_failed') return { status: 'error' };
  const counters = { ...NO_COUNTERS, discovered: 1, fetched: 1, [outcome]: 1 };
  if (outcome !== 'failed') return { status: 'synched', counters };
  return { status: code === 'usage_limit_reached' ? code : 'error', counters };
}
