import pg from 'pg';
import { SUPERUSER } from './cluster.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

export function urlOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** @throws pg's errors */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A server that goes away while nothing is asked of it would otherwise end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes a database of this name when there is none; two callers at once are both right. */
export async function ensureDatabase(port: number, password: string, database: string): Promise<void> {
  await withClient(urlOf(port, password, 'postgres'), async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  });
}

/** Where the server at a port keeps its cluster. @throws when it does not answer, or not to our password */
export async function dataDirectoryAt(port: number, password: string): Promise<string> {
  return withClient(urlOf(port, password, 'postgres'), async (client) => {
    const shown = await client.query<{ readonly data_directory: string }>('SHOW data_directory');
    return shown.rows[0]?.data_directory ?? '';
  });
}

function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === DUPLICATE_DATABASE || error.code === UNIQUE_VIOLATION);
}
