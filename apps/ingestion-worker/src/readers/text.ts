import { cleanText } from './clean-text.js';
import { decodeText } from './decode-text.js';
import { paragraphsOf } from './paragraphs.js';
import type { Reader } from './reader.js';

/** Plain text: its paragraphs. */
// eslint-disable-next-line @typescript-eslint/require-await -- a reader's shape; this one has nothing to wait for
export const readText: Reader = async function* (bytes) {
  for (const text of paragraphsOf(cleanText(decodeText(bytes)))) {
    yield { kind: 'text', text, headingPath: [], page: null, location: null };
  }
};
