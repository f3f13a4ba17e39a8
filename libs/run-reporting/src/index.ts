export {
  createGatewayClient,
  createRunDocuments,
  createStatusReporter,
  readGatewayAddress,
  type FoundDocuments,
  type GatewayAddress,
  type GatewayClient,
  type RunDocuments,
} from './gateway-client.js';
export { openRunWatch, RunNotWanted, type RunWatch, type RunWatchLog } from './run-watch.js';
export { createStatusEmitter, type EventProducer, type StatusEmitter } from './status-emitter.js';
export {
  computeEventNumbers,
  createRunReporter,
  type EventNumbers,
  type JobStart,
  type ReportedJob,
  type Reporting,
  type RunEnd,
  type RunPhase,
  type RunReporter,
} from './run-reporter.js';
export {
  createAttemptError,
  createJobEndHooks,
  createReasonForUsers,
  type JobEndHooks,
} from './create-job-end-hooks.js';
