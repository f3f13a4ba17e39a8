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
  | 'file'
  | 'file batch'
  | 'message'
  | 'model connection'
  | 'model provider'
  | 'organization'
  | 'page'
  | 'response'
  | 'upload'
  | 'upload part'
  | 'vector store'
  | 'webhook';

/**
 * Creates the problem `not_found`. Its text is the same for a resource that does not exist, belongs to another
 * organization, or is not accessible to the key. So callers cannot detect resources of other organizations.
 */
export function createNotFoundProblem(kind: ResourceKind, id: string): Problem {
  return problem('not_found', `There is no ${kind} ${id} that this key can access.`);
}

/** Patterns of the ids of those kinds of resources whose ids are not UUIDs. */
const FORMS: Readonly<Partial<Record<ResourceKind, RegExp>>> = {
  page: /^[1-9]\d{0,5}$/,
  'model provider': /^[a-z]{1,40}$/,
};

/**
 * Returns an id in lower case, as ids are stored.
 *
 * @throws Problem 404 for a text that is not a valid id of a resource of this kind
 */
export function parseResourceId(kind: ResourceKind, id: string): string {
  if (!(FORMS[kind]?.test(id) ?? isId(id))) throw createNotFoundProblem(kind, id);
  return id.toLowerCase();
}
