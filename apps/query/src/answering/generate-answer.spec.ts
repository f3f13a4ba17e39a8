import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../models/chat-model.js';
import { createInMemoryQueryParts } from '../testing/in-memory-query-parts.js';
import { createScope } from '../testing/knowledge.js';
import { createScriptedModel } from '../testing/scripted-model.js';
import { generateAnswer } from './generate-answer.js';

const DOCUMENTS = Array.from({ length: 30 }, (_, at) => ({
  fragments: [`The warranty of product ${String(at)} lasts ${String(at)} years.`],
}));

describe('the sources of an answer', () => {
  it('an answer has at most 16 sources if a model writes it, and at most eight otherwise', async () => {
    expect(await countSources(createScriptedModel(['Two years.']))).toBe(16);
    expect(await countSources(undefined)).toBe(8);
  });

  it('sources fit the token budget of the prompt', async () => {
    expect(await countSources(createScriptedModel(['Two years.']), { promptTokens: 400 })).toBeLessThan(16);
  });

  it.each([undefined, createScriptedModel(['Two years.'])])(
    'an answer has at most as many sources as the request allows',
    async (model) => {
      expect(await countSources(model, { limits: { maxSources: 3 } })).toBe(3);
      expect(await countSources(model, { limits: { maxSources: 50 } })).toBe(model === undefined ? 8 : 16);
    },
  );

  it('sources have at least the score that the request sets', async () => {
    expect(await countSources(createScriptedModel(['Two years.']), { limits: { minScore: 0 } })).toBe(16);
    expect(await countSources(createScriptedModel(['Two years.']), { limits: { minScore: 1 } })).toBeLessThan(16);
  });
});

interface Options {
  readonly promptTokens?: number;
  readonly limits?: Pick<AnswerRequest, 'maxSources' | 'minScore'>;
}

async function countSources(
  model: ChatModel | undefined,
  { promptTokens = 12_000, limits = {} }: Options = {},
): Promise<number> {
  const parts = await createInMemoryQueryParts({ documents: DOCUMENTS, promptTokens });
  const question = { query: 'How long is the warranty?', history: [], generation: {}, restrictToKnowledge: true };
  const events: AnswerEvent[] = [];
  const request = Object.assign(createScope(), question, limits);
  const answering = generateAnswer(parts, request, model, new AbortController().signal);
  for await (const event of answering) events.push(event);
  const completed = events.find((event) => event.type === 'completed');
  return completed?.sources.length ?? 0;
}
