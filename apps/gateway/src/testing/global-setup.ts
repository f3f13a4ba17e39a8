import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../database/migrate.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of an empty, migrated PostgreSQL database, which tests copy and do not use directly. */
    readonly migratedDatabase: string;
  }
}

/** Starts the one PostgreSQL server that all tests of the gateway share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  const migrated = await postgres.createDatabase();
  await migrateDatabase(migrated);
  project.provide('migratedDatabase', migrated);
  return async () => postgres.stop();
}
