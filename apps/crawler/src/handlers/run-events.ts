import type { Counters, DatasourceStatusJobs, Progress, SyncJob, ReasonCode } from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';

/** Which events of a run are whose: each start of the job has its own numbers, greater than those of the starts before. */
export interface EventNumbers {
  /** How often the job was started, this time included. */
  readonly starts: number;
  /** How many numbers a start has. The last one is for the run's end. */
  readonly perStart: number;
  /** All numbers of the job are below it. */
  readonly below: number;
}

export interface RunEvents {
  running(): Promise<void>;
  /** Progress may be left out: of too many reports the later ones are. */
  progressed(progress: Progress, counters?: Counters): Promise<void>;
  failed(code: ReasonCode, message: string): Promise<void>;
}

/** What a run tells the gateway of its course. */
export function runEvents(
  status: Producer<DatasourceStatusJobs>,
  { datasourceId, runId }: Pick<SyncJob, 'datasourceId' | 'runId'>,
  numbers: EventNumbers,
  now: () => number,
): RunEvents {
  const first = Math.min(numbers.starts * numbers.perStart, numbers.below - numbers.perStart);
  const last = first + numbers.perStart - 1;
  let next = first;
  const event = (sequence: number) => ({ datasourceId, runId, sequence, at: new Date(now()).toISOString() });
  return {
    running: async () => {
      await status.add('status-changed', { ...event(next++), status: 'running' });
    },
    progressed: async (progress, counters) => {
      if (next >= last) return;
      const told = { stage: 'fetching' as const, progress, ...(counters !== undefined && { counters }) };
      await status.add('run-progressed', { ...event(next++), ...told });
    },
    failed: async (code, message) => {
      await status.add('status-changed', { ...event(last), status: 'error', code, message });
    },
  };
}
