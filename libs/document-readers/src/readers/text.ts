import { stripVTControlCharacters } from 'node:util';
import { normalizeForStorage } from './normalize-for-storage.js';
import { decodeText } from './decoding/decode-text.js';
import { removeBase64Data } from './base64-data.js';
import { splitIntoParagraphs } from './split-into-paragraphs.js';
import type { Reader } from './reader.js';

/** Reads the paragraphs of plain text. Omits terminal escape sequences and embedded base64 files. */
export const readText: Reader = async function* (bytes) {
  for (const text of splitIntoParagraphs(
    removeBase64Data(normalizeForStorage(stripVTControlCharacters(await decodeText(bytes)))),
  )) {
    yield { kind: 'text', text, headingPath: [], page: null, location: null };
  }
};
