import { basicProblem, type Problem } from '@quarry/service-kit';

/** Returns a problem with one field, for rules that a class cannot express. @param message starts with what was expected */
export function invalidField(path: string, message: string): Problem {
  return basicProblem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}
