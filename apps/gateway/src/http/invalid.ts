import { basicProblem, type Problem } from '@quarry/service-kit';

/** One field that is wrong, where the shape alone cannot say so. @param message starts with what was expected */
export function invalid(path: string, message: string): Problem {
  return basicProblem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}

/** @throws Problem 400 for a question of nothing but blanks, and for one that is too long */
export function requireQuestion(query: string, maxCharacters: number): void {
  if (query.length > maxCharacters) {
    throw invalid('query', `may have ${maxCharacters} characters, found ${query.length}`);
  }
  if (query.trim() === '') throw invalid('query', `must hold text, found ${JSON.stringify(query.slice(0, 20))}`);
}
