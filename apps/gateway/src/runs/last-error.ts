import type { AttemptError, LastError } from '@quarry/contracts';

/*
 * A run and its documents are retried by different jobs. The progress of one of them ends only its own error: a site that asks for
 * a pause is not shown as going on because pages that were found before are indexed.
 */

/** @param documentKey of the document that is retried; null for the run's own job */
export function lastErrorOf(
  { code, message, attempt, nextAttemptAt }: AttemptError,
  documentKey: string | null,
): LastError {
  return { code, message, attempt, nextAttemptAt, documentKey };
}

/** Returns what remains of the last error when the run's own job makes progress. */
export function withoutRunError(lastError: LastError | null): LastError | null {
  return lastError?.documentKey === null ? null : lastError;
}

/** Returns what remains of the last error when a document has settled. One that was indexed shows that documents can be. */
export function withoutDocumentError(
  lastError: LastError | null,
  settled: { readonly documentKey: string; readonly outcome: string },
): LastError | null {
  const retried = lastError?.documentKey ?? null;
  if (retried === null) return lastError;
  return settled.outcome !== 'failed' || retried === settled.documentKey ? null : lastError;
}
