import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Copies, type Deferred } from './copies.js';

const page = (name: string): string => `https://example.com/${name}`;
const deferred = (name: string, canonical: string, contentHash = name): Deferred => ({
  address: page(name),
  canonical: page(canonical),
  contentHash,
});

/** Puts pages off and decides on each. @returns by name, the name of the page kept in its place */
function decide(copies: Copies, pages: readonly Deferred[]): Record<string, string | undefined> {
  for (const each of pages) copies.defer(each);
  const nameOf = (address: string): string => new URL(address).pathname.slice(1);
  return Object.fromEntries(
    pages.map((each) => {
      const instead = copies.decide(each);
      return [nameOf(each.address), instead === undefined ? undefined : nameOf(instead)];
    }),
  );
}

describe('Copies', () => {
  it('keeps the first of those that hold the same', () => {
    const copies = new Copies();
    expect([copies.keep(page('a'), 'x'), copies.keep(page('b'), 'x'), copies.keep(page('c'), 'y')]).toEqual([
      undefined,
      page('a'),
      undefined,
    ]);
  });

  it('follows canonical addresses to the page that is kept', () => {
    const copies = new Copies();
    copies.keep(page('a'), 'a');
    expect(decide(copies, [deferred('c', 'b'), deferred('b', 'a')])).toEqual({ c: 'a', b: 'a' });
  });

  it('keeps one of those that name each other', () => {
    expect(decide(new Copies(), [deferred('a', 'b'), deferred('b', 'c'), deferred('c', 'a')])).toEqual({
      a: undefined,
      b: 'a',
      c: 'a',
    });
  });

  it('does not believe in a home page that holds something else', () => {
    const copies = new Copies();
    copies.keep(page(''), 'home');
    expect(decide(copies, [deferred('a', ''), deferred('b', '', 'home')])).toEqual({ a: undefined, b: '' });
  });

  it('keeps every page, or one in its place that is kept itself', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '');
    const hash = fc.constantFrom('1', '2', '3');
    const pages = fc.uniqueArray(fc.record({ name, canonical: name, hash }), {
      selector: (each) => each.name,
      maxLength: 7,
    });
    fc.assert(
      fc.property(pages, fc.dictionary(name, hash), (put, direct) => {
        const copies = new Copies();
        const kept = new Set<string>();
        const putOff = put.filter((each) => !(each.name in direct) && each.canonical !== each.name);
        for (const [each, contentHash] of Object.entries(direct)) {
          if (copies.keep(page(each), contentHash) === undefined) kept.add(page(each));
        }
        const all = putOff.map((each) => deferred(each.name, each.canonical, each.hash));
        for (const each of all) copies.defer(each);
        const instead = all.map((each) => ({ address: each.address, by: copies.decide(each) }));
        for (const { address, by } of instead) if (by === undefined) kept.add(address);
        for (const { address, by } of instead)
          if (by !== undefined) expect([address, kept.has(by)]).toEqual([address, true]);
      }),
    );
  });
});
