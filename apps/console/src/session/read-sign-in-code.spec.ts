import { describe, expect, it } from 'vitest';
import { readSignInCode } from './read-sign-in-code.js';

function openPage(address: string): { readonly page: Pick<Window, 'location' | 'history'>; readonly shown: string[] } {
  const { pathname, hash } = new URL(address);
  const shown: string[] = [];
  const history = { replaceState: (_state: unknown, _title: string, path: string) => void shown.push(path) };
  return { page: { location: { pathname, hash }, history } as unknown as Window, shown }; // only these parts are used
}

describe('a sign-in link', () => {
  it('readSignInCode returns the code of a sign-in link, and removes the code from the address', () => {
    const { page, shown } = openPage('https://example.org/quarry/signin#code=abc');
    expect(readSignInCode(page, '/quarry/')).toBe('abc');
    expect(shown).toEqual(['/quarry/']);
  });

  it.each(['https://example.org/signin', 'https://example.org/signin#code=', 'https://example.org/keys#code=abc'])(
    'readSignInCode returns undefined for the address %s',
    (address) => {
      expect(readSignInCode(openPage(address).page, '/')).toBeUndefined();
    },
  );
});
