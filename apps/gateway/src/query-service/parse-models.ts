import { ModelListResponse, ModelTestResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';

/** Parses a list of providers of the query service. @throws ValidationError if it violates the contract */
export function parseModelList(value: unknown): ModelListResponse {
  return parse(ModelListResponse, value, 'ignore');
}

/** Parses the outcome of a test of the query service. @throws ValidationError if it violates the contract */
export function parseModelTest(value: unknown): ModelTestResponse {
  return parse(ModelTestResponse, value, 'ignore');
}
