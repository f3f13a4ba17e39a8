import type { AttemptError, LastError } from '@quarry/contracts';

/*
 * Different jobs retry a run and its documents. The progress of a job clears only its own error: while a site returns 429, its
 * error stays visible although pages that were found earlier are indexed.
 */

/** Builds the last error of a run. @param documentKey the key of the retried document; null for the run's own job */
export function buildLastError(
  { code, message, attempt, nextAttemptAt }: AttemptError,
  documentKey: string | null,
): LastError {
  return { code, message, attempt, nextAttemptAt, documentKey };
}

/** Returns null if the error is from the run's own job, which has made progress. Errors of documents stay. */
export function clearRunError(lastError: LastError | null): LastError | null {
  return lastError?.documentKey === null ? null : lastError;
}

/**
 * Returns null if the error is from the settled document, or if the settled document did not fail. Errors of the run's own job
 * stay.
 */
export function clearDocumentError(
  lastError: LastError | null,
  settled: { readonly documentKey: string; readonly outcome: string },
): LastError | null {
  const retried = lastError?.documentKey ?? null;
  if (retried === null) return lastError;
  return settled.outcome !== 'failed' || retried === settled.documentKey ? null : lastError;
}
