import { stripVTControlCharacters } from 'node:util';
import { cleanText } from './clean-text.js';
import { decodeText } from './decoding/decode-text.js';
import { withoutEncodedBytes } from './encoded-bytes.js';
import { paragraphsOf } from './paragraphs.js';
import type { Reader } from './reader.js';

/** Plain text: its paragraphs. What colours it in a terminal, and files that are written into it, are left out. */
export const readText: Reader = async function* (bytes) {
  for (const text of paragraphsOf(withoutEncodedBytes(cleanText(stripVTControlCharacters(await decodeText(bytes)))))) {
    yield { kind: 'text', text, headingPath: [], page: null, location: null };
  }
};
