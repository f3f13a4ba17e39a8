import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Log } from '@quarry/service-kit';
import { IsArray, IsInt, IsString, parse, Type, ValidateNested } from '@quarry/validation';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { isDeadlock, isLockTimeout, redactQueryParameters } from './query-error.js';

/** The path of the folder with the SQL migrations. The relative path is the same from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The id of the advisory lock of migrations: the letters `quarry` in ASCII. */
const MIGRATION_LOCK = 0x71_75_61_72_72_79;
/**
 * Maximum time in milliseconds that a migration waits for the lock of a table. While it waits, it blocks all later
 * statements on the table. The time exceeds PostgreSQL's `deadlock_timeout` of 1 second, after which a waiting statement
 * cancels an autovacuum of the table.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Default pause in milliseconds before another attempt, in which the blocked statements of other processes run. */
const RETRY_PAUSE_MS = 10_000;

export interface MigrationOptions {
  /** Receives a warning when another transaction, such as a backup, holds the lock that a migration needs. */
  readonly log?: Pick<Log, 'warn'>;
  readonly retryPauseMs?: number;
}

/**
 * Applies the migrations that the database does not have yet, all in one transaction. If several processes call this at
 * once, one process applies the migrations and the others wait until it has finished. If another transaction holds a
 * lock that a migration needs, rolls back and tries again until it succeeds.
 *
 * @throws an error with the host, the port and the reason if the database cannot be opened
 */
export async function migrateDatabase(url: string, options: MigrationOptions = {}): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'quarry-migrations' });
  await connectToDatabase(client);
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await applyMigrations(client, options);
  } finally {
    await client.end();
  }
}

async function applyMigrations(
  client: pg.Client,
  { log, retryPauseMs = RETRY_PAUSE_MS }: MigrationOptions,
): Promise<void> {
  const config = { migrationsFolder: MIGRATIONS, migrationsSchema: 'quarry_migrations', migrationsTable: 'applied' };
  for (;;) {
    try {
      await migrate(drizzle(client), config);
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      log?.warn(
        { err: redactQueryParameters(error), retryPauseMs },
        'another transaction, such as a backup, holds a lock that a migration needs; the migrations are tried again',
      );
      await delay(retryPauseMs);
    }
  }
}

/** Describes a migration of this version. */
export interface Migration {
  /** Name of the migration, such as `0030_answer_streams`. */
  readonly name: string;
  /**
   * Time at which the migration was generated, in milliseconds since 1970-01-01. The database stores this time for each
   * applied migration.
   */
  readonly createdAt: number;
}

class JournalEntry {
  @IsString()
  readonly tag: string;

  @IsInt()
  readonly when: number;
}

/** The file in which drizzle-kit lists the migrations. */
class Journal {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => JournalEntry)
  readonly entries: readonly JournalEntry[];
}

/** Lists the migrations of this version, oldest first. */
export function listMigrations(): readonly Migration[] {
  const text = readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8');
  const { entries } = parse(Journal, JSON.parse(text), 'ignore');
  return entries.map(({ tag, when }) => ({ name: tag, createdAt: when }));
}

async function connectToDatabase(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const { database, host, port } = client;
    const reason = error instanceof Error && error.message !== '' ? error.message : String(getErrorCode(error));
    throw new Error(`the database ${String(database)} at ${host}:${port} could not be opened: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Returns the code of an error that has no message, such as `ECONNREFUSED`. Node throws such an error when a host has
 * several addresses and all refuse the connection.
 */
function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
