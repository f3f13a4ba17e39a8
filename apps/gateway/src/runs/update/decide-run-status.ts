import {
  type DocumentOutcome,
  type FailureReason,
  formatCount,
  type RunCounters,
  type SettledStatus,
} from '@quarry/contracts';
import { addFailureReason, buildSingleDocumentCounters } from '../run-counters.js';

interface Reason {
  /** A stable, documented error code. Absent: the run has no error. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** Summarizes the settled documents of a run. */
export interface SettledDocuments {
  readonly settled: number;
  readonly counters: RunCounters;
  readonly reasons: readonly FailureReason[];
}

/** The end of a run whose only document has settled. */
interface DocumentEnding extends Reason {
  readonly kind: 'document';
  readonly outcome: DocumentOutcome;
}

/** Describes why a run ends. */
export type RunEnding =
  /** All documents of the run were found and have settled. */
  | ({ readonly kind: 'documents' } & SettledDocuments)
  | DocumentEnding
  /** The run cannot continue: its source could not be read, its job was lost, or a user cancelled it. */
  | ({ readonly kind: 'aborted' } & Reason)
  /** A worker of an earlier version of Quarry has decided the status. */
  | ({ readonly kind: 'decided_by_worker' } & Verdict);

/** Holds the final status of a run and its reason. */
export interface Verdict extends Reason {
  readonly status: SettledStatus;
}

/** Decides the final status of a run. No other function decides a final status. */
export function decideRunStatus(ending: RunEnding): Verdict {
  if (ending.kind === 'documents') return decideStatusByDocuments(ending);
  const { code, message } = ending;
  switch (ending.kind) {
    case 'document':
      return { status: decideStatusByDocuments(summarizeSingleDocument(ending)).status, code, message };
    case 'aborted':
      return { status: 'error', code, message };
    case 'decided_by_worker':
      return { status: ending.status, code, message };
  }
}

const USAGE_LIMIT_REACHED = 'usage_limit_reached';

/**
 * Returns the status `usage_limit_reached` if a usage limit blocked a document. Otherwise returns `error` if a document
 * failed and none was indexed or unchanged, and `synched` in all other cases.
 */
function decideStatusByDocuments({ settled, counters: { failed, skipped }, reasons }: SettledDocuments): Verdict {
  const blocked = reasons.find(({ code }) => code === USAGE_LIMIT_REACHED);
  if (blocked !== undefined) {
    const message = `${blocked.count} of ${formatCount(settled, 'document')} ${blocked.count === 1 ? 'was' : 'were'} not stored. The first: ${blocked.message}`;
    return { status: USAGE_LIMIT_REACHED, code: USAGE_LIMIT_REACHED, message };
  }
  if (failed === 0 || failed + skipped < settled) return { status: 'synched' };
  const [first] = reasons.toSorted((a, b) => b.count - a.count);
  const summary = describeFailures(failed, settled);
  return {
    status: 'error',
    code: first?.code ?? 'all_documents_failed',
    message: `${summary}${first === undefined ? '' : `; the most frequent reason: ${first.message}`}.`,
  };
}

function summarizeSingleDocument({ outcome, code, message }: DocumentEnding): SettledDocuments {
  const reasons = outcome === 'failed' ? addFailureReason([], code ?? outcome, message ?? '') : [];
  return { settled: 1, counters: buildSingleDocumentCounters(outcome), reasons };
}

function describeFailures(failed: number, settled: number): string {
  if (failed !== settled) return `None of ${formatCount(settled, 'document')} could be indexed`;
  return settled === 1 ? 'The only document failed' : `All ${formatCount(settled, 'document')} failed`;
}
