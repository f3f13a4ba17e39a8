import { describe, expect, it } from 'vitest';
import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import type { DatastoreSearch } from './search-datastore.js';
import type { SearchTarget } from './search-target.js';
import { SpeculativeSearches } from './speculative-search.js';

const TARGET: SearchTarget = {
  organizationId: 'o',
  id: 'd',
  embedding: null,
  expiredAt: null,
  isUseDue: false,
  removals: [],
};
const CHANGED: SearchTarget = {
  ...TARGET,
  removals: [{ datasourceId: 's', documentKey: 'k', upTo: 7 }],
};
const NONE: SearchResponse = { fragments: [], notes: [] };

interface SentSearch extends PromiseWithResolvers<SearchResponse> {
  readonly request: SearchRequest;
  readonly signal: AbortSignal;
}

/** A started search. The test determines when its target is read. */
interface SearchUnderTest {
  /** Continues the search with the target that was read. Resolves with the results. */
  readonly complete: (target: SearchTarget) => Promise<DatastoreSearch>;
  /** Ends the search. If no target was read before, the search fails. */
  readonly end: () => Promise<void>;
}

/**
 * Starts speculative searches of one datastore. `sent` contains the requests to the query service. The test itself
 * answers them.
 */
class SearchesUnderTest {
  readonly sent: SentSearch[] = [];
  readonly #client = new AbortController();
  readonly #searches = new SpeculativeSearches();

  start(query = 'tea?'): SearchUnderTest {
    const search = async (request: SearchRequest, signal: AbortSignal): Promise<SearchResponse> => {
      const response = Promise.withResolvers<SearchResponse>();
      this.sent.push({ request, signal, ...response });
      signal.addEventListener('abort', () => {
        response.reject(signal.reason);
      });
      return response.promise;
    };
    const find = async (): Promise<ReadonlyMap<string, never>> => Promise.resolve(new Map<string, never>());
    const parts = { queryService: { search }, labels: { find } };
    const expected = { organizationId: 'o', datastoreId: 'd', request: { query } };
    const ended = Promise.withResolvers<DatastoreSearch>();
    let outcome = Promise.reject<DatastoreSearch>(new Error('the search ended before its target was read'));
    outcome.catch(() => undefined);
    const completions: ((target: SearchTarget) => Promise<DatastoreSearch>)[] = [];
    const run = this.#searches.run(parts, expected, this.#client.signal, async (complete) => {
      completions.push(complete);
      return ended.promise;
    });
    return {
      complete: async (target) => {
        for (const complete of completions) outcome = complete(target);
        return outcome;
      },
      end: async () => {
        ended.resolve(outcome);
        await run.catch(() => undefined);
      },
    };
  }

  disconnectClient(): void {
    this.#client.abort(new Error('disconnected'));
  }

  /** Runs a search to its end. The database contains `target`, and the query service finds nothing. */
  async search(target = TARGET): Promise<void> {
    const search = this.start();
    const results = search.complete(target);
    this.sent.at(-1)?.resolve(NONE);
    await results;
    await search.end();
  }
}

/** Searches twice with the same target, so that the next search starts before its target is read. */
async function createWithStableTarget(): Promise<SearchesUnderTest> {
  const searches = new SearchesUnderTest();
  await searches.search();
  await searches.search();
  searches.sent.length = 0;
  return searches;
}

describe('a speculative search', () => {
  it('if the latest two searches of a datastore read the same target, the next search starts before its target is read', async () => {
    const searches = new SearchesUnderTest();
    for (const expected of [0, 0, 1]) {
      searches.sent.length = 0;
      const search = searches.start();
      expect(searches.sent).toHaveLength(expected);
      const results = search.complete(TARGET);
      expect(searches.sent).toHaveLength(1);
      searches.sent[0]?.resolve({ ...NONE, notes: ['not_reranked'] });
      expect(await results).toEqual({ results: [], notes: ['not_reranked'] });
      await search.end();
    }
  });

  it('if content of the datastore was removed after the latest search, a speculative search is aborted, and a search that excludes the removed content is sent', async () => {
    const searches = await createWithStableTarget();
    const search = searches.start();
    const results = search.complete(CHANGED);
    expect(searches.sent.map(({ request }) => request.excluded?.documents)).toEqual([
      undefined,
      [{ datastoreId: 'd', datasourceId: 's', documentKey: 'k', upTo: 7 }],
    ]);
    expect(searches.sent.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    searches.sent[1]?.resolve({ ...NONE, notes: ['not_embedded'] });
    expect(await results).toEqual({ results: [], notes: ['not_embedded'] });
    await search.end();
    searches.sent.length = 0;
    searches.start();
    expect(searches.sent).toEqual([]);
  });

  it('if the target of a speculative search cannot be read, the search is aborted, and the next search waits for its target', async () => {
    const searches = await createWithStableTarget();
    await searches.start().end();
    expect(searches.sent[0]?.signal.aborted).toBe(true);
    searches.start();
    expect(searches.sent).toHaveLength(1);
  });

  it('while another search is in progress, a search starts only after its target was read', async () => {
    const searches = await createWithStableTarget();
    const search = searches.start();
    await searches.start().end();
    expect(searches.sent).toHaveLength(1);
    await search.end();
  });

  it('if the query service fails, a speculative search throws the error of the query service', async () => {
    const searches = await createWithStableTarget();
    const search = searches.start();
    searches.sent[0]?.reject(new Error('overloaded'));
    await expect(search.complete(TARGET)).rejects.toThrow('overloaded');
    await search.end();
  });

  it('a speculative search is aborted when its client disconnects', async () => {
    const searches = await createWithStableTarget();
    const search = searches.start();
    searches.disconnectClient();
    expect(searches.sent[0]?.signal.aborted).toBe(true);
    await expect(search.complete(TARGET)).rejects.toThrow('disconnected');
    await search.end();
  });

  it('if a datastore has more than 50 unconfirmed removals, a search of it starts only after its target was read', async () => {
    const searches = new SearchesUnderTest();
    const removals = Array.from({ length: 51 }, (_, upTo) => ({ datasourceId: 's', documentKey: `k${upTo}`, upTo }));
    for (let search = 0; search < 3; search += 1) await searches.search({ ...TARGET, removals });
    searches.sent.length = 0;
    searches.start();
    expect(searches.sent).toEqual([]);
  });

  it('only for the 1,000 most recently searched datastores, a search can start before its search target was read from the database', async () => {
    const searches = await createWithStableTarget();
    for (let number = 0; number < 1_000; number += 1) await searches.search({ ...TARGET, id: `other-${number}` });
    searches.sent.length = 0;
    searches.start();
    expect(searches.sent).toEqual([]);
  });
});
