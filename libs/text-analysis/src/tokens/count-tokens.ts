import { createRequire } from 'node:module';
import type * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';

const require = createRequire(import.meta.url);

type Encoding = typeof cl100k;

/**
 * Matches a long sequence of one kind of character. Merging byte pairs takes time quadratic in the length of a
 * sequence: 26,000 Chinese characters without punctuation take seconds. `countTokens` therefore counts long sequences
 * in parts.
 */
const LONG_SEQUENCE = /\p{L}{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
const LONG = 200;
/** Options by which the tokenizer counts special tokens of the model, such as `<|endoftext|>`, as ordinary text. */
const SPECIAL_TOKENS_AS_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * Maximum number of words in the tokenizer's cache of merged words. With the default of 100,000, each eviction from a
 * full cache scans 100,000 removed entries, and counting is twenty times slower.
 */
const MERGE_CACHE_SIZE = 1_000;

let encoding: Encoding | undefined;

/**
 * Loads the encoding on the first call, because its 100,000 tokens take time and memory that not every process needs.
 */
function loadEncoding(): Encoding {
  if (encoding !== undefined) return encoding;
  // `require` loads the module synchronously. The package declares the type.
  encoding = require('gpt-tokenizer/encoding/cl100k_base') as Encoding;
  encoding.setMergeCacheSize(MERGE_CACHE_SIZE);
  return encoding;
}

/**
 * Returns the number of tokens of a text in cl100k_base, the encoding of OpenAI's embedding models. In most scripts,
 * this encoding yields more tokens than other encodings, so that a fragment also fits into other models. The encoding
 * o200k_base would not be suitable: it yields a third fewer tokens for Chinese than the tokenizers of other models.
 */
export function countTokens(text: string): number {
  const { countTokens: countByteTokens } = loadEncoding();
  if (!canHaveLongSequence(text)) return countByteTokens(text, SPECIAL_TOKENS_AS_TEXT);
  let tokens = 0;
  let counted = 0;
  for (const sequence of text.matchAll(LONG_SEQUENCE)) {
    const end = sequence.index + sequence[0].length;
    tokens += countByteTokens(text.slice(counted, end), SPECIAL_TOKENS_AS_TEXT);
    counted = end;
  }
  return tokens + countByteTokens(text.slice(counted), SPECIAL_TOKENS_AS_TEXT);
}

/**
 * Returns false only if the text has no long sequence of one kind of character. It is faster than `LONG_SEQUENCE`: it
 * examines a few characters of each 200, while `LONG_SEQUENCE` examines each character several times.
 */
function canHaveLongSequence(text: string): boolean {
  return hasLongSequenceWithoutKind(isSpaceCode, text) || hasLongSequenceWithoutKind(isVisibleAsciiCode, text);
}

/** Returns true if the text contains `LONG` consecutive code units that are not of the given kind. */
function hasLongSequenceWithoutKind(isOfKind: (code: number) => boolean, text: string): boolean {
  let last = -1;
  for (let end = LONG - 1; end < text.length; end = last + LONG) {
    let at = end;
    while (at > last && !isOfKind(text.charCodeAt(at))) at -= 1;
    if (at === last) return true;
    last = at;
  }
  return false;
}

/**
 * Returns true for the white space that ends most words. Such white space interrupts a sequence of letters or symbols.
 */
function isSpaceCode(code: number): boolean {
  return code === 0x20 || code === 0x0a;
}

/** Returns true for ASCII characters other than white space. */
function isVisibleAsciiCode(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
