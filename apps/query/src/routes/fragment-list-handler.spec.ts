import { createDocumentRef } from '@quarry/fragment-store';
import request, { type Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { createInProcessQuery } from '../in-process-query.js';
import { createQueryApp } from '../server.js';
import { createQueryContext, TOKEN, type ContextParts } from '../testing/query-context.js';

const NEVER = new AbortController().signal;
const OWNER = { organizationId: 'o1', datastoreId: 'd1', datasourceId: 's1' };
const LISTING = {
  ...{ organizationId: 'o1', datastore: { id: 'd1' }, datasourceId: 's1', documentKeys: ['b', 'a'] },
  ...{ firstOrdinal: 1, limit: 3 },
};
const DOCUMENTS = ['a', 'b'].map((documentKey) => ({
  datasourceId: 's1',
  key: createDocumentRef({ ...OWNER, documentKey }).documentKey,
  fragments: [0, 1, 2].map((at) => `${documentKey}${String(at)} lasts`),
  context: 'Terms',
}));

async function postListing(body: object, parts: ContextParts = { documents: DOCUMENTS }): Promise<Test> {
  const app = createQueryApp(await createQueryContext(parts), NEVER);
  const sent = request(app).post('/internal/fragments').set('Authorization', `Bearer ${TOKEN}`);
  return sent.send(body);
}

describe('POST /internal/fragments', () => {
  it('POST /internal/fragments returns fragments in the order of `documentKeys` and their position, with exactly the fields of `ListedFragment`', async () => {
    const response = await postListing(LISTING);
    expect(response.status).toBe(200);
    const shared = { context: 'Terms', page: null, location: null, rectangles: [] };
    const fragment = { fragmentId: expect.any(String) as string, ...shared };
    expect(response.body).toEqual({
      fragments: [
        { ...fragment, documentKey: 'b', ordinal: 1, text: 'b1 lasts', tokens: 3 },
        { ...fragment, documentKey: 'b', ordinal: 2, text: 'b2 lasts', tokens: 3 },
        { ...fragment, documentKey: 'a', ordinal: 0, text: 'a0 lasts', tokens: 3 },
      ],
    });
  });

  it('POST /internal/fragments omits documents whose removal is in progress', async () => {
    const removed = { datastoreId: 'd1', datasourceId: 's1', documentKey: 'b', upTo: 1 };
    const excluded = { datasourceIds: [], documents: [removed] };
    const ofDocument = await postListing({ ...LISTING, excluded });
    expect(ofDocument.body).toMatchObject({
      fragments: [{ text: 'a0 lasts' }, { text: 'a1 lasts' }, { text: 'a2 lasts' }],
    });
    const ofDatasource = await postListing({ ...LISTING, excluded: { datasourceIds: ['s1'], documents: [] } });
    expect(ofDatasource.body).toEqual({ fragments: [] });
  });

  it('POST /internal/fragments returns no fragments of another organization', async () => {
    expect((await postListing({ ...LISTING, organizationId: 'o2' })).body).toEqual({ fragments: [] });
  });

  it.each([
    [{ ...LISTING, limit: 0 }, 'limit'],
    [{ ...LISTING, limit: 202 }, 'limit'],
    [{ ...LISTING, firstOrdinal: -1 }, 'firstOrdinal'],
    [{ ...LISTING, datastore: {} }, 'datastore.id'],
  ])('POST /internal/fragments rejects a request with %j and names the invalid field', async (body, path) => {
    const response = await postListing(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('if the fragment store is unavailable, POST /internal/fragments responds with 503, and the in-process query service rejects the request', async () => {
    const context = await createQueryContext();
    const fragmentStore = { ...context.fragmentStore, listFragments: () => Promise.reject(new Error('refused')) };
    const response = await postListing(LISTING, { fragmentStore });
    expect(response.status).toBe(503);
    expect(response.text).not.toContain('refused');
    const query = createInProcessQuery(await createQueryContext({ fragmentStore }));
    await expect(query.listFragments(LISTING, NEVER)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });
});
