import { sql } from 'drizzle-orm';

/** SQL statement that lists the database connections that wait for a lock of the current transaction. */
export const WAITING_CONNECTIONS = sql`
  select pid from pg_stat_activity
  where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))`;
