import { parseResourceId, type ResourceKind } from '../checks/parse-resource-id.js';

/**
 * The kind of resource that a path parameter identifies, or a function that parses the parameter and throws the problem
 * 404.
 */
export type ParameterKind = ResourceKind | ((text: string) => string);

/** Parses a path parameter. @throws Problem 404 for a text that cannot identify a resource of this kind */
export function parsePathParameter(kind: ParameterKind, text: string): string {
  return typeof kind === 'function' ? kind(text) : parseResourceId(kind, text);
}
