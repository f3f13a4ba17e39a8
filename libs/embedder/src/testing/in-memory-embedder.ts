import type { Embedder, EmbedOptions } from '../embedder.js';

/** Matches a word, or one character of a script that has no spaces between words. */
const WORD = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|[\p{L}\p{M}\p{N}]+/gu;

/**
 * Creates an embedder for tests. Texts that share words have similar vectors: each word is hashed to one dimension, and
 * its occurrences are counted there (feature hashing, Weinberger et al. 2009).
 */
export function createInMemoryEmbedder({ model = 'hashed-words', dimensions = 256 } = {}): Embedder {
  const embedText = (text: string, options?: EmbedOptions): Float32Array => {
    options?.signal?.throwIfAborted();
    return hashToUnitVector(text, dimensions);
  };
  return {
    model,
    dimensions,
    embedDocuments: async (texts, options) => {
      const vectors = texts.map((text) => embedText(text, options));
      if (vectors.length > 0) options?.onEmbedded?.(vectors.map((vector, index) => ({ index, vector })));
      return vectors;
    },
    embedQuery: async (text, options) => embedText(text, options),
  };
}

function hashToUnitVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text.toLowerCase().match(WORD) ?? [text];
  for (const word of words) {
    const index = computeFnv1a(word) % dimensions;
    vector[index] = (vector[index] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Computes the 32-bit FNV-1a hash (draft-eastlake-fnv). */
function computeFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
