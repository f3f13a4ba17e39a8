import { QuarryError } from '@quarry/client';

/** The reason why the API refused a field, in English. `FieldError` shows it in the language of the user. */
export interface FieldProblem {
  readonly problem: string;
  /** The error that contained the reason. After an edit, a field hides the reason until a newer request fails. */
  readonly source?: QuarryError;
}

/**
 * Finds in an error the reason why the API refused a field. Returns undefined if the API did not refuse the field.
 *
 * @param path path of the field in the request, such as `name` or `splitting.overlapTokens`
 */
export function findFieldError(error: unknown, path: string): FieldProblem | undefined {
  if (!(error instanceof QuarryError)) return undefined;
  const message = error.errors.find((problem) => problem.path === path)?.message;
  return message === undefined ? undefined : { problem: message, source: error };
}
