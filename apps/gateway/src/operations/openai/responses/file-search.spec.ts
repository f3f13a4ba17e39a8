import { describe, expect, it } from 'vitest';
import { newId } from '../../../database/id.js';
import { createDatastore } from '../../../testing/create-resources.js';
import { createFile } from '../../../testing/create-files.js';
import { buildSources, setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse, createResponse, setNextAnswer, getLastQuestion, createSources } = setUpResponseTests();

describe('the tool file_search of POST /v1/responses', () => {
  it('the tool `file_search` searches the vector stores of the tool instead of the datastores of the agent', async () => {
    const store = await createDatastore(used.tenant.api);
    const filters = { type: 'eq', key: 'lang', value: 'en' };
    const tool = { type: 'file_search', vector_store_ids: [`vs_${store}`], max_num_results: 3, filters };
    const { sources, file } = await createSources();
    setNextAnswer('So [1].', { sources });
    const ranked = { ...tool, ranking_options: { ranker: 'auto', score_threshold: 0.4 } };
    const request = { tools: [ranked], tool_choice: 'required', include: ['file_search_call.results'] };
    const created = await createResponse(request);
    const scope = { datastores: [{ id: store }], filters: { metadata: filters }, maxSources: 3, minScore: 0.4 };
    expect(getLastQuestion()).toMatchObject(scope);
    expect(created).toMatchObject({ tools: [ranked], tool_choice: 'required' });
    expect(created.output[0]).toEqual({
      type: 'file_search_call',
      id: created.id.replace('resp_', 'fs_'),
      status: 'completed',
      queries: ['Why?'],
      results: [
        { file_id: `file-${file}`, filename: 'a.txt', score: 0.5, text: 'one', attributes: {} },
        { file_id: `file-${file}`, filename: 'a.txt', score: 0.5, text: 'two', attributes: {} },
      ],
    });
    const getResponse = (query: string) => used.tenant.api.get(`/v1/responses/${created.id}${query}`);
    expect((await getResponse('?include[]=file_search_call.results')).body).toEqual(created);
    expect((await getResponse('')).body).toMatchObject({ output: [{ results: null }, {}] });
    expect((await getResponse('?include=made_up')).status).toBe(400);
  });

  it('a response has annotations that cite files and web pages at the citation marks of the text', async () => {
    const { sources, file } = await createSources();
    setNextAnswer('So [2] it is [1].', { sources });
    const { output } = await createResponse({});
    expect(output[0]?.content?.[0]?.annotations).toEqual([
      { type: 'url_citation', url: 'https://example.com/b', title: 'a.txt', start_index: 3, end_index: 6 },
      { type: 'file_citation', file_id: `file-${file}`, filename: 'a.txt', index: 16 },
    ]);
  });

  it('a response has one annotation for each source of a citation mark, and none for brackets in code', async () => {
    const { sources, file } = await createSources();
    setNextAnswer('`list[1]` is so [1, 2] or [1-2].', { sources });
    const { output } = await createResponse({});
    expect(output[0]?.content?.[0]?.annotations).toMatchObject([
      { file_id: `file-${file}`, index: 22 },
      { url: 'https://example.com/b', start_index: 16, end_index: 22 },
      { file_id: `file-${file}`, index: 31 },
      { url: 'https://example.com/b', start_index: 26, end_index: 31 },
    ]);
  });

  it('if a datasource is removed during the answer, the citation marks still cite the sources that the model cited', async () => {
    const { sources } = await createSources();
    const [removed] = buildSources(newId());
    setNextAnswer('So [3].', { sources: [removed, ...sources].flatMap((source) => source ?? []) });
    const { id, output } = await createResponse({});
    const annotation = { type: 'url_citation', url: 'https://example.com/b', title: 'a.txt' };
    const expected = [{ ...annotation, start_index: 3, end_index: 6 }];
    expect(output[0]?.content?.[0]?.annotations).toEqual(expected);
    const stored = await used.tenant.api.get(`/v1/responses/${id}`);
    expect(stored.body).toMatchObject({ output: [{ content: [{ annotations: expected }] }] });
    const asked = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?' });
    expect((asked.body as { sources: unknown }).sources).toMatchObject([
      { chunk_id: 'f1', datasource_name: '', text: '' },
      { chunk_id: 'f1', datasource_name: 'a.txt', text: 'one' },
      { chunk_id: 'f2', datasource_name: 'a.txt', text: 'two' },
    ]);
    setNextAnswer('So.', { sources: [removed, ...sources].flatMap((source) => source ?? []) });
    const unmarked = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?' });
    expect((unmarked.body as { sources: unknown }).sources).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  it('a response contains the name and the attributes of the cited file', async () => {
    const { api } = used.tenant;
    const file = await createFile(api, 'Es war einmal', 'Märchen.txt');
    const attributes = { year: 1812 };
    await api.post(`/v1/vector_stores/vs_${used.datastore}/files`).send({ file_id: file, attributes });
    const listed = await api.get('/api/datasources').query({ datastoreId: used.datastore });
    const { items } = listed.body as { items: { id: string }[] };
    setNextAnswer('So [1].', { sources: buildSources(items[0]?.id ?? '') });
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`] }];
    const sendRequest = () =>
      postResponse({ tools, include: ['file_search_call.results'] }).set('Idempotency-Key', 'key-1');
    const expected = {
      output: [
        { results: [{ file_id: file, attributes }, { file_id: file }] },
        { content: [{ annotations: [{ type: 'file_citation', file_id: file, filename: 'Märchen.txt' }] }] },
      ],
    };
    expect((await sendRequest()).body).toMatchObject(expected);
    expect((await sendRequest()).body).toMatchObject(expected);
    const messages = [{ role: 'user', content: 'Why?' }];
    const chat = await api.post('/v1/chat/completions').send({ model: `agent:${used.agent}`, messages });
    expect(chat.body).toMatchObject({
      choices: [{ message: { annotations: [{ file_citation: { file_id: file } }] } }],
    });
  });
});
