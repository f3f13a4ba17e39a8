import { PromptPreviewResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';

/** Parses a prompt of the query service. @throws ValidationError if it violates the contract */
export function parsePromptPreview(value: unknown): PromptPreviewResponse {
  return parse(PromptPreviewResponse, value, 'ignore');
}
