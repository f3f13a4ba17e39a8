import { basicProblem, type Problem } from '@quarry/service-kit';

/**
 * Creates the problem `validation_failed` for one field of a request.
 *
 * @param path the field, such as `config.url`
 * @param message the predicate of a sentence about the field, such as `must be a number, found "x"`
 */
export function createFieldProblem(path: string, message: string): Problem {
  return basicProblem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}
