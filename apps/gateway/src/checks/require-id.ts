import type { Problem } from '@quarry/service-kit';
import { isId } from '../database/id.js';
import { problem } from '../problems.js';

/** Kinds of resource that have an id in the API. */
export type ResourceKind =
  'agent' | 'API key' | 'conversation' | 'datasource' | 'datastore' | 'organization' | 'webhook';

/**
 * Returns the same problem for a resource that never existed, was removed, belongs to another organization or is not accessible
 * to the key.
 */
export function notFound(kind: ResourceKind, id: string): Problem {
  return problem('not_found', `There is no ${kind} ${id} that this key can access.`);
}

/** Returns the id in lower case, as it is stored. @throws Problem 404 for a text that is not an id */
export function requireId(kind: ResourceKind, id: string): string {
  if (!isId(id)) throw notFound(kind, id);
  return id.toLowerCase();
}
