import pg from 'pg';
import { SUPERUSER } from './cluster.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

/**
 * Returns the URL by which the superuser connects to a database of the embedded server at `port`. With `socketFolder`,
 * the folder of the server's Unix socket, the URL has the parameter `host`. Clients that support this parameter then
 * connect through the socket instead of TCP.
 */
export function buildDatabaseUrl(port: number, password: string, database: string, socketFolder?: string): string {
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  return socketFolder === undefined ? url : `${url}?host=${encodeURIComponent(socketFolder)}`;
}

/** Connects to a database, calls `use`, and closes the connection. @throws the errors of pg and of `use` */
export async function runWithClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a lost connection would end this process with an unhandled error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates a database if it does not exist. Concurrent calls for the same database succeed. */
export async function createDatabaseIfMissing(port: number, password: string, database: string): Promise<void> {
  await runWithClient(buildDatabaseUrl(port, password, 'postgres'), async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`).catch((error: unknown) => {
      if (!isDuplicateDatabaseError(error)) throw error;
    });
  });
}

/**
 * Returns the data directory of the server at a port.
 *
 * @throws Error if the server does not respond or rejects the password
 */
export async function readDataDirectory(port: number, password: string): Promise<string> {
  return runWithClient(buildDatabaseUrl(port, password, 'postgres'), async (client) => {
    const shown = await client.query<{ readonly data_directory: string }>('SHOW data_directory');
    return shown.rows[0]?.data_directory ?? '';
  });
}

function isDuplicateDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === DUPLICATE_DATABASE || error.code === UNIQUE_VIOLATION);
}
