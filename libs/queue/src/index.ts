export { computeBackoff } from './backoff.js';
export { toErrorWithCleanText, cleanJson, replaceUnstorableCharacters, parseCleanJson } from './clean-json.js';
export {
  type FailureReason,
  type Handlers,
  type JobContext,
  type JobFailure,
  type JobRetry,
  type JobRun,
  type JobWatch,
  type QueueLog,
  type ReadableJob,
  type UnreadableJob,
} from './handlers.js';
export { createJobMaker, type CarriedJob } from './job-maker.js';
export { OwnerSlots } from './owner-slots.js';
export { type Pacing } from './pacing.js';
export {
  type AddOptions,
  type Consumer,
  type ConsumerOptions,
  type JobState,
  type NewJob,
  type Producer,
  type QueueDepth,
  type Queues,
} from './queues.js';
export { readJob, getRetrySettings } from './read-job.js';
export { runJob, type JobRunner, type Outcome, type StartedJob } from './run-job.js';
