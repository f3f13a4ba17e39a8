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

/** Identifies a datastore, and describes a search of it. The caller has checked that the datastore may be accessed. */
interface ExpectedSearch {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly request: DatastoreSearchRequest;
}

/** A search with the expected target of its datastore. */
interface StartedSearch extends LinkedSignal {
  readonly request: SearchRequest;
  readonly response: Promise<SearchResponse>;
}

export interface SpeculativeSearch {
  /** Returns the results for the target that was read now. @throws the problems of the query service */
  complete(target: SearchTarget): Promise<DatastoreSearch>;
  /** Aborts the search if it is not complete. Call it at the end of the request. */
  end(): void;
}

/**
 * Searches datastores while their rows are still being read, because a row is likely the same as in the latest two
 * searches of the datastore. If it is not, the search is repeated. So results are those of a search that starts after
 * the row was read.
 *
 * A search starts early only if no other search of this gateway is in progress. Under load, the order of the steps has
 * no effect on the throughput, and an abandoned search would lower it.
 */
export class SpeculativeSearches {
  readonly #targets = new RecentSearchTargets();
  #inProgress = 0;

  start(
    parts: SearchParts,
    { organizationId, datastoreId, request }: ExpectedSearch,
    signal: AbortSignal,
  ): SpeculativeSearch {
    const expected =
      this.#inProgress === 0 && !signal.aborted ? this.#targets.findStable(organizationId, datastoreId) : undefined;
    const started =
      expected && startSearch(parts, buildSearchRequest(expected.organizationId, [expected], request), signal);
    let isComplete = false;
    this.#inProgress += 1;
    const search = async (sent: SearchRequest): Promise<SearchResponse> => {
      if (started !== undefined && isDeepStrictEqual(started.request, sent)) return started.response;
      started?.abort(new Error('the datastore has changed'));
      return parts.queryService.search(sent, signal);
    };
    return {
      complete: async (target) => {
        this.#targets.set(target);
        const results = await searchDatastore({ ...parts, queryService: { search } }, target, request, signal);
        isComplete = true;
        return results;
      },
      end: () => {
        this.#inProgress -= 1;
        if (!isComplete) {
          this.#targets.delete(organizationId, datastoreId);
          started?.abort(new Error('the request has failed'));
        }
        started?.release();
      },
    };
  }
}

function startSearch({ queryService }: SearchParts, request: SearchRequest, signal: AbortSignal): StartedSearch {
  const linked = linkSignals(signal);
  const response = queryService.search(request, linked.signal);
  response.catch(() => undefined);
  return { ...linked, request, response };
}
