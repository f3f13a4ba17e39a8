import { QuarryError } from '@quarry/client';

/** Finds the reason why the API refused a field. @param path such as `name` or `splitting.overlapTokens` */
export function findFieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof QuarryError)) return undefined;
  const message = error.errors.find((problem) => problem.path === path)?.message;
  return message === undefined ? undefined : message.charAt(0).toUpperCase() + message.slice(1);
}
