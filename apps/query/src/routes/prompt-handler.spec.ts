import type { PromptPreviewResponse } from '@quarry/contracts';
import request, { type Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { ModelNotConfigured } from '../models/choose-model.js';
import { createQueryApp } from '../server.js';
import { createModelSource, createQueryContext, TOKEN, type ContextParts } from '../testing/query-context.js';
import { createScriptedModel } from '../testing/scripted-model.js';

const NEVER = new AbortController().signal;
const DOCUMENTS = [{ fragments: ['The warranty lasts two years.'], context: 'Terms', datasourceId: 's1' }];
const QUESTION = {
  ...{ query: 'How long does the warranty last?', history: [], generation: {}, restrictToKnowledge: true },
  ...{ organizationId: 'o1', datastores: [{ id: 'd1' }], systemPrompt: 'Answer in rhymes.' },
};

async function createApp(parts: ContextParts): Promise<ReturnType<typeof createQueryApp>> {
  return createQueryApp(await createQueryContext({ documents: DOCUMENTS, ...parts }), NEVER);
}

const postRequest = (app: ReturnType<typeof createQueryApp>, path: string, body: object): Test =>
  request(app).post(path).set('Authorization', `Bearer ${TOKEN}`).send(body);

describe('POST /internal/prompt', () => {
  it.each([[{}], [{ restrictToKnowledge: false, userPrompt: 'Q: {query}', systemPrompt: 'Use {context}' }]])(
    'POST /internal/prompt returns exactly what the model receives for the same question with the options %j',
    async (more) => {
      const model = createScriptedModel(['Two years [1].']);
      const app = await createApp({ model });
      const response = await postRequest(app, '/internal/prompt', { ...QUESTION, ...more });
      expect(response.status).toBe(200);
      expect(model.calls).toHaveLength(0);
      await postRequest(app, '/internal/answer', { ...QUESTION, ...more });
      const sent = model.calls[0];
      const preview = response.body as PromptPreviewResponse;
      expect({ system: preview.system, messages: preview.messages }).toEqual({
        system: sent?.system,
        messages: sent?.messages,
      });
      expect(preview).toMatchObject({ answeredBy: 'model', model: 'test/scripted', sources: 1, notes: [] });
      expect(JSON.stringify(preview)).toContain('The warranty lasts two years.');
      expect(preview.promptTokens).toBeGreaterThan(20);
    },
  );

  it.each([
    [{ maxSources: 1 }, 1],
    [{ minScore: 1 }, 0],
  ])(
    'POST /internal/prompt applies the source limits %j in the same way as POST /internal/answer',
    async (limits, sources) => {
      const model = createScriptedModel(['Two years.']);
      const further = { fragments: ['The warranty of lamps lasts one year.'], key: 'lamps', datasourceId: 's2' };
      const app = await createApp({ model, documents: [...DOCUMENTS, further] });
      const question = { ...QUESTION, ...limits };
      const preview = (await postRequest(app, '/internal/prompt', question)).body as PromptPreviewResponse;
      await postRequest(app, '/internal/answer', question);
      expect(preview.messages).toEqual(model.calls[0]?.messages);
      expect(preview.sources).toBe(sources);
    },
  );

  it('POST /internal/prompt returns a preview without prompt and model if no model is configured', async () => {
    const response = await postRequest(await createApp({}), '/internal/prompt', QUESTION);
    expect(response.body).toEqual({
      ...{ answeredBy: 'extractive', model: null, system: null, messages: [] },
      ...{ sources: 0, promptTokens: 0, notes: [] },
    });
  });

  it('POST /internal/prompt refuses a model without a provider, an invalid body and a missing token', async () => {
    const models = createModelSource(() => {
      throw new ModelNotConfigured('gpt_4o');
    });
    const app = await createApp({ models });
    expect((await postRequest(app, '/internal/prompt', QUESTION)).body).toMatchObject({ code: 'model_not_configured' });
    expect((await postRequest(app, '/internal/prompt', { ...QUESTION, query: 1 })).status).toBe(400);
    expect((await request(app).post('/internal/prompt').send(QUESTION)).status).toBe(401);
  });
});
