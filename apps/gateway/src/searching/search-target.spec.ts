import { describe, expect, it } from 'vitest';
import { buildSearchScope } from './search-target.js';

describe('buildSearchScope', () => {
  it('buildSearchScope converts the ids of datasources in the filters to lower case, and keeps custom ids', () => {
    const filters = { datasource_ids: ['01A20490-0000-7000-8000-00000000000B'], custom_ids: ['c'] };
    expect(buildSearchScope('organization', [], filters).filters).toEqual({
      datasource_ids: ['01a20490-0000-7000-8000-00000000000b'],
      custom_ids: ['c'],
    });
  });
});
