import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { checkOf, parse, type Shape } from '@quarry/validation';
import { cleanJson, isCleanJson } from './clean-json.js';
import { unknownName } from './read-job.js';

/** A job as it is carried. */
export interface CarriedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: object;
}

/**
 * Parses a payload strictly, cleans it, and gives it the contract's id.
 *
 * @throws ValidationError when it is not what the contract says; Error when the name or the id cannot be used
 */
export type JobMaker<Jobs extends JobPayloads> = <Name extends keyof Jobs & string>(
  name: Name,
  payload: Jobs[Name],
) => CarriedJob;

// A digit alone is what BullMQ calls the jobs it numbers itself, and `:` parts its keys.
const USABLE_ID = /^(?!\d+$)[^:]+$/;

/** @throws Error for a contract whose payloads have rules that cannot be looked up once */
export function jobMaker<Jobs extends JobPayloads>(contract: QueueContract<Jobs>): JobMaker<Jobs> {
  const names = Object.keys(contract.jobs) as (keyof Jobs & string)[]; // a contract has no other fields
  const carryings = new Map<string, Carrying>(names.map((name) => [name, carrying(contract.jobs[name].payload)]));
  return (name, payload) => {
    const carry = carryings.get(name);
    if (carry === undefined) throw new Error(unknownName(contract, name));
    const carried = carry(payload) as Jobs[typeof name]; // what is kept under the name is for its payloads
    const id = contract.jobs[name].id(carried);
    if (!USABLE_ID.test(id))
      throw new Error(`the id of a job is expected to hold more than digits and no ":", found "${id}" for ${name}`);
    return { id, name, payload: carried };
  };
}

type Carrying = (payload: object) => object;

/** Jobs come by the hundred thousand, and are as they should be: only one that is not is held to its rules one by one, for the report. */
function carrying(shape: Shape<object>): Carrying {
  const isKept = checkOf(shape, 'refuse');
  return (payload) => {
    const json = isKept(payload) ? JSON.stringify(payload) : '';
    if (isCleanJson(json)) return JSON.parse(json) as object; // what the rules let pass is an object, to JSON too
    return parse(shape, cleanJson(parse(shape, payload, 'refuse')), 'refuse');
  };
}
