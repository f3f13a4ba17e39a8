import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { organizations } from '../../../database/tables/organizations.js';
import { createFile } from '../../../testing/create-files.js';
import { uploadText } from '../../../testing/create-resources.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const used = setUpTenant();

const runSearch = (body: object) => used.tenant.api.post(`/v1/vector_stores/vs_${used.datastore}/search`).send(body);
const buildFragment = (datasourceId: string, score: number) => ({
  ...{ fragmentId: 'f', datasourceId, documentKey: datasourceId, customId: null, source: null, page: null },
  ...{ rectangles: [], text: 'Es war einmal', score },
});

describe('POST /v1/vector_stores/{id}/search', () => {
  it('POST /v1/vector_stores/{id}/search returns fragments, each with its file and the attributes of the file', async () => {
    const { api } = used.tenant;
    const file = await createFile(api, 'Es war einmal', 'Märchen.txt');
    const path = `/v1/vector_stores/vs_${used.datastore}/files`;
    await api.post(path).send({ file_id: file, attributes: { year: 1812 } });
    const copy = await findOnlyDatasource();
    const other = await uploadText(api, used.datastore);
    used.test.query.fragments = [buildFragment(copy, 0.9), buildFragment(other, 0.4)];
    expect((await runSearch({ query: 'Wie beginnt es?' })).body).toEqual({
      ...{ object: 'vector_store.search_results.page', search_query: ['Wie beginnt es?'], has_more: false },
      ...{ next_page: null, notes: [] },
      data: [
        {
          ...{ file_id: file, filename: 'Märchen.txt', score: 0.9, attributes: { year: 1812 } },
          content: [{ type: 'text', text: 'Es war einmal' }],
        },
        {
          ...{ file_id: `file-${other}`, filename: 'notes.txt', score: 0.4, attributes: {} },
          content: [{ type: 'text', text: 'Es war einmal' }],
        },
      ],
    });
    expect(
      (await runSearch({ query: 'q', ranking_options: { ranker: 'auto', score_threshold: 0.5 } })).body,
    ).toMatchObject({
      data: [{ file_id: file }],
    });
  });

  async function findOnlyDatasource(): Promise<string> {
    const response = await used.tenant.api.get('/api/datasources').query({ datastoreId: used.datastore });
    return (response.body as { items: { id: string }[] }).items[0]?.id ?? '';
  }

  it('POST /v1/vector_stores/{id}/search searches for several queries with filters, and counts one query', async () => {
    const filters = { type: 'and', filters: [{ type: 'gte', key: 'year', value: 1812 }] };
    const request = { query: ['one', 'two'], max_num_results: 7, filters, rewrite_query: false };
    expect((await runSearch(request)).body).toMatchObject({ search_query: ['one', 'two'], data: [] });
    expect(used.test.query.searches.at(-1)).toMatchObject({
      ...{ query: 'one', furtherQueries: ['two'], topK: 7, filters: { metadata: filters } },
      datastores: [{ id: used.datastore }],
    });
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 1 } });
  });

  it('POST /v1/vector_stores/{id}/search returns the queries that a model rewrote, and a note if no model rewrote them', async () => {
    const { query } = used.test;
    query.rewritten = ['opening hours'];
    const rewrite = { query: 'Could you tell me when you open?', rewrite_query: true };
    expect((await runSearch(rewrite)).body).toMatchObject({ search_query: ['opening hours'], notes: [] });
    query.rewritten = undefined;
    query.notes = ['not_embedded'];
    expect((await runSearch(rewrite)).body).toMatchObject({
      ...{ search_query: [rewrite.query], notes: ['not_embedded', 'not_rewritten'] },
    });
    expect((await runSearch({ query: 'q' })).body).toMatchObject({ search_query: ['q'], notes: ['not_embedded'] });
    query.notes = [];
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 3 } });
  });

  it('POST /v1/vector_stores/{id}/search refuses a search above the monthly limit', async () => {
    const { db } = used.test.gateway;
    const own = eq(organizations.id, used.tenant.organizationId);
    await db.update(organizations).set({ agentQueriesPerMonth: 0 }).where(own);
    expect((await runSearch({ query: 'q' })).body).toMatchObject({ error: { code: 'insufficient_quota' } });
  });

  it.each([
    [{ query: ' ' }, 'query', 'invalid_value'],
    [{ query: [] }, 'query', 'invalid_value'],
    [{ query: ['a', 1] }, 'query', 'invalid_value'],
    [{ query: ['a', ' '] }, 'query', 'invalid_value'],
    [{ query: Array.from({ length: 11 }, () => 'a') }, 'query', 'invalid_value'],
    [{ query: 'a', rewrite_query: 'yes' }, 'rewrite_query', 'invalid_value'],
    [{ query: 'a', ranking_options: { ranker: 'none' } }, 'ranking_options.ranker', 'invalid_value'],
    [{ query: 'a', ranking_options: { hybrid_search: {} } }, 'ranking_options.hybrid_search', 'invalid_value'],
    [{ query: 'a', filters: { type: 'like' } }, 'filters.type', 'invalid_value'],
    [{ query: 'a', max_num_results: 51 }, 'max_num_results', 'invalid_value'],
    [{ query: 'a', made_up: 1 }, 'made_up', 'unknown_parameter'],
  ])(
    'POST /v1/vector_stores/{id}/search refuses a body with %j, and names the parameter %s',
    async (body, param, code) => {
      const asked = used.test.query.searches.length;
      const refused = await runSearch(body);
      expect([refused.status, refused.body]).toMatchObject([400, { error: { param, code } }]);
      expect(used.test.query.searches).toHaveLength(asked);
    },
  );
});
