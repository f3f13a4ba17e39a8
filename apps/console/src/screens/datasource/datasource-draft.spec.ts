import type { Datasource } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { buildDatasourceUpdate, createDatasourceDraft } from './datasource-draft.js';

const LISTING = {
  name: 'Shop',
  type: 'item_listing',
  config: { url: 'https://shop.example/items', schedule: 'every 6h' },
} as unknown as Datasource; // the function reads no other field
const STORED = createDatasourceDraft(LISTING);

describe('the draft of a datasource', () => {
  it('buildDatasourceUpdate sends only the fields that the user has changed', () => {
    expect(buildDatasourceUpdate(STORED, STORED, {})).toEqual({});
    expect(buildDatasourceUpdate(STORED, { ...STORED, name: ' Catalogue ' }, {})).toEqual({ name: 'Catalogue' });
    expect(buildDatasourceUpdate(STORED, { ...STORED, url: 'shop.example/all' }, {})).toEqual({
      config: { url: 'https://shop.example/all' },
    });
  });

  it('buildDatasourceUpdate resets an emptied field', () => {
    expect(buildDatasourceUpdate(STORED, { ...STORED, schedule: ' ' }, {})).toEqual({ config: { schedule: null } });
  });

  it('buildDatasourceUpdate changes the stored headers only if there are new headers, or if the user removes them', () => {
    expect(buildDatasourceUpdate(STORED, STORED, {})).not.toHaveProperty('config');
    expect(buildDatasourceUpdate(STORED, STORED, { 'X-API-Key': 'a' })).toEqual({
      config: { headers: { 'X-API-Key': 'a' } },
    });
    expect(buildDatasourceUpdate(STORED, STORED, null)).toEqual({ config: { headers: null } });
  });
});
