import { cleanText } from './clean-text.js';
import { decodeText } from './decoding/decode-text.js';
import { paragraphsOf } from './paragraphs.js';
import type { Reader } from './reader.js';

/** Plain text: its paragraphs. */
export const readText: Reader = async function* (bytes) {
  for (const text of paragraphsOf(cleanText(await decodeText(bytes)))) {
    yield { kind: 'text', text, headingPath: [], page: null, location: null };
  }
};
