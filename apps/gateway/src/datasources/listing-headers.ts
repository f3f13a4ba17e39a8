import { requireAllowedHeaders, FetchRefused } from '@quarry/safe-fetch';
import type { Headers } from '@quarry/encrypted-secrets';
import { createFieldProblem } from '../checks/field-problem.js';

const FIELD_PATH = 'config.headers';
const MAX_HEADERS = 50;
const MAX_BYTES = 16_384;

/**
 * Reads the field `headers` of the configuration of a listing: the HTTP headers that Quarry sends with requests for the
 * listing. Error messages omit header values, because these can be secrets.
 *
 * @returns undefined if the configuration has no field `headers`, null if the field is null, which removes stored
 * headers
 * @throws Problem 400
 */
export function readListingHeaders(config: unknown): Headers | null | undefined {
  const headers: unknown =
    typeof config === 'object' && config !== null && 'headers' in config ? config.headers : undefined;
  if (headers === undefined || headers === null) return headers;
  if (!isStringRecord(headers)) throw createFieldProblem(FIELD_PATH, 'must be an object whose values are strings');
  const count = Object.keys(headers).length;
  if (count > MAX_HEADERS)
    throw createFieldProblem(FIELD_PATH, `must have at most ${MAX_HEADERS} names, found ${count}`);
  const bytes = Buffer.byteLength(JSON.stringify(headers));
  if (bytes > MAX_BYTES)
    throw createFieldProblem(FIELD_PATH, `must have at most ${MAX_BYTES} bytes as JSON, found ${bytes}`);
  try {
    requireAllowedHeaders(headers);
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw createFieldProblem(FIELD_PATH, `must be valid HTTP headers: ${error.message}`);
  }
  return headers;
}

function isStringRecord(value: unknown): value is Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
