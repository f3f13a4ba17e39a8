import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DuplicatePages, type DeferredPage } from './frontier.js';

const getPageUrl = (name: string): string => `https://example.com/${name}`;
const createDeferredPage = (name: string, canonical: string, contentHash = name): DeferredPage => ({
  documentKey: getPageUrl(name),
  canonical: getPageUrl(canonical),
  contentHash,
});

/**
 * Defers pages, and then resolves each of them.
 *
 * @returns a map from the name of each page to the name of the page that is indexed in its place; undefined if the page
 * itself is indexed
 */
function resolveAllPages(
  duplicates: DuplicatePages,
  pages: readonly DeferredPage[],
): Record<string, string | undefined> {
  for (const each of pages) duplicates.deferPage(each);
  const getPageName = (documentKey: string): string => new URL(documentKey).pathname.slice(1);
  return Object.fromEntries(
    pages.map((each) => {
      const representative = duplicates.resolveOriginal(each);
      return [getPageName(each.documentKey), representative === undefined ? undefined : getPageName(representative)];
    }),
  );
}

describe('DuplicatePages', () => {
  it('DuplicatePages resolves a page to the first page with the same content', () => {
    const duplicates = new DuplicatePages();
    expect([
      duplicates.addPage(getPageUrl('a'), 'x'),
      duplicates.addPage(getPageUrl('b'), 'x'),
      duplicates.addPage(getPageUrl('c'), 'y'),
    ]).toEqual([undefined, getPageUrl('a'), undefined]);
  });

  it('DuplicatePages resolves a page to the page that a chain of canonical URLs leads to', () => {
    const duplicates = new DuplicatePages();
    duplicates.addPage(getPageUrl('a'), 'a');
    expect(resolveAllPages(duplicates, [createDeferredPage('c', 'b'), createDeferredPage('b', 'a')])).toEqual({
      c: 'a',
      b: 'a',
    });
  });

  it('DuplicatePages chooses one page to index among several pages that declare each other as canonical', () => {
    expect(
      resolveAllPages(new DuplicatePages(), [
        createDeferredPage('a', 'b'),
        createDeferredPage('b', 'c'),
        createDeferredPage('c', 'a'),
      ]),
    ).toEqual({
      a: undefined,
      b: 'a',
      c: 'a',
    });
  });

  it('DuplicatePages ignores a canonical URL that is a home page with other content', () => {
    const duplicates = new DuplicatePages();
    duplicates.addPage(getPageUrl(''), 'home');
    expect(resolveAllPages(duplicates, [createDeferredPage('a', ''), createDeferredPage('b', '', 'home')])).toEqual({
      a: undefined,
      b: '',
    });
  });

  it('DuplicatePages resolves each duplicate page to a page that is indexed', () => {
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
          if (duplicates.addPage(getPageUrl(each), contentHash) === undefined) indexed.add(getPageUrl(each));
        }
        const all = deferredPages.map((each) => createDeferredPage(each.name, each.canonical, each.hash));
        for (const each of all) duplicates.deferPage(each);
        const representative = all.map((each) => ({
          documentKey: each.documentKey,
          by: duplicates.resolveOriginal(each),
        }));
        for (const { documentKey, by } of representative) if (by === undefined) indexed.add(documentKey);
        for (const { documentKey, by } of representative)
          if (by !== undefined) expect([documentKey, indexed.has(by)]).toEqual([documentKey, true]);
      }),
    );
  });
});
