import { DatastoreQueryRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { requireKnownFilters } from '../datastores/require-known-filters.js';
import { searchDatastore } from '../datastores/search-datastore.js';
import { requireSearchTarget } from '../datastores/search-target.js';
import type { Gateway } from '../gateway.js';
import { abortedByLeaving } from '../http/aborted-by-leaving.js';
import { requireQuestion } from '../http/invalid.js';
import { jsonBody } from '../http/json-body.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { withReservation } from '../usage/with-reservation.js';

/** The response is a list, which has no place for what went without a part of the search: `RetrievalNote`. */
const NOTES_HEADER = 'Quarry-Notes';

/** `POST /datastores/{id}/query`. Source: interface specification, endpoint 2. */
export function queryDatastoreRoutes(gateway: Gateway): Router {
  const { db, limits, clock } = gateway;
  const routes = Router();
  const path = '/datastores/:id/query';
  routes.post(path, requireScope('query'), jsonBody(limits.bodyBytes), async (request, response) => {
    const signal = abortedByLeaving(response);
    const body = parse(DatastoreQueryRequest, request.body, 'ignore');
    requireQuestion(body.query, limits.queryCharacters);
    requireKnownFilters(request.body);
    const caller = callerOf(response);
    const reservation = {
      organizationId: caller.organizationId,
      kind: 'datastoreQueries',
      askedAt: clock(),
    } as const;
    // Side by side: the one is a look-up, and the other is given back when there is nothing to look into.
    const finding = requireSearchTarget(db, caller, pathId(request, 'datastore'));
    finding.catch(() => undefined);
    signal.throwIfAborted();
    const { results, notes } = await withReservation(gateway, response, reservation, async () =>
      searchDatastore(gateway, await finding, body, signal),
    );
    if (notes.length > 0) response.setHeader(NOTES_HEADER, notes.join(', '));
    response.json(results);
  });
  return routes;
}
