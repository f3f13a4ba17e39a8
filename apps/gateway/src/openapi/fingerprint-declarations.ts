import { createHash } from 'node:crypto';
import type { RouteDescription } from '../http/declaration.js';
import { buildOpenApiDocument } from './document.js';

const FINGERPRINT_LENGTH = 16;

/**
 * Returns a fingerprint of operations with their parameters and properties, without descriptions and errors.
 * `docs/openai-properties.md` contains the fingerprint of the declarations from which that page was written.
 */
export function fingerprintDeclarations(operations: readonly RouteDescription[]): string {
  const { paths, components } = buildOpenApiDocument(operations);
  const compared = JSON.stringify({ paths, components }, (key, value: unknown) =>
    isDescription(key, value) || isErrorResponseKey(key) ? undefined : value,
  );
  return createHash('sha256').update(compared).digest('hex').slice(0, FINGERPRINT_LENGTH);
}

/**
 * Returns true if an entry of the OpenAPI document is a description or summary. A schema can also have properties named
 * `description` or `summary`, but the values of these are objects.
 */
function isDescription(key: string, value: unknown): boolean {
  return (key === 'description' || key === 'summary') && typeof value === 'string';
}

/** Returns true for the status of an error response, such as `404`, and for the name of the schema of problems. */
function isErrorResponseKey(key: string): boolean {
  return key === 'Problem' || /^[45]\d\d$/.test(key);
}
