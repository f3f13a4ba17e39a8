import { checkHeaders, FetchRefused } from '@quarry/safe-fetch';
import type { Headers } from '@quarry/encrypted-secrets';
import { invalid } from '../checks/invalid.js';

const PATH = 'config.headers';
const MOST_HEADERS = 50;
const MOST_BYTES = 16_384;

/**
 * The headers in a configuration, which hold secrets: no message says what was found in them.
 *
 * @returns undefined when there are none, null when they are to be taken away
 * @throws Problem 400
 */
export function readHeaders(config: unknown): Headers | null | undefined {
  const headers: unknown =
    typeof config === 'object' && config !== null && 'headers' in config ? config.headers : undefined;
  if (headers === undefined || headers === null) return headers;
  if (!areTexts(headers)) throw invalid(PATH, 'must be an object with a text for each name');
  const count = Object.keys(headers).length;
  if (count > MOST_HEADERS) throw invalid(PATH, `may have ${MOST_HEADERS} names, found ${count}`);
  const bytes = Buffer.byteLength(JSON.stringify(headers));
  if (bytes > MOST_BYTES) throw invalid(PATH, `may have ${MOST_BYTES} bytes as JSON, found ${bytes}`);
  try {
    checkHeaders(headers);
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw invalid(PATH, `must be headers that can be sent: ${error.message}`);
  }
  return headers;
}

function areTexts(value: unknown): value is Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
