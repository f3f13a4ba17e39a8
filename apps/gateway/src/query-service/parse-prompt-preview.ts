import { PromptPreviewResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';

/** Parses a prompt that the query service sent. @throws ValidationError if the prompt violates the contract */
export function parsePromptPreview(value: unknown): PromptPreviewResponse {
  return parse(PromptPreviewResponse, value, 'ignore');
}
