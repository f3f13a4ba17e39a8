import { countCharacters } from '@quarry/validation';
import { createFieldProblem } from './field-problem.js';

/** Refuses a text with more than `max` characters. @throws Problem 400 that names the field at `path` */
export function requireMaxCharacters(path: string, text: string, max: number): void {
  const found = countCharacters(text);
  if (found > max) throw createFieldProblem(path, `must have at most ${max} characters, found ${found}`);
}
