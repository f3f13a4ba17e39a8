import { CreateDatastoreRequest, PageQuery, UpdateDatastoreRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { insertDatastore, listDatastores, updateDatastore } from '../datastores/datastore-repository.js';
import { viewDatastore } from '../datastores/datastore-view.js';
import { removeDatastore } from '../datastores/remove-datastore.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import { requireSplitting } from '../datastores/require-splitting.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { madeAt } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf, refuseLimitedKey } from '../keys/caller.js';

/** `/datastores`: make, list, show, change, remove. */
export function datastoreRoutes(gateway: Gateway): Router {
  const { db, limits, clock } = gateway;
  const routes = Router();

  routes.post('/datastores', requireScope('manage'), jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    refuseLimitedKey(caller);
    const body = parse(CreateDatastoreRequest, request.body, 'refuse');
    requireSplitting(body.splitting);
    await answerOnce(gateway, request, response, request.body, async (tx) => {
      const row = await insertDatastore(tx, caller.organizationId, body, gateway.embedding);
      return madeAt(`${request.baseUrl}/datastores/${row.id}`, viewDatastore(row));
    });
  });

  routes.get('/datastores', requireScope('manage', 'ingest'), async (request, response) => {
    const caller = callerOf(response);
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    const rows = await listDatastores(db, caller.organizationId, page, caller.limits?.datastoreIds);
    response.json(pageOf(rows, page, viewDatastore));
  });

  routes.get('/datastores/:id', requireScope('manage', 'ingest'), async (request, response) => {
    response.json(viewDatastore(await requireDatastore(db, callerOf(response), pathId(request, 'datastore'))));
  });

  routes.patch('/datastores/:id', requireScope('manage'), jsonBody(limits.bodyBytes), async (request, response) => {
    const caller = callerOf(response);
    const { id } = await requireDatastore(db, caller, pathId(request, 'datastore'));
    const body = parse(UpdateDatastoreRequest, request.body, 'refuse');
    requireSplitting(body.splitting);
    response.json(viewDatastore(await updateDatastore(db, caller.organizationId, id, body, clock())));
  });

  routes.delete('/datastores/:id', requireScope('manage'), async (request, response) => {
    const caller = callerOf(response);
    const { id } = await requireDatastore(db, caller, pathId(request, 'datastore'));
    await removeDatastore(db, caller.organizationId, id, clock());
    gateway.outboxWritten.wake();
    response.status(204).end();
  });

  return routes;
}
