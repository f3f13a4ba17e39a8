import { isSettled, type DatasourceStatus, type SettledStatus } from './datasource.js';

/** Where a datasource stands: its status, and the run and event that brought it there. */
export interface DatasourceLife {
  readonly status: DatasourceStatus;
  /** The latest run; null before the first. */
  readonly runId: string | null;
  /** The number of the last event of that run that was taken. */
  readonly sequence: number;
}

export type LifeEvent =
  | { readonly type: 'enqueued'; readonly runId: string }
  | { readonly type: 'started' | 'progressed'; readonly runId: string; readonly sequence: number }
  | { readonly type: 'settled'; readonly runId: string; readonly sequence: number; readonly status: SettledStatus };

/** Why an event changes nothing: it belongs to an earlier run, it is older than one already taken, or the status forbids it. */
export type IgnoredReason = 'stale_run' | 'out_of_order' | 'not_allowed';

export type Transition =
  | { readonly accepted: true; readonly next: DatasourceLife }
  | { readonly accepted: false; readonly reason: IgnoredReason };

export const NEW_LIFE: DatasourceLife = { status: 'unsynched', runId: null, sequence: 0 };

/**
 * The life of a datasource:
 *
 *     unsynched → pending → running → synched | error | usage_limit_reached
 *                    └────────────────▶ (settled without ever starting: cancelled, run lost)
 *     settled → pending (the next run)
 *     pending | running → pending (a newer run supersedes the one under way: its document was replaced meanwhile)
 *
 * A run's id is never used again. Events may arrive twice, late or in any order; only one that is newer than all taken so far has an effect.
 */
export function transition(current: DatasourceLife, event: LifeEvent): Transition {
  if (event.type === 'enqueued') return enqueue(current, event.runId);
  if (event.runId !== current.runId) return ignore('stale_run');
  if (isSettled(current.status) || current.status === 'unsynched') return ignore('not_allowed');
  if (event.sequence <= current.sequence) return ignore('out_of_order');
  const status = event.type === 'settled' ? event.status : 'running';
  return { accepted: true, next: { status, runId: event.runId, sequence: event.sequence } };
}

function enqueue(current: DatasourceLife, runId: string): Transition {
  if (runId === current.runId) return ignore('not_allowed');
  return { accepted: true, next: { status: 'pending', runId, sequence: 0 } };
}

function ignore(reason: IgnoredReason): Transition {
  return { accepted: false, reason };
}
