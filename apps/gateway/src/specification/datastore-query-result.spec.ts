import { beforeEach, describe, expect, it } from 'vitest';
import { uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
let datasourceId: string;
let results: Record<string, unknown>[];

beforeEach(async () => {
  datasourceId = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
  const fragment = { fragmentId: 'f', datasourceId, documentKey: 'd', customId: null, page: null, rectangles: [] };
  used.test.query.fragments = [
    { ...fragment, text: 'first', source: 'https://example.org/a', score: 0.875 },
    { ...fragment, text: 'second', source: null, score: 0 },
  ];
  const response = await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' });
  results = response.body as Record<string, unknown>[]; // the tests check the fields
});

describe('Datastore query result', () => {
  it('a datastore query returns an array of results, best first', () => {
    expect(results).toHaveLength(2);
  });

  it('a result of a datastore query has the field `text`, a string', () => {
    expect(results.map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('a result of a datastore query has the field `score`, a number for its similarity to the query', () => {
    expect(results.map(({ score }) => score)).toEqual([0.875, 0]);
  });

  it('a result of a datastore query has the field `source`, the URL of the document or of the stored original', () => {
    const [own, original] = results.map(({ source }) => String(source));
    expect(own).toBe('https://example.org/a');
    expect(new URL(original ?? '').pathname).toBe(`/api/datasources/${datasourceId}/original`);
  });

  it('a result of a datastore query has the field `datasource_id`, a string', () => {
    expect(results.map((result) => result['datasource_id'])).toEqual([datasourceId, datasourceId]);
  });

  it('a result of a datastore query has the field `datasource_name`, a string', () => {
    expect(results.map((result) => result['datasource_name'])).toEqual(['manual.txt', 'manual.txt']);
  });
});
