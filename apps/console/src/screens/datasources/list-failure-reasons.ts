import type { Datasource } from '@quarry/client';

interface Reason {
  readonly code: string;
  readonly message: string;
}

/**
 * Lists the reasons of failures once per code, in the order of their codes. Messages of one code that differ, because
 * they name files or numbers, are replaced by the words of the code.
 *
 * @param chosen a code that is listed even if no datasource has it
 */
export function listFailureReasons(
  datasources: readonly Pick<Datasource, 'error'>[],
  chosen: string | undefined,
): readonly Reason[] {
  const messages = new Map<string, string>();
  for (const { error } of datasources) {
    if (error === null) continue;
    const { code, message } = error;
    messages.set(code, (messages.get(code) ?? message) === message ? message : formatCodeAsWords(code));
  }
  if (chosen !== undefined && !messages.has(chosen)) messages.set(chosen, formatCodeAsWords(chosen));
  return [...messages].map(([code, message]) => ({ code, message })).sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Formats a code as words, such as `File encrypted`. */
function formatCodeAsWords(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}
