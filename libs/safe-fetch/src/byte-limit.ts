import { FetchRefused } from './fetch-error.js';
import type { Stage } from './decompression.js';

/** Lets `most` bytes pass and fails at the first one more. `what` is what was counted, for the message. */
export function byteLimit(most: number, what: string): Stage {
  return async function* (source) {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.length;
      if (passed > most) throw tooLarge(most, what);
      yield chunk;
    }
  };
}

export const tooLarge = (most: number, what: string): FetchRefused =>
  new FetchRefused('too_large', `expected ${what} of at most ${most} bytes, found more`);
