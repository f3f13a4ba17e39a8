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
 * Describes a search of a datastore whose target is not read from the database yet. The caller ensures that the client
 * may access the datastore.
 */
interface ExpectedSearch {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly request: DatastoreSearchRequest;
}

/** A search that was sent to the query service with the expected target, before the target was read. */
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
 * Starts the search of a datastore while its search target is still being read from the database. The search starts
 * with the target that the latest two searches have read, if these targets were equal. If the database contains a
 * different target, the search is repeated. So the results always belong to the target in the database.
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
   * @param readTarget reads the search target, passes it to `complete`, and returns the result. If it rejects, the
   *   search is aborted, and the next search of the datastore does not start early.
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
      started?.abort(new Error('the target of a speculative search has changed'));
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
      started?.abort(new Error('the request of a speculative search has failed'));
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
