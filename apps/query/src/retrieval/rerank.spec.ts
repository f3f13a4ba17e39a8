import { openReranker } from '@quarry/embedder-factory';
import { startFakeReranker } from '@quarry/embedder-factory/testing';
import type { FragmentStore } from '@quarry/fragment-store';
import { createLog } from '@quarry/service-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecordingLog, type RecordingLog } from '../testing/recording-log.js';
import { createScope, createScoredFragment } from '../testing/knowledge.js';
import { createInMemoryQueryParts } from '../testing/in-memory-query-parts.js';
import type { Reranking } from './rerank.js';
import { retrieveFragments, type Retrieved } from './retrieve.js';
import { createSearchQuestion, type SearchQuestion } from './search-texts.js';

const NEVER = new AbortController().signal;
const FOUND = ['one', 'two', 'three', 'four'].map((text, at) =>
  createScoredFragment(text, { context: 'Title', score: 9 - at }),
);

/** Creates a reranker that looks up the score of a passage by its last line, and adds received texts to `sentTexts`. */
function createReranking(scores: Readonly<Record<string, number>>, sentTexts: string[] = []): Reranking {
  const reranker = {
    model: 'test',
    rerank: async (query: string, texts: readonly string[]) => {
      sentTexts.push(query, ...texts);
      return texts.map((text) => scores[text.split('\n').at(-1) ?? ''] ?? 0);
    },
  };
  return { reranker, candidates: 3, timeoutMs: 5_000 };
}

async function findReranked(
  reranking: Reranking,
  more: { readonly log?: RecordingLog['log']; readonly signal?: AbortSignal; readonly question?: SearchQuestion } = {},
): Promise<Retrieved> {
  const { log = createLog('test', 'silent'), signal = NEVER, question = createSearchQuestion('which?') } = more;
  const store: FragmentStore = { ...({} as FragmentStore), searchLexical: async () => FOUND };
  const parts = await createInMemoryQueryParts({ fragmentStore: store, reranking, log });
  return retrieveFragments(parts, { question, scope: createScope(), topK: 4 }, signal);
}

const listTexts = ({ fragments }: Retrieved): string[] => fragments.map(({ text }) => text);

describe('reranking', () => {
  it('reranking sorts the best candidates by the reranker’s scores, and appends the other fragments', async () => {
    const found = await findReranked(createReranking({ one: 0.2, two: 0.4, three: 0.9 }));
    expect(listTexts(found)).toEqual(['three', 'two', 'one', 'four']);
    const scores = found.fragments.map(({ score }) => score);
    expect(scores.slice(0, 3)).toEqual([0.9, 0.4, 0.2]);
    expect(scores[3]).toBeLessThanOrEqual(0.2);
    expect(found.notes).toEqual([]);
  });

  it('reranking sends passages with their titles, and the question with the previous question, to the reranker', async () => {
    const sentTexts: string[] = [];
    const question = { ...createSearchQuestion('And in Spain?'), whole: 'How long is the warranty?\nAnd in Spain?' };
    await findReranked(createReranking({}, sentTexts), { question });
    expect(sentTexts).toEqual([question.whole, 'Title\none', 'Title\ntwo', 'Title\nthree']);
  });

  it('reranking keeps the order of the search, adds a note and logs a warning if the reranker refuses the request', async () => {
    const { url } = await startRerankerWith({ status: 503, body: { message: 'overloaded' } });
    const reranker = openReranker({ address: { form: 'cohere', url, model: 'm' } });
    const { log, lines } = createRecordingLog();
    const found = await findReranked({ reranker, candidates: 3, timeoutMs: 5_000 }, { log });
    expect(listTexts(found)).toEqual(['one', 'two', 'three', 'four']);
    expect(found.notes).toEqual(['not_reranked']);
    expect(lines()).toMatch(/503.*overloaded.*"model":"m".*not reranked/);
  });

  it('reranking keeps the order of the search if the reranker times out', async () => {
    const { url } = await startRerankerWith(undefined);
    const reranker = openReranker({ address: { form: 'tei', url } });
    const { log, lines } = createRecordingLog();
    const found = await findReranked({ reranker, candidates: 3, timeoutMs: 30 }, { log });
    expect(listTexts(found)).toEqual(['one', 'two', 'three', 'four']);
    expect(found.notes).toEqual(['not_reranked']);
    expect(lines()).toContain('not reranked');
  });

  it('reranking throws the caller’s abort reason', async () => {
    const { url, received } = await startRerankerWith(undefined);
    const caller = new AbortController();
    const reranker = openReranker({ address: { form: 'jina', url, model: 'm' } });
    const finding = findReranked({ reranker, candidates: 3, timeoutMs: 60_000 }, { signal: caller.signal });
    await received;
    const reason = new Error('the caller disconnected');
    caller.abort(reason);
    await expect(finding).rejects.toBe(reason);
  });
});

/** Starts a fake reranking server that answers every request with `answer`; if undefined, it never responds. */
async function startRerankerWith(
  answer: { readonly status: number; readonly body: object } | undefined,
): Promise<{ readonly url: string; readonly received: Promise<undefined> }> {
  const received = Promise.withResolvers<undefined>();
  const fake = await startFakeReranker(() => {
    received.resolve(undefined);
    return answer;
  });
  onTestFinished(() => fake.close());
  return { url: fake.url, received: received.promise };
}
