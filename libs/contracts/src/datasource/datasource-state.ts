import { isSettledStatus, type DatasourceStatus, type SettledStatus } from './type-and-status.js';

/** Describes the state of a datasource: the status, the latest run, and the last accepted event of that run. */
export interface DatasourceState {
  readonly status: DatasourceStatus;
  /** Identifies the latest run. Null before the first run. */
  readonly runId: string | null;
  /** Sequence number of the last accepted event of the latest run; 0 before its first event. */
  readonly sequence: number;
}

export type DatasourceEvent =
  | { readonly type: 'enqueued'; readonly runId: string }
  | { readonly type: 'started' | 'progressed'; readonly runId: string; readonly sequence: number }
  | { readonly type: 'settled'; readonly runId: string; readonly sequence: number; readonly status: SettledStatus };

/**
 * Names why an event is ignored. `stale_run`: the event is not of the latest run. `out_of_order`: an event with the
 * same or a higher sequence number was accepted before. `not_allowed`: the run has ended, or was already enqueued.
 */
export type IgnoredReason = 'stale_run' | 'out_of_order' | 'not_allowed';

export type Transition =
  | { readonly accepted: true; readonly next: DatasourceState }
  | { readonly accepted: false; readonly reason: IgnoredReason };

export const INITIAL_STATE: DatasourceState = { status: 'unsynched', runId: null, sequence: 0 };

/**
 * Applies an event to the state of a datasource:
 *
 *     unsynched → pending → running → synched | error | usage_limit_reached
 *                    └────────────────▶ (the run ended before it started: it was cancelled or lost)
 *     settled → pending (the next run)
 *     pending | running → pending (a newer run supersedes the current one, because the document was replaced)
 *
 * Run ids are never reused. Events may arrive twice, late or in any order. An event of the latest run has an effect
 * only if its sequence number is higher than those of all accepted events.
 */
export function applyDatasourceEvent(current: DatasourceState, event: DatasourceEvent): Transition {
  if (event.type === 'enqueued') return createPendingTransition(current, event.runId);
  if (event.runId !== current.runId) return createIgnoredTransition('stale_run');
  if (isSettledStatus(current.status) || current.status === 'unsynched') return createIgnoredTransition('not_allowed');
  if (event.sequence <= current.sequence) return createIgnoredTransition('out_of_order');
  const status = event.type === 'settled' ? event.status : 'running';
  return { accepted: true, next: { status, runId: event.runId, sequence: event.sequence } };
}

function createPendingTransition(current: DatasourceState, runId: string): Transition {
  if (runId === current.runId) return createIgnoredTransition('not_allowed');
  return { accepted: true, next: { status: 'pending', runId, sequence: 0 } };
}

function createIgnoredTransition(reason: IgnoredReason): Transition {
  return { accepted: false, reason };
}
