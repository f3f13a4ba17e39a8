import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DuplicatePages, type DeferredPage } from './duplicate-pages.js';

const page = (name: string): string => `https://example.com/${name}`;
const deferred = (name: string, canonical: string, contentHash = name): DeferredPage => ({
  documentKey: page(name),
  canonical: page(canonical),
  contentHash,
});

/** Defers pages and resolves them. @returns the name of the page that represents each, by name */
function resolveAll(duplicates: DuplicatePages, pages: readonly DeferredPage[]): Record<string, string | undefined> {
  for (const each of pages) duplicates.defer(each);
  const nameOf = (documentKey: string): string => new URL(documentKey).pathname.slice(1);
  return Object.fromEntries(
    pages.map((each) => {
      const representative = duplicates.resolve(each);
      return [nameOf(each.documentKey), representative === undefined ? undefined : nameOf(representative)];
    }),
  );
}

describe('DuplicatePages', () => {
  it('returns the first page with the same content', () => {
    const duplicates = new DuplicatePages();
    expect([duplicates.add(page('a'), 'x'), duplicates.add(page('b'), 'x'), duplicates.add(page('c'), 'y')]).toEqual([
      undefined,
      page('a'),
      undefined,
    ]);
  });

  it('follows canonical URLs to an added page', () => {
    const duplicates = new DuplicatePages();
    duplicates.add(page('a'), 'a');
    expect(resolveAll(duplicates, [deferred('c', 'b'), deferred('b', 'a')])).toEqual({ c: 'a', b: 'a' });
  });

  it('chooses one of several pages that declare each other as canonical', () => {
    expect(resolveAll(new DuplicatePages(), [deferred('a', 'b'), deferred('b', 'c'), deferred('c', 'a')])).toEqual({
      a: undefined,
      b: 'a',
      c: 'a',
    });
  });

  it('ignores a canonical home page with other content', () => {
    const duplicates = new DuplicatePages();
    duplicates.add(page(''), 'home');
    expect(resolveAll(duplicates, [deferred('a', ''), deferred('b', '', 'home')])).toEqual({ a: undefined, b: '' });
  });

  it('represents each page by a page that is indexed', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '');
    const hash = fc.constantFrom('1', '2', '3');
    const somePages = fc.uniqueArray(fc.record({ name, canonical: name, hash }), {
      selector: (each) => each.name,
      maxLength: 7,
    });
    fc.assert(
      fc.property(somePages, fc.dictionary(name, hash), (pages, direct) => {
        const duplicates = new DuplicatePages();
        const indexed = new Set<string>();
        const deferredPages = pages.filter((each) => !(each.name in direct) && each.canonical !== each.name);
        for (const [each, contentHash] of Object.entries(direct)) {
          if (duplicates.add(page(each), contentHash) === undefined) indexed.add(page(each));
        }
        const all = deferredPages.map((each) => deferred(each.name, each.canonical, each.hash));
        for (const each of all) duplicates.defer(each);
        const representative = all.map((each) => ({ documentKey: each.documentKey, by: duplicates.resolve(each) }));
        for (const { documentKey, by } of representative) if (by === undefined) indexed.add(documentKey);
        for (const { documentKey, by } of representative)
          if (by !== undefined) expect([documentKey, indexed.has(by)]).toEqual([documentKey, true]);
      }),
    );
  });
});
