import { DrizzleQueryError } from 'drizzle-orm';

/** SQLSTATE classes and system codes of a database that is away, overloaded or shutting down. */
const AWAY = /^(08|53|57P)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/** The last two are what pg reports on a connection that has broken in a transaction, its rollback included. */
const AWAY_WITHOUT_CODE =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Client was closed/i;

/** A query that failed, without its parameters: those hold what customers wrote, and belong in no log. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : 'unknown';
  return new Error(`query failed: ${reason} (${error.query})`, { cause: error.cause });
}

/** Whether a query waited too long for what another transaction holds. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '55P03') || isLockTimeout(error.cause);
}

/** Whether a query failed because the database could not be reached, so that trying later can help. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (AWAY.test(code) || AWAY_WITHOUT_CODE.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  return isDatabaseAway(error.cause);
}
