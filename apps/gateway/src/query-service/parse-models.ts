import { type EmbedResponse, ModelListResponse, ModelTestResponse } from '@quarry/contracts';
import { IsArray, IsInt, Min, parse } from '@quarry/validation';

class EmbeddedTexts implements EmbedResponse {
  /**
   * The vectors, one per text. Their numbers are not validated one by one, because a large response has millions of
   * numbers.
   */
  @IsArray()
  @IsArray({ each: true })
  readonly vectors: readonly (readonly number[])[];

  @IsInt()
  @Min(0)
  readonly tokens: number;
}

/**
 * Parses a list of model providers that the query service sent.
 *
 * @throws ValidationError if the list violates the contract
 */
export function parseModelList(value: unknown): ModelListResponse {
  return parse(ModelListResponse, value, 'ignore');
}

/**
 * Parses the outcome of a connection test that the query service sent.
 *
 * @throws ValidationError if the outcome violates the contract
 */
export function parseModelTest(value: unknown): ModelTestResponse {
  return parse(ModelTestResponse, value, 'ignore');
}

/**
 * Parses embedding vectors that the query service sent.
 *
 * @throws ValidationError if the response violates the contract
 */
export function parseEmbedResponse(value: unknown): EmbedResponse {
  return parse(EmbeddedTexts, value, 'ignore');
}
