import { FetchRefused } from './fetch-error.js';
import type { Stage } from './decompression.js';

/** Passes up to `most` bytes through and fails at the next one. `what` names the counted data in the message. */
export function limitBytes(most: number, what: string): Stage {
  return async function* (source) {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.length;
      if (passed > most) throw createTooLargeError(most, what);
      yield chunk;
    }
  };
}

export const createTooLargeError = (most: number, what: string): FetchRefused =>
  new FetchRefused('too_large', `expected ${what} of at most ${most} bytes, found more`);
