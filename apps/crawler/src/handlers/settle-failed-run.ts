import { type CrawlJobs, type DatasourceStatusJobs, reasonCodeOf } from '@quarry/contracts';
import type { JobContext, JobFailure, Producer } from '@quarry/queue-bullmq';
import { PAGE_EVENTS, SITE_EVENTS } from './event-numbers.js';
import { runEvents } from './run-events.js';

export interface SettleParts {
  readonly status: Producer<DatasourceStatusJobs>;
  readonly now: () => number;
}

/** Ends the run of a job that failed for good. One whose payload names no run is left to the gateway's watchdog. */
export async function settleFailedRun(
  parts: SettleParts,
  failure: JobFailure<CrawlJobs>,
  job: JobContext,
): Promise<void> {
  const { code, message } = failure.reason;
  if (!failure.readable) {
    job.log.error({ code }, message);
    return;
  }
  const numbers = failure.name === 'crawl-page' ? PAGE_EVENTS : SITE_EVENTS;
  const events = runEvents(parts.status, failure.payload, { starts: job.starts, ...numbers }, parts.now);
  await events.failed(reasonCodeOf(code), message);
}
