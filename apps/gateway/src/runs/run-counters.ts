import { NO_COUNTERS, type DocumentOutcome, type FailureReason, type RunCounters } from '@quarry/contracts';
import type { RunRow } from '../database/tables/runs.js';

const MAX_REASONS = 100;

/** Adds a number of settled documents of a run to the counter of their outcome. Returns the new counters. */
export function addDocumentOutcome(counters: RunCounters, outcome: DocumentOutcome, documents = 1): RunCounters {
  return raiseDiscoveredToCounted(Object.assign({}, counters, { [outcome]: counters[outcome] + documents }));
}

/** Returns the counters of a run whose only document has settled. */
export function buildSingleDocumentCounters(outcome: DocumentOutcome): RunCounters {
  return addDocumentOutcome({ ...NO_COUNTERS, discovered: 1, fetched: 1 }, outcome);
}

/**
 * Raises each counter to the reported value if that value is larger. Counters never decrease, because reports arrive in
 * any order.
 */
export function raiseCounters(counters: RunCounters, reported: Partial<RunCounters>): RunCounters {
  const next: Record<keyof RunCounters, number> = { ...counters };
  for (const name of Object.keys(counters) as (keyof RunCounters)[]) {
    next[name] = Math.max(counters[name], reported[name] ?? 0);
  }
  return raiseDiscoveredToCounted(next);
}

/**
 * Raises `discovered` to the number of fetched or of settled documents, whichever is larger, because a document may be
 * counted before it is reported as discovered.
 */
function raiseDiscoveredToCounted(counters: RunCounters): RunCounters {
  const { fetched, indexed, unchanged, failed, skipped } = counters;
  const discovered = Math.max(counters.discovered, fetched, indexed + unchanged + failed + skipped);
  return Object.assign({}, counters, { discovered });
}

/** Raises `discovered` to the number of documents that a run has recorded so far. */
export function raiseDiscoveredCount(counters: RunCounters, recorded: number): RunCounters {
  return raiseCounters(counters, { discovered: recorded });
}

/** Raises `fetched` to the reported number, but not above `discovered`. */
export function raiseFetchedCount(counters: RunCounters, fetched: number): RunCounters {
  const { discovered, fetched: before } = counters;
  return Object.assign({}, counters, { fetched: Math.min(Math.max(before, fetched), discovered) });
}

/** Increments the count of failures with a code. Stores the first message of each code, for at most 100 codes. */
export function addFailureReason(
  reasons: readonly FailureReason[],
  code: string,
  message: string,
): readonly FailureReason[] {
  const isKnown = reasons.some((reason) => reason.code === code);
  if (!isKnown) return reasons.length < MAX_REASONS ? [...reasons, { code, message, count: 1 }] : reasons;
  return reasons.map((known) =>
    known.code === code ? { code, message: known.message, count: known.count + 1 } : known,
  );
}

/**
 * Returns true if the gateway counts the documents of a run when they are recorded. The workers of dry runs and of runs
 * of one document report counters instead.
 */
export function areDocumentsCountedWhenRecorded({
  documentsKnown,
  dryRun,
}: Pick<RunRow, 'documentsKnown' | 'dryRun'>): boolean {
  return documentsKnown !== null && !dryRun;
}
