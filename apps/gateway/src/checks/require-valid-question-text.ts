import { createFieldProblem } from './field-problem.js';
import { requireMaxCharacters } from './require-max-characters.js';

/** Refuses a question that is blank or too long. @throws Problem 400 */
export function requireValidQuestionText(query: string, maxCharacters: number): void {
  requireMaxCharacters('query', query, maxCharacters);
  if (query.trim() === '')
    throw createFieldProblem('query', `must contain text, found ${JSON.stringify(query.slice(0, 20))}`);
}
