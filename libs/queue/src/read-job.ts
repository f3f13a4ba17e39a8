import type { JobContract, JobPayloads, QueueContract } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { ReadableJob, UnreadableJob } from './handlers.js';

export interface FoundJob {
  readonly name: string;
  readonly data: unknown;
}

/** A job as its contract knows it, or what is wrong with it. A field that the contract does not know is left out. */
export function readJob<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  { name, data }: FoundJob,
): ReadableJob<Jobs> | UnreadableJob {
  try {
    return isJobOf(contract, name)
      ? readAs(contract, name, data)
      : { readable: false, name, payload: data, problem: unknownName(contract, name) };
  } catch (error) {
    return { readable: false, name, payload: data, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What to say of a name that the queue carries no job of. */
export function unknownName<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, name: string): string {
  return `queue ${contract.name} carries ${Object.keys(contract.jobs).join(', ')}, found a job ${name}`;
}

function readAs<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  data: unknown,
): ReadableJob<Jobs, Name> {
  return { readable: true, name, payload: parse(contract.jobs[name].payload, data, 'ignore') };
}

function isJobOf<Jobs extends JobPayloads>(contract: QueueContract<Jobs>, name: string): name is keyof Jobs & string {
  return Object.hasOwn(contract.jobs, name);
}

/** How often and how soon a job of this name is tried; undefined when the queue carries none. */
export function retryOf<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  name: string,
): Pick<JobContract<object>, 'attempts' | 'backoff'> | undefined {
  return isJobOf(contract, name) ? contract.jobs[name] : undefined;
}
