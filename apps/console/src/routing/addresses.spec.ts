import { describe, expect, it } from 'vitest';
import { SCREENS } from '../screens/screens.js';
import { buildPath } from './addresses.js';

describe('an address', () => {
  it('buildPath inserts the URL-encoded parameters into the address of a screen', () => {
    expect(buildPath('document', { datasourceId: 'd1', documentId: 'a/b c' })).toBe(
      '/datasources/d1/documents/a%2Fb%20c',
    );
  });
});

describe('the screens', () => {
  it('no two screens in SCREENS have the same name or the same keyboard shortcut in the navigation', () => {
    const names = SCREENS.map(({ name }) => name);
    const keys = SCREENS.flatMap(({ navigation }) => (navigation === undefined ? [] : [navigation.key]));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('each screen in SCREENS loads a component', async () => {
    for (const { load } of SCREENS) expect(await load()).toBeTypeOf('function');
  });
});
