import { DocumentListQuery, PageQuery } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { Router } from 'express';
import { listDocuments } from '../datasources/document-repository.js';
import { viewDocument, viewOnlyDocument } from '../datasources/document-view.js';
import { requireDatasource } from '../datasources/require-datasource.js';
import { listRuns } from '../runs/run-repository.js';
import { viewWholeRun } from '../runs/run-view.js';
import type { Gateway } from '../gateway.js';
import { keyPageOf, keyPageRequest } from '../http/key-pages.js';
import { pageOf, pageRequest } from '../http/pages.js';
import { pathId } from '../http/path-id.js';
import { requireScope } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';

/** What a datasource is made of, and what was done to fill it. */
export function datasourceContentRoutes({ db }: Pick<Gateway, 'db'>): Router {
  const routes = Router();

  routes.get('/datasources/:id/documents', requireScope('manage', 'ingest'), async (request, response) => {
    const found = await requireDatasource(db, callerOf(response), pathId(request, 'datasource'));
    const query = parse(DocumentListQuery, request.query, 'refuse');
    const page = keyPageRequest(query);
    const only = viewOnlyDocument(found);
    const items =
      only === undefined
        ? (await listDocuments(db, found.datasource, query.outcome, page)).map(viewDocument)
        : [only].filter(
            ({ documentKey, outcome }) =>
              (page.after === undefined || documentKey > page.after) && (query.outcome ?? outcome) === outcome,
          );
    response.json(keyPageOf(items, page, ({ documentKey }) => documentKey));
  });

  routes.get('/datasources/:id/runs', requireScope('manage', 'ingest'), async (request, response) => {
    const { datasource } = await requireDatasource(db, callerOf(response), pathId(request, 'datasource'));
    const page = pageRequest(parse(PageQuery, request.query, 'refuse'));
    response.json(pageOf(await listRuns(db, datasource, page), page, viewWholeRun));
  });

  return routes;
}
