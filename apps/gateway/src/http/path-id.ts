import type { Request } from 'express';
import { isId } from '../database/id.js';
import { problem } from '../problems.js';
import type { Problem } from '@quarry/service-kit';

/** What ids of the API name. */
export type Named = 'agent' | 'API key' | 'conversation' | 'datasource' | 'datastore' | 'organization' | 'webhook';

/** The same words whether it never was, was removed, belongs to another organization or is out of the key's reach. */
export function unknown(what: Named, id: string): Problem {
  return problem('not_found', `There is no ${what} ${id} that this key can reach.`);
}

/** The id as it is written everywhere, in small letters. @throws Problem 404 for what can be no id */
export function requireId(what: Named, id: string): string {
  if (!isId(id)) throw unknown(what, id);
  return id.toLowerCase();
}

/** The id in a route's path. @throws Problem 404 */
export function pathId(request: Request, what: Named, parameter = 'id'): string {
  const value = request.params[parameter];
  return requireId(what, typeof value === 'string' ? value : '');
}
