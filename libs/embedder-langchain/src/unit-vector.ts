import { EmbeddingFailed } from '@quarry/embedder';

/**
 * Scales a provider's vector to unit length.
 *
 * @throws TypeError if `values` is not a list of numbers; EmbeddingFailed if the vector has another number of
 * dimensions or contains only zeros
 */
export function toUnitVector(values: unknown, model: string, dimensions: number): Float32Array {
  if (!isNumberList(values)) {
    throw new TypeError(`expected a list of numbers as a vector from model ${model}, found another value`);
  }
  if (values.length !== dimensions) {
    throw new EmbeddingFailed(
      'embedding_dimensions_mismatch',
      `expected vectors of ${dimensions} dimensions from model ${model}, found ${values.length}`,
    );
  }
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && Number.isFinite(length))) {
    throw new EmbeddingFailed(
      'embedder_refused',
      `expected a vector of positive length from model ${model}, found length ${length}`,
    );
  }
  return Float32Array.from(values, (value) => value / length);
}

function isNumberList(values: unknown): values is readonly number[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'number');
}
