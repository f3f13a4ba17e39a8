import { EmbeddingFailed } from '@quarry/embedder';

/**
 * Scales a provider's vector to unit length.
 *
 * @throws TypeError when the answer has no numbers for it, as the answer of a broken provider or proxy;
 *   EmbeddingFailed when it has not `dimensions` numbers, or only zeros
 */
export function unitVector(values: unknown, model: string, dimensions: number): Float32Array {
  if (!isNumbers(values)) {
    throw new TypeError(`the answer for model ${model} holds no vector of numbers`);
  }
  if (values.length !== dimensions) {
    throw new EmbeddingFailed(
      'embedding_dimensions_mismatch',
      `model ${model} is to give vectors of ${dimensions} dimensions, found ${values.length}`,
    );
  }
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && Number.isFinite(length))) {
    throw new EmbeddingFailed('embedder_refused', `model ${model} gave a vector of length ${length}`);
  }
  return Float32Array.from(values, (value) => value / length);
}

function isNumbers(values: unknown): values is readonly number[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'number');
}
