import { isDeepStrictEqual } from 'node:util';
import { linkSignals, type LinkedSignal } from '@quarry/cancellation';
import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import { RecentSearchTargets } from './recent-search-targets.js';
import {
  buildSearchRequest,
  searchDatastore,
  type DatastoreSearch,
  type DatastoreSearchRequest,
  type SearchParts,
} from './search-datastore.js';
import type { SearchTarget } from './search-target.js';

/**
 * Describes a search of a datastore whose target is not read yet. The caller has checked that the datastore may be
 * accessed.
 */
interface ExpectedSearch {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly request: DatastoreSearchRequest;
}

/** A search that has started with the expected target of its datastore. */
interface StartedSearch extends LinkedSignal {
  readonly request: SearchRequest;
  readonly response: Promise<SearchResponse>;
}

/**
 * Returns the results for a target that was read from the database during the search.
 *
 * @throws the problems of the query service
 */
type CompleteSearch = (target: SearchTarget) => Promise<DatastoreSearch>;

/**
 * Starts the search of a datastore while its search target is still being read. The expected target is that of the
 * latest two searches, if they read the same target. If the target that is read differs, the search is repeated. So the
 * results are those of a search that starts after its target was read.
 *
 * A search starts early only if no other search of this gateway is in progress. Under load, an early start does not
 * increase the throughput, and an abandoned search would reduce it.
 */
export class SpeculativeSearches {
  readonly #targets = new RecentSearchTargets();
  #inProgress = 0;

  /**
   * Runs a search of a datastore.
   *
   * @param readTarget reads the search target, and returns what `complete` returns for it. If it fails, the search is
   *   aborted, and the next search of the datastore does not start early.
   */
  async run(
    parts: SearchParts,
    { organizationId, datastoreId, request }: ExpectedSearch,
    signal: AbortSignal,
    readTarget: (complete: CompleteSearch) => Promise<DatastoreSearch>,
  ): Promise<DatastoreSearch> {
    const expected =
      this.#inProgress === 0 && !signal.aborted ? this.#targets.findStable(organizationId, datastoreId) : undefined;
    const started =
      expected && startSearch(parts, buildSearchRequest(expected.organizationId, [expected], request), signal);
    const search = async (sent: SearchRequest): Promise<SearchResponse> => {
      if (started !== undefined && isDeepStrictEqual(started.request, sent)) return started.response;
      started?.abort(new Error('the datastore has changed'));
      return parts.queryService.search(sent, signal);
    };
    this.#inProgress += 1;
    try {
      return await readTarget(async (target) => {
        this.#targets.set(target);
        return searchDatastore({ ...parts, queryService: { search } }, target, request, signal);
      });
    } catch (error) {
      this.#targets.delete(datastoreId);
      started?.abort(new Error('the request has failed'));
      throw error;
    } finally {
      this.#inProgress -= 1;
      started?.release();
    }
  }
}

function startSearch({ queryService }: SearchParts, request: SearchRequest, signal: AbortSignal): StartedSearch {
  const linked = linkSignals(signal);
  const response = queryService.search(request, linked.signal);
  response.catch(() => undefined);
  return { ...linked, request, response };
}
