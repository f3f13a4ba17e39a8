import type { Embedder, EmbedOptions } from '../embedder.js';

/** A word, or one character of a script that is written without spaces. */
const WORD = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|[\p{L}\p{M}\p{N}]+/gu;

/**
 * For tests: a text's vector counts its words, each hashed to one of the dimensions (feature hashing, Weinberger et al. 2009).
 * Texts that share words are near each other, with no model and no network.
 */
export function inMemoryEmbedder({ model = 'hashed-words', dimensions = 256 } = {}): Embedder {
  const embed = (text: string, options?: EmbedOptions): Float32Array => {
    options?.signal?.throwIfAborted();
    return unitVector(text, dimensions);
  };
  return {
    model,
    dimensions,
    embedDocuments: async (texts, options) => {
      const vectors = texts.map((text) => embed(text, options));
      if (vectors.length > 0) options?.onEmbedded?.(vectors.map((vector, index) => ({ index, vector })));
      return vectors;
    },
    embedQuery: async (text, options) => embed(text, options),
  };
}

function unitVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text.toLowerCase().match(WORD) ?? [text];
  for (const word of words) {
    const index = fnv1a(word) % dimensions;
    vector[index] = (vector[index] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Fowler–Noll–Vo 1a, 32 bits: draft-eastlake-fnv. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
