import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { compileShapeCheck, parse, type Shape } from '@quarry/validation';
import { cleanJson, isCleanJson } from './clean-json.js';
import { describeUnknownJobName } from './read-job.js';

/** Describes a job in the form in which a queue stores it. */
export interface CarriedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: object;
}

/**
 * Validates a payload strictly, cleans it (`cleanJson`), and computes the id of the job.
 *
 * @throws ValidationError if the payload is invalid; Error if the queue does not define the name, or the id is invalid
 */
export type JobMaker<Jobs extends JobPayloads> = <Name extends keyof Jobs & string>(
  name: Name,
  payload: Jobs[Name],
) => CarriedJob;

// BullMQ uses numbers as ids of its own jobs, and `:` as a separator in its keys.
const USABLE_ID = /^(?!\d+$)[^:]+$/;

/** Returns a function that creates jobs of a queue. @throws Error if the rules of a payload class cannot be compiled */
export function createJobMaker<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): JobMaker<Jobs> {
  const names = Object.keys(contract.jobs) as (keyof Jobs & string)[]; // a contract has no other fields
  const preparers = new Map<string, PreparePayload>(
    names.map((name) => [name, createPayloadPreparer(contract.jobs[name].payload)]),
  );
  return (name, payload) => {
    const prepare = preparers.get(name);
    if (prepare === undefined) throw new Error(describeUnknownJobName(contract, name));
    const prepared = prepare(payload) as Jobs[typeof name]; // the preparer of this name returns its payload
    const id = contract.jobs[name].buildId(prepared);
    if (!USABLE_ID.test(id))
      throw new Error(
        `expected the id of a ${name} job to contain a character other than a digit, and no ":", found "${id}"`,
      );
    return { id, name, payload: prepared };
  };
}

type PreparePayload = (payload: object) => object;

/**
 * Returns a function that validates and cleans payloads. The function is fast for a payload that is valid and clean,
 * because it only copies such a payload. It parses any other payload, and returns a clean copy or throws an error that
 * lists the problems.
 */
function createPayloadPreparer(shape: Shape<object>): PreparePayload {
  const isValid = compileShapeCheck(shape, 'refuse');
  return (payload) => {
    const json = isValid(payload) ? JSON.stringify(payload) : '';
    if (isCleanJson(json)) return JSON.parse(json) as object; // a valid payload is an object
    return parse(shape, cleanJson(parse(shape, payload, 'refuse')), 'refuse');
  };
}
