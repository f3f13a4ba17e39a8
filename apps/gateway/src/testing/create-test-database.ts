import { newId } from '../database/id.js';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  /** Closes the connections of the test database, and drops it. */
  drop(): Promise<void>;
}

/** Creates an empty, migrated database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const migrated = new URL(inject('migratedDatabase'));
  const name = `copy_${newId()}`;
  await executeStatement(`create database "${name}" template "${migrated.pathname.slice(1)}"`);
  return {
    url: new URL(`/${name}`, migrated).href,
    drop: async () => executeStatement(`drop database "${name}" with (force)`),
  };
}

async function executeStatement(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: new URL('/postgres', inject('migratedDatabase')).href });
  await client.connect();
  await client.query(statement);
  await client.end();
}
