import { describe, expect, it } from 'vitest';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

describe('a web page', () => {
  it('concurrent requests to add the same web page create only one datasource', async () => {
    const config = { source_url: 'https://example.com/concurrent' };
    const body = { type: 'web_page', name: 'Page', config, datastoreId: used.datastore };
    const responses = await Promise.all(
      Array.from({ length: 8 }, async () => used.tenant.api.post('/api/datasources').send(body)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const ids = responses.map((response) => (response.body as { id: string }).id); // the assertion above checks the status
    expect(new Set(ids).size).toBe(1);
  });
});
