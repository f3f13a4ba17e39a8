import {
  NO_COUNTERS,
  type DatasourceStatusJobs,
  type SyncCatalog,
  type ReasonCode,
  type WholeReading,
} from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';
import type { RunEnd } from '../scan/catalog-state.js';

/** Tells the gateway how a run is going. */
export interface RunReporter {
  running(): Promise<void>;
  /** Told at most once a second; what is in between is left out. */
  progressed(items: { readonly done: number; readonly total: number }): Promise<void>;
  /** @param wouldKeep of a dry run that has read everything */
  enumerated(end: RunEnd, wouldKeep?: WholeReading): Promise<void>;
}

/** Each start of a job numbers its events from here on: later starts are newer, whatever the earlier ones told. */
const EVENTS_A_START = 10_000;
const PROGRESS_EVERY_MS = 1_000;

export function runReporter(
  { status, now }: { readonly status: Pick<Producer<DatasourceStatusJobs>, 'add'>; readonly now: () => Date },
  { datasourceId, runId }: SyncCatalog,
  starts: number,
): RunReporter {
  let told = 0;
  let toldAt = -Infinity;
  const event = (): { datasourceId: string; runId: string; sequence: number; at: string } => {
    told += 1;
    return { datasourceId, runId, sequence: starts * EVENTS_A_START + told, at: now().toISOString() };
  };
  return {
    running: async () => {
      await status.add('status-changed', { ...event(), status: 'running' });
    },
    progressed: async (items) => {
      const isSoon = now().getTime() - toldAt < PROGRESS_EVERY_MS;
      if (isSoon || told > EVENTS_A_START - 10) return;
      toldAt = now().getTime();
      const counters = { ...NO_COUNTERS, discovered: items.total, fetched: items.done };
      const progress = { ...items, unit: 'items' };
      await status.add('run-progressed', { ...event(), stage: 'fetching', progress, counters });
    },
    enumerated: async ({ note, ...run }, wouldKeep) => {
      const at = now().toISOString();
      await status.add('run-enumerated', {
        datasourceId,
        runId,
        at,
        ...run,
        discovered: run.fetched,
        ...(note === '' ? {} : { note }),
        ...(wouldKeep === undefined ? {} : { wouldKeep }),
      });
    },
  };
}

/** The event with which a run fails as a whole: later than all that its start has told. */
export async function reportFailure(
  { status, now }: { readonly status: Pick<Producer<DatasourceStatusJobs>, 'add'>; readonly now: () => Date },
  { datasourceId, runId }: SyncCatalog,
  failure: { readonly starts: number; readonly code: ReasonCode; readonly message: string },
): Promise<void> {
  const { starts, code, message } = failure;
  const sequence = starts * EVENTS_A_START + EVENTS_A_START - 1;
  await status.add('status-changed', {
    datasourceId,
    runId,
    sequence,
    at: now().toISOString(),
    status: 'error',
    code,
    message,
  });
}
