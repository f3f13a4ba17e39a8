import type { AnswerRequest, FragmentListRequest, SearchRequest } from '@quarry/contracts';
import { basicProblem } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createLocalQueryService } from './local-query-service.js';

const NEVER = new AbortController().signal;
const scope = { organizationId: 'o', datastores: [] };
const SEARCH: SearchRequest = { ...scope, query: 'q', topK: 1 };
const QUESTION: AnswerRequest = { ...scope, query: 'q', history: [], generation: {}, restrictToKnowledge: true };
const LISTING: FragmentListRequest = {
  ...{ organizationId: 'o', datastore: { id: 'd' }, datasourceId: 's', documentKeys: ['k'], firstOrdinal: 0, limit: 1 },
};

const EMBEDDING = { model: 'm', dimensions: 1, distance: 'cosine' } as const;

const createFailingService = (error: Error) => {
  const rejectCall = (): Promise<never> => Promise.reject(error);
  return createLocalQueryService({
    search: rejectCall,
    answer: rejectCall,
    previewPrompt: rejectCall,
    listFragments: rejectCall,
    embed: rejectCall,
    listModels: rejectCall,
    testModel: rejectCall,
    ping: rejectCall,
  });
};

describe('a query service in the same process', () => {
  it('a local query service returns the responses of the wrapped query service unchanged', async () => {
    const found = { fragments: [], notes: [] };
    const listed = { fragments: [] };
    const preview = { answeredBy: 'extractive', ...{ model: null, system: null, messages: [] } } as const;
    const prompt = { ...preview, sources: 0, promptTokens: 0, notes: [] };
    const embedded = { vectors: [[1]], tokens: 1 };
    const models = { defaultModel: null, models: [], providers: [] };
    const outcome = { model: 'm', durationMs: 1, failure: null, status: null, networkError: null };
    const service = createLocalQueryService({
      search: async () => Promise.resolve(found),
      answer: async () => Promise.resolve(streamEvents([buildCompletedEvent('Yes.')])),
      previewPrompt: async () => Promise.resolve(prompt),
      listFragments: async () => Promise.resolve(listed),
      embed: async () => Promise.resolve(embedded),
      listModels: async () => Promise.resolve(models),
      testModel: async () => Promise.resolve(outcome),
      ping: async () => Promise.resolve(),
    });
    expect(await service.previewPrompt(QUESTION, NEVER)).toBe(prompt);
    expect(await service.listFragments(LISTING, NEVER)).toBe(listed);
    expect(await service.embed({ embedding: EMBEDDING, texts: ['a'] }, NEVER)).toBe(embedded);
    expect(await service.search(SEARCH, NEVER)).toBe(found);
    expect(await service.listModels({ connections: [] }, NEVER)).toBe(models);
    expect(await service.testModel({ connection: { provider: 'openai' } }, NEVER)).toBe(outcome);
    for await (const event of await service.answer(QUESTION, NEVER)) expect(event).toEqual(buildCompletedEvent('Yes.'));
  });

  it.each([
    ['refuses a request', basicProblem('dependency_unavailable', 'The search of the datastores is unavailable.')],
    ['fails', new Error('secret words')],
  ])(
    'if the wrapped query service %s, a local query service throws `dependency_unavailable`, like a query service over HTTP',
    async (_, error) => {
      const service = createFailingService(error);
      for (const asking of [service.search(SEARCH, NEVER), service.answer(QUESTION, NEVER)]) {
        await expect(asking).rejects.toMatchObject({ code: 'dependency_unavailable', headers: { 'Retry-After': '2' } });
        await expect(asking).rejects.not.toThrow('secret');
      }
    },
  );

  it('if the caller aborts a request, a local query service rejects with the abort reason', async () => {
    const reason = new Error('the client disconnected');
    await expect(createFailingService(new Error('aborted')).search(SEARCH, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
  });
});
