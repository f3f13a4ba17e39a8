import { DatasourceListQuery, UpdateDatasourceRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import { listDatasources } from '../datasources/datasource-repository.js';
import { viewDatasource } from '../datasources/datasource-view.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import { requireDatasource } from '../datasources/require-datasource.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import { readSync } from '../datasources/read-sync.js';
import { updateDatasource } from '../datasources/update-datasource.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import type { Gateway } from '../gateway.js';
import { jsonBody } from '../http/json-body.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { done } from '../idempotency/answer.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';

/** `/datasources`: list, show, change, sync again, cancel, remove. */
export function datasourceRoutes(gateway: Gateway): Router {
  const { db, clock, outboxWritten, limits } = gateway;
  const routes = Router();

  routes.get('/datasources', requireScope('manage', 'ingest'), async (request, response) => {
    const caller = callerOf(response);
    const query = parse(DatasourceListQuery, request.query, 'refuse');
    const { status, type } = query;
    const datastoreId =
      query.datastoreId === undefined ? undefined : (await requireDatastore(db, caller, query.datastoreId)).id;
    const filter = { datastoreId, status, type, onlyIn: caller.limits?.datastoreIds };
    const page = pageRequest(query);
    const found = await listDatasources(db, caller.organizationId, filter, page);
    response.json(pageOf(found, page, viewDatasource));
  });

  routes.get('/datasources/:id', requireScope('manage', 'ingest'), async (request, response) => {
    response.json(viewDatasource(await requireDatasource(db, callerOf(response), pathId(request, 'datasource'))));
  });

  routes.patch(
    '/datasources/:id',
    requireScope('manage', 'ingest'),
    jsonBody(limits.bodyBytes),
    async (request, response) => {
      const caller = callerOf(response);
      const { datasource } = await requireDatasource(db, caller, pathId(request, 'datasource'));
      const body = parse(UpdateDatasourceRequest, request.body, 'refuse');
      response.json(viewDatasource(await updateDatasource(gateway, caller.organizationId, datasource.id, body)));
    },
  );

  routes.post('/datasources/:id/cancel', requireScope('manage', 'ingest'), async (request, response) => {
    const caller = callerOf(response);
    const { datasource } = await requireDatasource(db, caller, pathId(request, 'datasource'));
    response.json(viewDatasource(await cancelDatasource(gateway, caller.organizationId, datasource.id)));
  });

  routes.post('/datasources/:id/sync', requireScope('manage', 'ingest'), async (request, response) => {
    const caller = callerOf(response);
    const { datasource } = await requireDatasource(db, caller, pathId(request, 'datasource'));
    const wanted = readSync(datasource.type, request.query);
    await answerOnce(gateway, request, response, wanted, async (tx) =>
      done(viewDatasource(await syncDatasource({ ...gateway, db: tx }, caller.organizationId, datasource.id, wanted))),
    );
  });

  routes.delete('/datasources/:id', requireScope('manage', 'ingest'), async (request, response) => {
    const caller = callerOf(response);
    const { datasource } = await requireDatasource(db, caller, pathId(request, 'datasource'));
    await removeDatasource(db, caller.organizationId, datasource.id, clock());
    outboxWritten.wake();
    response.status(204).end();
  });

  return routes;
}
