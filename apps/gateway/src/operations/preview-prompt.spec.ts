import type { PromptPreviewResponse } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAgent, createDatastore } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const PROMPT: PromptPreviewResponse = {
  ...{ answeredBy: 'model', model: 'openai/gpt-4o', system: 'Be brief.', sources: 1, promptTokens: 40, notes: [] },
  messages: [{ role: 'user', text: '<knowledge>…</knowledge>\n\nWhy?' }],
};

let agent: string;
beforeEach(async () => {
  const datastore = await createDatastore(used.tenant.api);
  const prompts = { systemPrompt: 'Be brief.', userPrompt: 'Q: {query}' };
  agent = await createAgent(used.tenant.api, { datastoreIds: [datastore], ...prompts });
  used.test.query.prompt = PROMPT;
});

const postPreview = (body: object) => used.tenant.api.post(`/api/agents/${agent}/prompt`).send(body);

describe('POST /api/agents/{id}/prompt', () => {
  it('POST /api/agents/{id}/prompt returns the prompt that the query service builds with the settings of the agent', async () => {
    const response = await postPreview({ query: 'Why?' });
    expect([response.status, response.body]).toEqual([200, PROMPT]);
    expect(used.test.query.previews.at(-1)).toMatchObject({
      ...{ query: 'Why?', history: [], restrictToKnowledge: true },
      ...{ systemPrompt: 'Be brief.', userPrompt: 'Q: {query}' },
    });
  });

  it('POST /api/agents/{id}/prompt uses the prompts of the request instead of those of the agent, and the default prompt if a prompt of the request is blank', async () => {
    await postPreview({ query: 'Why?', systemPrompt: 'In rhymes.', userPrompt: '', restrictToKnowledge: false });
    const request = used.test.query.previews.at(-1);
    expect(request).toMatchObject({ systemPrompt: 'In rhymes.', restrictToKnowledge: false });
    expect(request).not.toHaveProperty('userPrompt');
    await postPreview({ query: 'Why?', systemPrompt: null });
    expect(used.test.query.previews.at(-1)).toMatchObject({ systemPrompt: 'Be brief.' });
  });

  it('POST /api/agents/{id}/prompt stores no conversation and counts as a datastore query', async () => {
    const before = (await used.tenant.api.get('/api/usage')).body as { queries: { datastoreQueries: number } };
    await postPreview({ query: 'Why?' });
    const after = (await used.tenant.api.get('/api/usage')).body as typeof before;
    expect(after.queries.datastoreQueries).toBe(before.queries.datastoreQueries + 1);
    expect((await used.tenant.api.get(`/api/conversations?agentId=${agent}`)).body).toMatchObject({ items: [] });
  });

  it.each([[{ query: ' ' }], [{ query: 'q'.repeat(100_000) }], [{}], [{ query: 'q', prompt: 'x' }]])(
    'POST /api/agents/{id}/prompt refuses the invalid body %j',
    async (body) => {
      expect((await postPreview(body)).status).toBe(400);
    },
  );
});
