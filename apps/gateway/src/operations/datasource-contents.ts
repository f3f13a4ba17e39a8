import { DocumentListQuery, DocumentResponse, PageQuery, RunResponse } from '@quarry/contracts';
import { listDocuments } from '../datasources/document-repository.js';
import { viewDocument, viewOnlyDocument } from '../datasources/document-view.js';
import { requireDatasource } from '../datasources/require-datasource.js';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { ok } from '../http/reply.js';
import { jsonResponse, pageOf } from '../http/responses.js';
import { keyPageRequest, toKeyPage } from '../paging/key-pages.js';
import { pageRequest, toPage } from '../paging/pages.js';
import { listRuns } from '../runs/run-repository.js';
import { viewWholeRun } from '../runs/run-view.js';

/** The documents of a datasource, and the runs that fill it. */
export const DATASOURCE_CONTENT_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'listDocuments',
    method: 'get',
    path: '/datasources/{id}/documents',
    tag: 'Datasources',
    summary: 'List the documents of a datasource',
    description:
      'Each page of a site or item of a listing, with what the last run that named it did with it, and why. By document key. A file, an upserted document and a page are one document.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: DocumentListQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(DocumentResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found, query }) => {
      const page = keyPageRequest(query);
      const only = viewOnlyDocument(found);
      const items =
        only === undefined
          ? (await listDocuments(gateway.db, found.datasource, query.outcome, page)).map(viewDocument)
          : [only].filter(
              ({ documentKey, outcome }) =>
                (page.after === undefined || documentKey > page.after) && (query.outcome ?? outcome) === outcome,
            );
      return ok(toKeyPage(items, page, ({ documentKey }) => documentKey));
    },
  }),

  operation({
    id: 'listRuns',
    method: 'get',
    path: '/datasources/{id}/runs',
    tag: 'Datasources',
    summary: 'List the runs of a datasource',
    description: 'Newest first: when each began and ended, what it came to, and why.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: PageQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(RunResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found: { datasource }, query }) => {
      const page = pageRequest(query);
      return ok(toPage(await listRuns(gateway.db, datasource, page), page, viewWholeRun));
    },
  }),
];
