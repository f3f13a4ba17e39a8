import type { Datastore, QuarryClient } from '@quarry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ClientProvider } from '../../api/client-context.js';
import { createQueryClient } from '../../api/create-query-client.js';
import { LanguageProvider } from '../../language/language-context.js';
import { SettingsFields } from './settings-fields.js';
import { DEFAULT_SETTINGS } from './side-settings.js';

interface LoadedList {
  readonly loaded: readonly string[];
  readonly hasMore: boolean;
}

/** Renders the filter of datasources, and returns the number of chosen ones that the list of each datastore shows. */
function renderCounts(lists: Readonly<Record<string, LoadedList>>, datasourceIds: readonly string[]): string[] {
  const queries = createQueryClient();
  for (const [datastoreId, { loaded, hasMore }] of Object.entries(lists)) {
    const page = { items: loaded.map((id) => ({ id, name: id })), next_cursor: hasMore ? 'next' : null };
    queries.setQueryData(['datasources', 'choices', datastoreId], { pages: [page], pageParams: [undefined] });
  }
  const datastoreIds = Object.keys(lists);
  const fields = createElement(SettingsFields, {
    side: 'A',
    datastores: datastoreIds.map((id) => ({ id, name: id }) as Datastore), // the fields read nothing else
    settings: { ...DEFAULT_SETTINGS, datastoreIds, datasourceIds },
    onChange: () => undefined,
  });
  const provided = createElement(QueryClientProvider, { client: queries }, fields);
  const client = {} as QuarryClient; // all pages that are shown are cached
  const page = createElement(LanguageProvider, null, createElement(ClientProvider, { value: client }, provided));
  const [, ...counts] = renderToStaticMarkup(page).match(/\d+(?: of \d+)? chosen/g) ?? [];
  return counts;
}

describe('the filter of datasources', () => {
  it('the list of the only datastore counts chosen datasources that are not loaded yet', () => {
    expect(renderCounts({ drills: { loaded: ['a', 'b'], hasMore: true } }, ['b', 'z'])).toEqual(['2 chosen']);
  });

  it('the list of the only datastore counts a chosen datasource that was deleted, because the filter still applies', () => {
    expect(renderCounts({ drills: { loaded: ['a', 'b'], hasMore: false } }, ['z'])).toEqual(['1 of 2 chosen']);
  });

  it('each of several lists that are loaded completely counts its own chosen datasources', () => {
    const lists = { drills: { loaded: ['a', 'b'], hasMore: false }, saws: { loaded: ['c'], hasMore: false } };
    expect(renderCounts(lists, ['b', 'c'])).toEqual(['1 of 2 chosen', '1 of 1 chosen']);
  });

  it('of several lists, the one that is not loaded completely counts all chosen datasources that may belong to it', () => {
    const lists = { drills: { loaded: ['a', 'b'], hasMore: true }, saws: { loaded: ['c'], hasMore: false } };
    expect(renderCounts(lists, ['z', 'c'])).toEqual(['2 chosen', '1 of 1 chosen']);
  });
});
