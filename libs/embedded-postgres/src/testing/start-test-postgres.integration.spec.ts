import { describe, expect, it } from 'vitest';
import { withClient } from '../database-client.js';
import { queryValue } from '../fixtures/test-server.js';
import { startTestPostgres } from './start-test-postgres.js';

describe('startTestPostgres', () => {
  it('startTestPostgres creates empty databases, and leaves no server running', async () => {
    const server = await startTestPostgres();
    const [one, two] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await withClient(one, (client) => client.query('CREATE TABLE only_here (n int)'));
    expect(await queryValue(one, "SELECT to_regclass('only_here') IS NOT NULL")).toBe(true);
    expect(await queryValue(two, "SELECT to_regclass('only_here') IS NULL")).toBe(true);
    await server.stop();
    await expect(queryValue(one, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });
});
