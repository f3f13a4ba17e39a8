import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import { RerankingFailed } from '@quarry/embedder';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../models/chat-model.js';
import { createInMemoryQueryParts } from '../testing/in-memory-query-parts.js';
import { createScope, type SampleDocument } from '../testing/knowledge.js';
import type { ContextParts } from '../testing/query-context.js';
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

  it('an answer has only as many sources as fit the token budget of the prompt', async () => {
    expect(await countSources(createScriptedModel(['Two years.']), { promptTokens: 400 })).toBeLessThan(16);
  });

  it.each([undefined, createScriptedModel(['Two years.'])])(
    'an answer has at most `maxSources` sources, and a large `maxSources` does not raise the maximum of 16 or eight',
    async (model) => {
      expect(await countSources(model, { limits: { maxSources: 3 } })).toBe(3);
      expect(await countSources(model, { limits: { maxSources: 50 } })).toBe(model === undefined ? 8 : 16);
    },
  );

  it('an answer omits sources whose score is below the `minScore` of the request', async () => {
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

const NOTICE = 'This report of Globex on Form 7-B is the latest report that the company signed.';
const TABLE = `Results

| | 2023 | 2022 |
|---|---|---|
| Revenue | 900 | 800 |
| Gross margin | 361 | 352 |`;

/** Creates a long report whose pages repeat the name and the kind of the document, except for one page with a table. */
function createReport(name: string, table: string): SampleDocument {
  const pages = Array.from(
    { length: 12 },
    (_, at) => `${NOTICE} Page ${at} certifies that the report of Globex is a report.`,
  );
  return { context: `${name} › Globex Ltd.`, fragments: [`FORM 7-B\n\nREPORT\n\n${NOTICE}`, ...pages, table] };
}

type Completed = Extract<AnswerEvent, { readonly type: 'completed' }>;

describe('an extractive answer from a long document that the question names', () => {
  async function complete(query: string, more: ContextParts = {}): Promise<Completed> {
    const documents = [createReport('GLX 2023', TABLE), createReport('GLX 2022', TABLE.replace('361', '352'))];
    const parts = await createInMemoryQueryParts({ documents, promptTokens: 12_000, ...more });
    const request = Object.assign(createScope(), { query, history: [], generation: {}, restrictToKnowledge: true });
    for await (const event of generateAnswer(parts, request, undefined, new AbortController().signal))
      if (event.type === 'completed') return event;
    throw new Error('expected the event completed, found none');
  }
  const ask = async (query: string): Promise<string> => (await complete(query)).answer;

  it('an extractive answer is the table row that the question asks for, with its column headers', async () => {
    const answer = await ask('What was the gross margin of Globex in the 7-B report of 2023?');
    expect(answer).toBe('Gross margin; 2023: 361; 2022: 352');
  });

  it.each([
    ['the first search', [1]],
    ['the search in the named documents', [2]],
    ['both searches', [1, 2]],
  ])('an extractive answer has the note `not_reranked` once if the reranking fails for %s', async (_, failing) => {
    const searches: string[] = [];
    const reranker = {
      model: 'test',
      rerank: async (query: string, texts: readonly string[]) => {
        searches.push(query);
        if (failing.includes(searches.length)) throw new RerankingFailed('the reranker is down');
        return Promise.resolve(texts.map(() => 0.5));
      },
    };
    const reranking = { reranker, candidates: 30, timeoutMs: 5_000 };
    const query = 'Which page certifies the gross margin of Globex in the 7-B report of 2023?';
    expect((await complete(query, { reranking })).notes).toEqual(['not_reranked']);
    expect(searches).toEqual([query, 'page certifies gross margin']);
  });

  it('if the named document contains no answer, the agent answers from another document that contains one', async () => {
    const pages = Array.from({ length: 12 }, (_, at) => `Page ${at} mentions laptops.`);
    const documents = [
      { context: 'January 2023 › Globex Ltd.', fragments: pages },
      { context: 'memo.pdf', fragments: ['200 laptops were delivered on January 23, 2023.'] },
    ];
    const { answer, sources } = await complete('How many laptops were delivered on January 23, 2023?', { documents });
    expect(answer).toBe('200 laptops were delivered on January 23, 2023.');
    expect(sources.filter(({ cited }) => cited).map(({ text }) => text)).toEqual([answer]);
  });

  it('the agent abstains if the document contains only those words of the question that name the document', async () => {
    expect(await ask('Which suppliers deliver batteries to Globex, in the 7-B report of 2023?')).toMatch(
      /^I don’t know/,
    );
  });
});
