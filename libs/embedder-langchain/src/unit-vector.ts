import { EmbeddingFailed } from '@quarry/embedder';

/**
 * A provider's vector at unit length.
 *
 * @throws EmbeddingFailed when it is not as long as `dimensions`, or is no direction at all
 */
export function unitVector(values: unknown, model: string, dimensions: number): Float32Array {
  if (!isNumbers(values)) {
    throw new EmbeddingFailed('embedder_refused', `the answer for model ${model} holds no vector of numbers`);
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
