import type { SystemDatabase } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { listMigrations } from '../database/migrate.js';
import { createBoundedRead } from './bounded-read.js';

/**
 * Creates a function that reads the size of the database, the version of PostgreSQL, and the latest applied migration.
 */
export function createDatabaseStateReader(db: Queries): () => Promise<SystemDatabase> {
  const migrations = listMigrations();
  const expectedMigration = migrations.at(-1)?.name ?? '';
  const read = createBoundedRead(async () => readDatabaseState(db));
  return async () => {
    const { value, reason } = await read();
    if (value === undefined) {
      return {
        ...{ status: 'unavailable', reason, expectedMigration },
        sizeBytes: null,
        version: null,
        migration: null,
      };
    }
    const migration = migrations.find(({ createdAt }) => createdAt === value.migratedTo)?.name ?? null;
    const { sizeBytes, version } = value;
    return { status: 'available', reason, sizeBytes, version, migration, expectedMigration };
  };
}

interface DatabaseValues {
  readonly sizeBytes: number;
  readonly version: string;
  /** The time at which the newest applied migration was generated, in milliseconds since 1970-01-01. */
  readonly migratedTo: number;
}

type DatabaseRow = { readonly size: string; readonly version: string; readonly migrated_to: string | null };

async function readDatabaseState(db: Queries): Promise<DatabaseValues> {
  const { rows } = await db.execute<DatabaseRow>(sql`
    select pg_database_size(current_database()) as size, current_setting('server_version') as version,
      (select max(created_at) from quarry_migrations.applied) as migrated_to`);
  const [row] = rows;
  if (row === undefined) throw new Error('expected a row with the state of the database, found none');
  // In packages of PostgreSQL, the version of the package follows the version of the server: `18.1 (Debian 18.1-1)`.
  const [version = row.version] = row.version.split(' ');
  return { sizeBytes: Number(row.size), version, migratedTo: Number(row.migrated_to) };
}
