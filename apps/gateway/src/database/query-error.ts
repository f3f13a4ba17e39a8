import { DrizzleQueryError } from 'drizzle-orm';

/** Matches SQLSTATE and system error codes of a database that is unavailable, overloaded or shutting down. */
const UNAVAILABLE_CODES = /^(08|53|57P)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/**
 * Matches messages of connection errors that have no code. The last two are messages of the client library `pg` for a
 * connection that broke during a transaction.
 */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Client was closed/i;

/** Removes the query parameters from an error, because they contain customer data that must not be logged. */
export function redactQueryParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : 'unknown';
  return new Error(`a database query failed: ${reason} (${error.query})`, { cause: error.cause });
}

/** Returns true if a query failed because it could not get a lock within the lock timeout of PostgreSQL. */
export function isLockTimeout(error: unknown): boolean {
  return hasSqlState(error, '55P03');
}

/** Returns true if PostgreSQL ended a transaction because it and another one waited for each other's locks. */
export function isDeadlock(error: unknown): boolean {
  return hasSqlState(error, '40P01');
}

/** Returns true if a statement failed because the row to which a new row refers does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasSqlState(error, '23503');
}

/** Returns true if a statement failed because an existing row has the same value in a column with unique values. */
export function isUniqueViolation(error: unknown): boolean {
  return hasSqlState(error, '23505');
}

function hasSqlState(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === code) || hasSqlState(error.cause, code);
}

/**
 * Returns true if the error, or one of its causes, means that the database was unavailable. A later attempt can
 * succeed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (isMissingSocket(error)) return true;
  if (UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  return isDatabaseUnavailable(error.cause);
}

/**
 * Returns true if the error means that the Unix socket of the database does not exist. In an installation on one
 * machine, this means that the database server is still starting.
 */
function isMissingSocket(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}
