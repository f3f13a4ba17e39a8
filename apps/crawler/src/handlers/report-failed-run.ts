import { reasonCodeOf, type CrawlJobs } from '@quarry/contracts';
import type { JobContext, JobFailure } from '@quarry/queue-bullmq';
import { runReporter, type Reporting } from '@quarry/run-reporting';

/** Ends the run of a job that has failed for good. The gateway's watchdog ends one whose payload cannot be read. */
export async function reportFailedRun(
  reporting: Reporting,
  failure: JobFailure<CrawlJobs>,
  { starts, log }: JobContext,
): Promise<void> {
  const { code, message } = failure.reason;
  if (!failure.readable) {
    log.error({ code }, message);
    return;
  }
  const { datasourceId, runId } = failure.payload;
  const phase = failure.name === 'crawl-page' ? 'fetching-one' : 'whole';
  const reporter = runReporter(reporting, { datasourceId, runId, starts, phase });
  await reporter.settled({ status: 'error', code: reasonCodeOf(code), message });
}
