import type { JobContract, JobPayloads, QueueContract } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { ReadableJob, UnreadableJob } from './handlers.js';

export interface RawJob {
  readonly name: string;
  readonly data: unknown;
}

/**
 * Parses a job according to the contract of its queue, and ignores unknown fields. If the job is unreadable, the result
 * describes the problem.
 */
export function readJob<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  { name, data }: RawJob,
): ReadableJob<Jobs> | UnreadableJob {
  try {
    return isJobName(contract, name)
      ? parseReadableJob(contract, name, data)
      : { readable: false, name, payload: data, problem: describeUnknownJobName(contract, name) };
  } catch (error) {
    return { readable: false, name, payload: data, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the message that describes a job name that the queue does not define. */
export function describeUnknownJobName<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, name: string): string {
  return `queue ${contract.name} accepts the jobs ${Object.keys(contract.jobs).join(', ')}, found a job with the name ${name}`;
}

function parseReadableJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  data: unknown,
): ReadableJob<Jobs, Name> {
  return { readable: true, name, payload: parse(contract.jobs[name].payload, data, 'ignore') };
}

function isJobName<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, name: string): name is keyof Jobs & string {
  return Object.hasOwn(contract.jobs, name);
}

/** Returns the retry settings of the job with the given name, or undefined if the queue does not define the name. */
export function getRetrySettings<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  name: string,
): Pick<JobContract<object>, 'attempts' | 'backoff'> | undefined {
  return isJobName(contract, name) ? contract.jobs[name] : undefined;
}
