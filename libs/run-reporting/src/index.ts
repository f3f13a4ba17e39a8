export { createGatewayClient, type GatewayAddress, type GatewayClient } from './gateway-client.js';
export { readGatewayAddress } from './gateway-client.js';
export { RunNotWanted } from './run-watch.js';
export { createRunDocuments, type FoundDocuments, type RunDocuments } from './found-documents.js';
export { openRunWatch, type RunWatch, type RunWatchLog } from './run-watch.js';
export { openStatuses, type EventProducer, type Statuses } from './statuses.js';
export { createRunReporter, type ReportedJob, type Reporting, type RunEnd, type RunReporter } from './run-reporter.js';
export { createAttemptError, reportJobEnds, createUserReason, type JobEnds } from './report-job-ends.js';
export { computeEventNumbers, type EventNumbers, type JobStart, type RunPhase } from './run-reporter.js';
