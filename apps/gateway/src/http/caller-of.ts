import type { Response } from 'express';
import type { Caller } from '../access/caller.js';

const callers = new WeakMap<Response, Caller>();

export function setCaller(response: Response, caller: Caller): void {
  callers.set(response, caller);
}

/** Returns the caller that `authenticate` admitted. @throws if the route is mounted without `authenticate` */
export function callerOf(response: Response): Caller {
  const caller = callers.get(response);
  if (caller === undefined) throw new Error('expected authenticate before this handler, found no caller');
  return caller;
}
