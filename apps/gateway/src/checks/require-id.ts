import type { Problem } from '@quarry/service-kit';
import { isId } from '../database/id.js';
import { problem } from '../problems.js';

/** Kinds of resource that have an id in the API. */
export type ResourceKind =
  | 'agent'
  | 'API key'
  | 'conversation'
  | 'datasource'
  | 'datastore'
  | 'dataset'
  | 'evaluation'
  | 'organization'
  | 'webhook';

/**
 * Creates the problem `not_found`. Its text is the same whether the resource does not exist, belongs to another organization,
 * or is not accessible to the key. So callers cannot detect resources of others.
 */
export function createNotFoundProblem(kind: ResourceKind, id: string): Problem {
  return problem('not_found', `There is no ${kind} ${id} that this key can access.`);
}

/** Returns an id in lower case, as ids are stored. @throws Problem 404 for a text that is not a UUID */
export function requireId(kind: ResourceKind, id: string): string {
  if (!isId(id)) throw createNotFoundProblem(kind, id);
  return id.toLowerCase();
}
