import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresPool } from './postgres-pool.js';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(async () => {
  await server.stop();
});

it('if a client loses its connection between two statements, its next query fails, and the process does not end', async () => {
  const pool = openPostgresPool(server.url, 2);
  const [used, other] = [await pool.connect(), await pool.connect()];
  const { rows } = await used.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => used.once('end', resolve));
  await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(used.query('SELECT 1')).rejects.toThrow();
  used.release();
  other.release();
  await pool.end();
});
