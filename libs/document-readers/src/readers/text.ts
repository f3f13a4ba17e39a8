import { stripVTControlCharacters } from 'node:util';
import { cleanText } from './clean-text.js';
import { decodeText } from './decoding/decode-text.js';
import { removeEncodedBytes } from './encoded-bytes.js';
import { splitParagraphs } from './paragraphs.js';
import type { Reader } from './reader.js';

/** Reads the paragraphs of plain text. Omits terminal escape sequences and embedded base64 files. */
export const readText: Reader = async function* (bytes) {
  for (const text of splitParagraphs(
    removeEncodedBytes(cleanText(stripVTControlCharacters(await decodeText(bytes)))),
  )) {
    yield { kind: 'text', text, headingPath: [], page: null, location: null };
  }
};
