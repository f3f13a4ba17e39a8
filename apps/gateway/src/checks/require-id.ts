import type { Problem } from '@quarry/service-kit';
import { isId } from '../database/id.js';
import { problem } from '../problems.js';

/** Kinds of resource that have an id in the API. */
export type ResourceKind =
  | 'agent'
  | 'answer stream'
  | 'API key'
  | 'conversation'
  | 'datasource'
  | 'datastore'
  | 'dataset'
  | 'delivery'
  | 'evaluation'
  | 'message'
  | 'organization'
  | 'page'
  | 'webhook';

/**
 * Creates the problem `not_found`. Its text is the same whether the resource does not exist, belongs to another organization,
 * or is not accessible to the key. So callers cannot detect resources of others.
 */
export function createNotFoundProblem(kind: ResourceKind, id: string): Problem {
  return problem('not_found', `There is no ${kind} ${id} that this key can access.`);
}

const PAGE_NUMBER = /^[1-9]\d{0,5}$/;

/** Returns an id in lower case, as ids are stored. @throws Problem 404 for a text that is not a UUID, or not a page number */
export function requireId(kind: ResourceKind, id: string): string {
  if (kind === 'page' ? !PAGE_NUMBER.test(id) : !isId(id)) throw createNotFoundProblem(kind, id);
  return id.toLowerCase();
}
