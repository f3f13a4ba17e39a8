import { describe, expect, it } from 'vitest';
import { DocumentLanguages, selectFrequentLanguages, type LanguageCounts } from './document-languages.js';
import { createSampleDocument, createSampleVersion, WORDS_COLLECTION } from './testing/sample-documents.js';

const DOCUMENT = createSampleDocument();
const SCOPE = { organizationId: DOCUMENT.organizationId, datastoreIds: [DOCUMENT.datastoreId] };

describe('the frequent languages', () => {
  it('selectFrequentLanguages returns each language of at least a tenth of the fragments', () => {
    expect(selectFrequentLanguages(new Map(Object.entries({ en: 85, de: 10, fr: 5 })))).toEqual(['en', 'de']);
    expect(selectFrequentLanguages(new Map())).toEqual([]);
  });
});

describe('the cache of document languages', () => {
  it('the cache of languages counts the languages of a datastore once for concurrent and later searches', async () => {
    const { languages, count, getCounted } = createLanguageCache([{ en: 5000 }]);
    const runSearch = (): Promise<readonly string[]> => languages.findLanguages(WORDS_COLLECTION, SCOPE, count);
    expect(await Promise.all([runSearch(), runSearch()])).toEqual([['en'], ['en']]);
    expect(await runSearch()).toEqual(['en']);
    expect(getCounted()).toBe(1);
  });

  it('after a minute, the cache of languages counts the languages of a datastore again, and returns the previous languages until the count ends', async () => {
    const { languages, count, getCounted, advance } = createLanguageCache([{ en: 5000 }, { de: 5000 }]);
    const runSearch = (): Promise<readonly string[]> => languages.findLanguages(WORDS_COLLECTION, SCOPE, count);
    await runSearch();
    advance(59_000);
    await runSearch();
    expect(getCounted()).toBe(1);
    advance(1_000);
    expect(await runSearch()).toEqual(['en']);
    expect(getCounted()).toBe(2);
    expect(await runSearch()).toEqual(['de']);
  });

  it('the cache of languages counts the languages of a small datastore again after two seconds', async () => {
    const { languages, count, getCounted, advance } = createLanguageCache([{ en: 5 }, { en: 5, de: 5 }]);
    const runSearch = (): Promise<readonly string[]> => languages.findLanguages(WORDS_COLLECTION, SCOPE, count);
    await runSearch();
    advance(2_000);
    await runSearch();
    expect(getCounted()).toBe(2);
    expect(await runSearch()).toEqual(['de', 'en']);
  });

  it('the cache of languages counts the languages of a datastore again if more than a tenth of its fragments were written since the last count', async () => {
    const { languages, count, getCounted } = createLanguageCache([{ en: 10 }, { en: 10, de: 2 }]);
    const runSearch = (): Promise<readonly string[]> => languages.findLanguages(WORDS_COLLECTION, SCOPE, count);
    await runSearch();
    languages.recordWrite(WORDS_COLLECTION, createSampleVersion(DOCUMENT, ['one']));
    expect(await runSearch()).toEqual(['en']);
    languages.recordWrite(WORDS_COLLECTION, createSampleVersion(DOCUMENT, ['two']));
    expect(await runSearch()).toEqual(['de', 'en']);
    expect(getCounted()).toBe(2);
  });

  it('the cache of languages returns the frequent languages of each datastore of a scope, however small the datastore is', async () => {
    const counts = new Map(Object.entries({ a: { en: 900 }, b: { de: 2 }, c: {} }));
    const languages = new DocumentLanguages(() => 0);
    const found = await languages.findLanguages(
      WORDS_COLLECTION,
      { organizationId: 'o', datastoreIds: ['a', 'b', 'c'] },
      async (datastoreId) => new Map(Object.entries(counts.get(datastoreId) ?? {})),
    );
    expect(found).toEqual(['de', 'en']);
  });

  it('the cache of languages returns an empty list if counting the languages fails', async () => {
    const languages = new DocumentLanguages(() => 0);
    const fail = (): Promise<LanguageCounts> => Promise.reject(new Error('no index'));
    expect(await languages.findLanguages(WORDS_COLLECTION, SCOPE, fail)).toEqual([]);
  });
});

/**
 * Creates a cache whose counts are predefined. Each count returns the next element of `results`. All counts after the
 * last element return the last element.
 */
function createLanguageCache(results: readonly Readonly<Record<string, number>>[]) {
  let now = 0;
  let counted = 0;
  return {
    languages: new DocumentLanguages(() => now),
    count: async (): Promise<LanguageCounts> => {
      counted += 1;
      return new Map(Object.entries(results[Math.min(counted, results.length) - 1] ?? {}));
    },
    getCounted: () => counted,
    advance: (ms: number) => {
      now += ms;
    },
  };
}
