import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IsArray, IsInt, IsString, parse, Type, ValidateNested } from '@quarry/validation';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

/** The path of the folder with the SQL migrations. The relative path is the same from `src` and from `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The id of the advisory lock of migrations: the letters `quarry` in ASCII. */
const MIGRATION_LOCK = 0x71_75_61_72_72_79;

/**
 * Applies the migrations that the database does not have yet. If several processes call this at once, one process
 * applies the migrations and the others wait until it has finished.
 *
 * @throws an error with the host, the port and the reason if the database cannot be opened
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'quarry-migrations' });
  await connectToDatabase(client);
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), {
      migrationsFolder: MIGRATIONS,
      migrationsSchema: 'quarry_migrations',
      migrationsTable: 'applied',
    });
  } finally {
    await client.end();
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
