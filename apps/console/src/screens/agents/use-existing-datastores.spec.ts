import type { Datastore, QuarryClient } from '@quarry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ClientProvider } from '../../api/client-context.js';
import { createQueryClient } from '../../api/create-query-client.js';
import type { AllDatastores } from '../datastores/use-datastores.js';
import { useExistingDatastores } from './use-existing-datastores.js';

const NEWEST = [createDatastore('newest'), createDatastore('newer')];

function createDatastore(id: string): Datastore {
  return { id, name: `Name of ${id}` } as Datastore; // the function reads no other field
}

/**
 * Creates functions that render the row of an agent with these datastore ids, list the requested ids and send the
 * requests. The query cache is empty at first.
 */
function createRowHarness(ids: readonly string[]) {
  const queries = createQueryClient();
  const client = { getDatastore: async (id: string) => Promise.resolve(createDatastore(id)) };
  return {
    render: (loaded: Pick<AllDatastores, 'items' | 'isSettled'>): string => {
      const Row = () => useExistingDatastores(ids, loaded).map(({ name }) => `[${name}]`);
      const row = createElement(QueryClientProvider, { client: queries }, createElement(Row));
      // The client has only the method that the row calls.
      return renderToStaticMarkup(createElement(ClientProvider, { value: client as unknown as QuarryClient }, row));
    },
    listRequested: () =>
      queries
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey.at(-1)),
    /** Sends the requests that the last rendering has added to the cache, and waits for their responses. */
    load: async () =>
      Promise.all(
        queries
          .getQueryCache()
          .getAll()
          .map(async (query) => query.fetch()),
      ),
  };
}

it('useExistingDatastores requests the datastores that are missing from the loaded list, and returns all datastores in the order of the given ids', async () => {
  const row = createRowHarness(['oldest', 'newer']);
  const loaded = { items: NEWEST, isSettled: true };
  expect(row.render(loaded)).toBe('[Name of newer]');
  expect(row.listRequested()).toEqual(['oldest']);
  await row.load();
  expect(row.render(loaded)).toBe('[Name of oldest][Name of newer]');
});

it('useExistingDatastores sends no request while the list is loading, or if the list contains all ids', () => {
  const row = createRowHarness(['oldest', 'newer', 'newest']);
  row.render({ items: NEWEST, isSettled: false });
  expect(row.listRequested()).toEqual([]);
  row.render({ items: [...NEWEST, createDatastore('oldest')], isSettled: true });
  expect(row.listRequested()).toEqual([]);
});
