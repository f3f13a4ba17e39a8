import { basicProblem, type Problem } from '@quarry/service-kit';

/**
 * Creates the problem `validation_failed` for one field of a request.
 *
 * @param path the field, such as `config.url`
 * @param text the predicate of a sentence about the field, such as `must be a number, found "x"`
 */
export function createFieldProblem(path: string, text: string): Problem {
  // The text may contain a shortened value that ends with half of a surrogate pair, which strict JSON parsers refuse.
  const message = text.toWellFormed();
  return basicProblem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}
