import type { DocumentOutcome, FailureReason, RunCounters, SettledStatus } from '@quarry/contracts';

const MAX_REASONS = 100;

/** Counts documents that have settled. */
export function count(counters: RunCounters, outcome: DocumentOutcome, documents = 1): RunCounters {
  return balanced(Object.assign({}, counters, { [outcome]: counters[outcome] + documents }));
}

/** Takes in what was told of a run's totals. What was counted here, and what others have told, is not lost. */
export function grown(counters: RunCounters, told: Partial<RunCounters>): RunCounters {
  const next: Record<keyof RunCounters, number> = { ...counters };
  for (const name of Object.keys(counters) as (keyof RunCounters)[]) {
    next[name] = Math.max(counters[name], told[name] ?? 0);
  }
  return balanced(next);
}

/** Everything that was fetched or has settled was discovered, also when it is counted before the finder reports it. */
function balanced(counters: RunCounters): RunCounters {
  const { fetched, indexed, unchanged, failed, skipped } = counters;
  const discovered = Math.max(counters.discovered, fetched, indexed + unchanged + failed + skipped);
  return Object.assign({}, counters, { discovered });
}

/** Counts the documents that a run has recorded so far. */
export function withDiscovered(counters: RunCounters, recorded: number): RunCounters {
  return grown(counters, { discovered: recorded });
}

/** Takes in how many of its documents the finder of a run of several has fetched. Discovered is what it has recorded. */
export function withFetched(counters: RunCounters, fetched: number): RunCounters {
  const { discovered, fetched: before } = counters;
  return Object.assign({}, counters, { fetched: Math.min(Math.max(before, fetched), discovered) });
}

/** Adds a reason to its group. The message that came first stands for the group. */
export function addReason(reasons: readonly FailureReason[], code: string, message: string): readonly FailureReason[] {
  const isKnown = reasons.some((reason) => reason.code === code);
  if (!isKnown) return reasons.length < MAX_REASONS ? [...reasons, { code, message, count: 1 }] : reasons;
  return reasons.map((known) =>
    known.code === code ? { code, message: known.message, count: known.count + 1 } : known,
  );
}

export interface Verdict {
  readonly status: SettledStatus;
  readonly code?: string;
  readonly message?: string;
}

const USAGE_LIMIT_REACHED = 'usage_limit_reached';

/**
 * How a run ends whose documents have all settled: that some failed is told by the counters, that none came to anything is an
 * error. One that found no room is enough for the run to wait for room.
 */
export function verdictOf(settled: number, counters: RunCounters, reasons: readonly FailureReason[]): Verdict {
  const blocked = reasons.find(({ code }) => code === USAGE_LIMIT_REACHED);
  if (blocked !== undefined) {
    const message = `${blocked.count} of ${settled} documents were not stored. The first: ${blocked.message}`;
    return { status: USAGE_LIMIT_REACHED, code: USAGE_LIMIT_REACHED, message };
  }
  const { failed, skipped } = counters;
  if (failed === 0 || failed + skipped < settled) return { status: 'synched' };
  const [first] = reasons.toSorted((a, b) => b.count - a.count);
  const what = failed === settled ? `All ${settled} documents failed` : `None of ${settled} documents could be indexed`;
  return {
    status: 'error',
    code: first?.code ?? 'all_documents_failed',
    message: `${what}${first === undefined ? '' : `; the most frequent reason: ${first.message}`}.`,
  };
}
