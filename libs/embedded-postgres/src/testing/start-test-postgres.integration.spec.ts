import { describe, expect, it } from 'vitest';
import { runWithClient } from '../database-client.js';
import { queryFirstValue } from '../fixtures/test-server.js';
import { startTestPostgres } from './start-test-postgres.js';

describe('startTestPostgres', () => {
  it('a server of startTestPostgres creates empty databases, and ends when it is stopped', async () => {
    const server = await startTestPostgres();
    const [one, two] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await runWithClient(one, (client) => client.query('CREATE TABLE only_here (n int)'));
    expect(await queryFirstValue(one, "SELECT to_regclass('only_here') IS NOT NULL")).toBe(true);
    expect(await queryFirstValue(two, "SELECT to_regclass('only_here') IS NULL")).toBe(true);
    await server.stop();
    await expect(queryFirstValue(one, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });
});
