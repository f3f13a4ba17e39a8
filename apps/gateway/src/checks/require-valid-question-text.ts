import { createFieldProblem } from './field-problem.js';

/** Refuses a question that is blank or too long. @throws Problem 400 */
export function requireValidQuestionText(query: string, maxCharacters: number): void {
  if (query.length > maxCharacters) {
    throw createFieldProblem('query', `must have at most ${maxCharacters} characters, found ${query.length}`);
  }
  if (query.trim() === '')
    throw createFieldProblem('query', `must contain text, found ${JSON.stringify(query.slice(0, 20))}`);
}
