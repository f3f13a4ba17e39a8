import { invalid } from './invalid.js';

/** Refuses a question that is blank or too long. @throws Problem 400 */
export function requireQuestion(query: string, maxCharacters: number): void {
  if (query.length > maxCharacters) {
    throw invalid('query', `may have ${maxCharacters} characters, found ${query.length}`);
  }
  if (query.trim() === '') throw invalid('query', `must hold text, found ${JSON.stringify(query.slice(0, 20))}`);
}
