import type { Evaluation, QuarryClient } from '@quarry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ClientProvider } from '../../api/client-context.js';
import { createQueryClient } from '../../api/create-query-client.js';
import { useComparableEvaluations } from './use-evaluations.js';

const PAGE_SIZE = 50;

function createEvaluation(id: string, fields: Partial<Evaluation> = {}): Evaluation {
  return { id, datasetId: 'animals', status: 'done', ...fields } as Evaluation; // the hook reads no other field
}

/** Creates a client that lists evaluations page by page, as an async iterable or one page with `next_cursor`. */
function createListClient(all: readonly Evaluation[]): QuarryClient {
  const listEvaluations = () => {
    const first = { items: all.slice(0, PAGE_SIZE), next_cursor: all.length > PAGE_SIZE ? 'next' : null };
    return Object.assign(Promise.resolve(first), {
      [Symbol.asyncIterator]: async function* () {
        await Promise.resolve();
        yield* all;
      },
    });
  };
  return { listEvaluations } as unknown as QuarryClient; // the hook calls no other method
}

it('useComparableEvaluations returns the ended evaluations of the same dataset from all pages of the list', async () => {
  const evaluation = createEvaluation('this');
  const others = Array.from({ length: PAGE_SIZE }, (_, at) =>
    createEvaluation(`plants ${at}`, { datasetId: 'plants' }),
  );
  const running = createEvaluation('running', { status: 'running' });
  const client = createListClient([running, evaluation, ...others, createEvaluation('older')]);
  const queries = createQueryClient();
  const List = () => JSON.stringify(useComparableEvaluations(evaluation).data?.map(({ id }) => id) ?? 'unknown');
  const render = (): string => {
    const list = createElement(QueryClientProvider, { client: queries }, createElement(List));
    return renderToStaticMarkup(createElement(ClientProvider, { value: client }, list)).replaceAll('&quot;', '"');
  };
  expect(render()).toBe('"unknown"');
  await Promise.all(
    queries
      .getQueryCache()
      .getAll()
      .map(async (query) => query.fetch()),
  );
  expect(render()).toBe('["older"]');
});
