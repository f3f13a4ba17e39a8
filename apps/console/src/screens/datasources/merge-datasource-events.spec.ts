import type { Datasource, DatasourceEvent } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { mergeDatasourceEvents, type DatasourceQuery } from './merge-datasource-events.js';

const BASE: Datasource = {
  id: '0',
  type: 'file',
  name: 'report.pdf',
  status: 'running',
  groupId: '0',
  createdAt: '2026-11-23T10:00:00.000Z',
  updatedAt: '2026-11-23T10:00:00.000Z',
  lastSynch: null,
  config: {},
  datastoreId: 'd',
  customId: null,
  schedule: null,
  nextSyncAt: null,
  consecutiveFailures: 0,
  content: { documents: 0, fragments: 0, storedTokens: 0 },
  run: null,
  error: null,
  failureReasons: [],
};
const createDatasource = (id: string, change: Partial<Datasource> = {}): Datasource => ({ ...BASE, id, ...change });
const createPage = (ids: string, next: string | null = null) => ({
  items: ids.split('').map((id) => createDatasource(id)),
  next_cursor: next,
});
const createChange = (id: string, change: Partial<Datasource> = {}): DatasourceEvent => ({
  type: 'status',
  datasource: createDatasource(id, change),
});
const createRemoval = (id: string): DatasourceEvent => ({ type: 'removed', id, datastoreId: 'd' });

function mergeIntoPages(
  pages: readonly ReturnType<typeof createPage>[],
  events: readonly DatasourceEvent[],
  query: DatasourceQuery = {},
): string {
  const byId = new Map(events.map((event) => [event.type === 'removed' ? event.id : event.datasource.id, event]));
  return mergeDatasourceEvents(pages, byId, query)
    .map(({ items }) => items.map(({ id }) => id).join(''))
    .join('|');
}

describe('mergeDatasourceEvents', () => {
  it('mergeDatasourceEvents replaces changed datasources, and returns unchanged pages as the same objects', () => {
    const pages = [createPage('98', 'c'), createPage('76')];
    const merged = mergeDatasourceEvents(pages, new Map([['7', createChange('7', { status: 'synched' })]]), {});
    expect(merged[0]).toBe(pages[0]);
    expect(merged[1]?.items[0]?.status).toBe('synched');
  });

  it('mergeDatasourceEvents removes deleted datasources, and datasources that no longer match the filter', () => {
    expect(mergeIntoPages([createPage('987')], [createRemoval('8')])).toBe('97');
    expect(mergeIntoPages([createPage('987')], [createChange('8', { status: 'synched' })], { status: 'running' })).toBe(
      '97',
    );
    expect(mergeIntoPages([createPage('987')], [createChange('8', { name: 'notes.md' })], { name: 'REPORT' })).toBe(
      '97',
    );
  });

  it('mergeDatasourceEvents inserts a new datasource at its place in the order, unless this place is on a page that is not loaded', () => {
    expect(
      mergeIntoPages(
        [createPage('97', 'c'), createPage('53', 'c')],
        [createChange('a'), createChange('8'), createChange('4'), createChange('1')],
      ),
    ).toBe('a987|543');
    expect(mergeIntoPages([createPage('97', 'c'), createPage('53')], [createChange('1')])).toBe('97|531');
    expect(mergeIntoPages([createPage('')], [createChange('1')])).toBe('1');
    expect(mergeIntoPages([createPage('9')], [createChange('a', { status: 'error' })], { status: 'running' })).toBe(
      '9',
    );
  });

  it('mergeDatasourceEvents inserts the newest datasource at the end of a list in the order `asc`', () => {
    const oldestFirst = { order: 'asc' } as const;
    expect(
      mergeIntoPages([createPage('13', 'c'), createPage('57')], [createChange('9'), createChange('4')], oldestFirst),
    ).toBe('13|4579');
    expect(
      mergeIntoPages(
        [createPage('13', 'c'), createPage('57', 'c')],
        [createChange('9'), createChange('2')],
        oldestFirst,
      ),
    ).toBe('123|57');
  });

  it('mergeDatasourceEvents ignores an event that is older than the loaded state', () => {
    const pages = [createPage('9')];
    const old = createChange('9', { status: 'pending', updatedAt: '2026-11-23T09:00:00.000Z' });
    expect(mergeDatasourceEvents(pages, new Map([['9', old]]), {})[0]?.items[0]?.status).toBe('running');
  });
});
