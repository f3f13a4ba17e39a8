import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { cleanJson } from './clean-text.js';
import { unknownName } from './read-job.js';

/** A job as it is carried. */
export interface CarriedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: object;
}

// A digit alone is what BullMQ calls the jobs it numbers itself, and `:` parts its keys.
const USABLE_ID = /^(?!\d+$)[^:]+$/;

/**
 * Parses a payload strictly, cleans it, and gives it the contract's id.
 *
 * @throws ValidationError when it is not what the contract says; Error when the name or the id cannot be used
 */
export function newJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  payload: Jobs[Name],
): CarriedJob {
  if (!Object.hasOwn(contract.jobs, name)) throw new Error(unknownName(contract, name));
  const job = contract.jobs[name];
  const parsed = parse(job.payload, cleanJson(parse(job.payload, payload, 'refuse')), 'refuse');
  const id = job.id(parsed);
  if (!USABLE_ID.test(id))
    throw new Error(`the id of a job is expected to hold more than digits and no ":", found "${id}" for ${name}`);
  return { id, name, payload: parsed };
}
