import { DrizzleQueryError } from 'drizzle-orm';

/** SQLSTATE classes and system codes of a database that is unavailable, overloaded or shutting down. */
const UNAVAILABLE_CODES = /^(08|53|57P)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/**
 * Messages of errors without a code. pg uses the last two for a connection that broke in a transaction, including its rollback.
 */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Client was closed/i;

/** Removes the parameters from a query error. They hold customers' data, which must not be logged. */
export function redactQueryParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : 'unknown';
  return new Error(`query failed: ${reason} (${error.query})`, { cause: error.cause });
}

/** Returns true when a query exceeded the lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '55P03') || isLockTimeout(error.cause);
}

/** Returns true when the database could not be reached, so that a later attempt can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  return isDatabaseUnavailable(error.cause);
}
