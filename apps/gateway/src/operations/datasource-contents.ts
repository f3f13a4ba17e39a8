import { DocumentListQuery, DocumentResponse, PageQuery, RunResponse } from '@quarry/contracts';
import { listDocuments } from '../datasources/document-repository.js';
import { viewDocument, viewOnlyDocument } from '../datasources/document-view.js';
import { requireDatasource } from '../datasources/datasource-repository.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { describeJsonResponse, createPageSchema } from '../http/responses.js';
import { parseKeyPageRequest, buildKeyPage } from '../paging/key-pages.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import { listRuns } from '../runs/run-repository.js';
import { viewFullRun } from '../runs/run-view.js';

/** Lists the operations that return the documents and the runs of a datasource. */
export const DATASOURCE_CONTENT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'listDocuments',
    method: 'get',
    path: '/datasources/{id}/documents',
    tag: 'Datasources',
    summary: 'List the documents of a datasource',
    description:
      'One document per page of a web site or item of a listing, with the outcome of the last run that processed it. A file, an upserted document and a web page are one document each. Sorted by document key.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: DocumentListQuery,
    responses: { 200: describeJsonResponse('One page of documents.', createPageSchema(DocumentResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found, query }) => {
      const page = parseKeyPageRequest(query);
      const only = viewOnlyDocument(found);
      const items =
        only === undefined
          ? (await listDocuments(gateway.db, found.datasource, query.outcome, page)).map(viewDocument)
          : [only].filter(
              ({ documentKey, outcome }) =>
                (page.after === undefined || documentKey > page.after) && (query.outcome ?? outcome) === outcome,
            );
      return buildOkReply(buildKeyPage(items, page, ({ documentKey }) => documentKey));
    },
  }),

  defineOperation({
    id: 'listRuns',
    method: 'get',
    path: '/datasources/{id}/runs',
    tag: 'Datasources',
    summary: 'List the runs of a datasource',
    description:
      'Sorted by start time, newest first. Each run has its start and end time, its outcome, and the reason for the outcome.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of runs.', createPageSchema(RunResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, found: { datasource }, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(buildPage(await listRuns(gateway.db, datasource, page), page, viewFullRun));
    },
  }),
];
