import type { DatasourceStatusJobs } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue-bullmq';
import { quietly } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { documentSettled, runEnumerated } from './document-settled.js';
import { runProgressed } from './run-progressed.js';
import { statusChanged } from './status-changed.js';

/** What these handlers need to know of the job that they run for. */
type ToldIn = Pick<JobContext, 'log'>;

type StatusHandlers = {
  readonly [Name in keyof DatasourceStatusJobs]: (payload: DatasourceStatusJobs[Name], job: ToldIn) => Promise<void>;
};

/** Take in what is told of runs, each in its own transaction. */
export function statusHandlers(gateway: Pick<Gateway, 'db' | 'blobs' | 'clock' | 'outboxWritten'>): StatusHandlers {
  return {
    'status-changed': async (payload, job) => quietly(statusChanged(gateway, payload, job)),
    'run-progressed': async (payload) => quietly(runProgressed(gateway, payload)),
    'document-settled': async (payload) => quietly(documentSettled(gateway, payload)),
    'run-enumerated': async (payload) => quietly(runEnumerated(gateway, payload)),
  };
}
