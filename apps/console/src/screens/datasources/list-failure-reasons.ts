import type { Datasource } from '@quarry/client';

interface Reason {
  readonly code: string;
  readonly message: string;
}

/**
 * Lists the reasons of failed datasources, one per code, sorted by code. If the datasources have different messages for
 * a code, for example with file names, the message is the code in words.
 *
 * @param chosen the code of the current filter, which is listed even if no datasource has it; undefined without a
 *   filter
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

/** Formats a code as words: `file_encrypted` becomes `File encrypted`. */
function formatCodeAsWords(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}
